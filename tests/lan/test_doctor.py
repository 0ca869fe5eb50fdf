"""`kozel doctor` on networks whose trouble is known: it names it, and says what to do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.lan.company import PORT, open_table
from tests.lan.hosts import Lan, address

pytestmark = [pytest.mark.lan, pytest.mark.timeout(240)]

_TABLE = f"{address(1)}:{PORT}"
_GATEWAY = 4


def _examined(lan: Lan, *arguments: str) -> tuple[bool, list[dict[str, Any]]]:
    """Run the doctor on host 2: whether all is well, and the findings that are problems."""
    code, said = lan.run(2, "doctor", "--json", *arguments)
    told = json.loads(said)
    assert (code == 0) is told["well"]
    return told["well"], [finding for finding in told["findings"] if finding["level"] == "problem"]


@pytest.mark.parametrize("arguments", [(), (_TABLE,)], ids=["alone", "with an address"])
def test_on_a_network_that_behaves_all_is_well(lan: Lan, arguments: tuple[str, ...]) -> None:
    open_table(lan)
    code, said = lan.run(2, "doctor", *arguments)
    assert code == 0
    assert "The table “Dacha” of Anna is heard, and answers." in said
    assert "All is well" in said
    assert "WRONG" not in said


def test_where_clients_are_kept_apart_isolation_is_suspected(lan: Lan) -> None:
    open_table(lan)
    lan.keep_clients_apart(gateway=_GATEWAY)
    assert lan.reaches(2, _GATEWAY)
    well, (problem,) = _examined(lan, _TABLE)
    assert not well
    assert problem["text"] == f"Nothing answers at {_TABLE}, though {address(2)} is on the same network."
    assert "client isolation" in problem["advice"]
    assert "use another network or a phone's hotspot" in problem["advice"]


def test_clients_kept_apart_who_hear_each_other_are_told_too(lan: Lan) -> None:
    """Some access points pass multicast on, or a repeater answers it for others."""
    open_table(lan)
    lan.keep_clients_apart("udp dport 5353 accept", gateway=_GATEWAY)
    well, (problem,) = _examined(lan)
    assert not well
    assert problem["text"] == "The table “Dacha” of Anna is announced but does not answer."
    assert "client isolation" in problem["advice"]


def test_where_multicast_is_filtered_the_doctor_says_so(lan: Lan) -> None:
    open_table(lan)
    lan.disturb("udp dport 5353 drop")
    well, (problem,) = _examined(lan, _TABLE)
    assert not well
    assert problem["text"] == "The table “Dacha” answers, but its announcement is not heard."
    assert "multicast is filtered" in problem["advice"]
    assert "kozel join HOST:PORT" in problem["advice"]


@pytest.mark.parametrize("cut", [True, False], ids=["nothing gets through", "no table is open"])
def test_alone_in_silence_the_doctor_does_not_claim_to_know(lan: Lan, cut: bool) -> None:
    if cut:
        open_table(lan)
        lan.keep_clients_apart(gateway=_GATEWAY)
    code, said = lan.run(2, "doctor")
    assert code == 0
    assert "Perhaps none is open, perhaps none gets through." in " ".join(said.split())
    assert "kozel doctor HOST:PORT" in said
