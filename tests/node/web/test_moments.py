"""Finished deals moment by moment: every card has its place, and every step is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from node.web.replaying import replay_picture
from tests.protocol.matches import audit, log_file, rich, short
from tests.protocol.racing import lost_at_the_end


def tables(deal: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The table at each step of a deal."""
    table: dict[str, Any] = {}
    for step in deal["steps"]:
        table = {**table, **step["now"]}
        yield table


def shown(table: dict[str, Any]) -> list[str]:
    """The cards that lie face up: in the hands, and in the trick as far as it counts."""
    trick = table["trick"]
    plays = trick["branches"][-1]["plays"] if trick and trick["branches"] else []
    played = [card for play in plays for card in play["cards"] or ()]
    return [card for hand in table["hands"] for card in hand["known"]] + played


def test_every_deal_begins_with_the_whole_table_and_ends_with_its_result() -> None:
    match = rich()
    picture = replay_picture(audit(match.file()))
    assert (picture["finding"], picture["hidden"], picture["problems"]) == ("fair", None, [])
    records = match.tables[0].match.finished
    assert len(picture["deals"]) == len(records) == 3
    for deal, record in zip(picture["deals"], records, strict=True):
        *_, last = tables(deal)
        assert last["taken"] == deal["tricks"] == record["tricks_taken"]
        assert last["points"] == deal["points"] == record["points"]
        assert last["stock"] == 0
        assert last["trick"] is None
        first = next(tables(deal))
        assert [sorted(hand["known"]) for hand in first["hands"]] == [
            sorted(hand or ()) for hand in record["hands"]
        ]
        assert len(deal["starts"]) == len(record["tricks"])


def test_all_cards_are_open_and_each_is_in_one_place() -> None:
    for deal in replay_picture(audit(rich().file()))["deals"]:
        gone: set[str] = set()
        for number, table in enumerate(tables(deal)):
            cards = shown(table)
            assert len(set(cards)) == len(cards)
            assert not gone & set(cards)
            hidden = sum(hand["unknown"] for hand in table["hands"])
            branch = table["trick"] and table["trick"]["branches"] and table["trick"]["branches"][-1]
            hidden += sum(play["count"] for play in (branch or {"plays": []})["plays"] if not play["cards"])
            assert len(cards) + hidden + table["stock"] + len(gone) == 36
            if table["trick"] and table["trick"]["taker"] is not None:
                assert table["turn"] is None
                gone |= {card for play in branch["plays"] for card in play["cards"]}
            if number in deal["starts"]:
                assert table["trick"]["branches"] == []
                assert len({hand["size"] for hand in table["hands"]}) == 1


def test_a_discard_that_went_back_stays_face_down() -> None:
    """Nobody was ever shown it, so while it lies there the rest of that hand is not known either."""
    deal = replay_picture(audit(rich().file()))["deals"][0]
    texts = [step["text"] for step in deal["steps"]]
    place = next(n for n, text in enumerate(texts) if text == "Player 3 discards 4 cards.")
    before, there, after = list(tables(deal))[place - 1 : place + 2]
    assert texts[place - 1].startswith("Molodka! Player 2 leads out of turn: ")
    assert texts[place + 1].endswith("All cards played in this trick go back to their owners.")
    assert len(before["hands"][3]["known"]) == 4
    assert there["hands"][3] == {"known": [], "unknown": 0, "size": 0}
    assert there["trick"]["branches"][-1]["plays"][-1]["cards"] is None
    assert after["hands"][3] == before["hands"][3]


def test_each_step_is_told_without_a_reader_among_the_players() -> None:
    deal = replay_picture(audit(short().file()))["deals"][0]
    texts = [step["text"] for step in deal["steps"]]
    assert re.fullmatch(
        r"Deal 1: Player \d deals\. Trump is \w+ [♣♦♥♠], .+ was shown\. Player \d begins\.", texts[0]
    )
    assert re.fullmatch(r"Player \d leads .+\.", texts[1])
    assert any(re.fullmatch(r"Player \d discards (\S+[♣♦♥♠] ?)+\.", text) for text in texts)
    assert any("Each player draws" in text and "The stock is empty now." in text for text in texts)
    assert "Player 0 and Player 2: " in texts[-1]
    assert texts[-1].endswith(" are the goat.")
    assert "You" not in " ".join(texts)


def test_a_deal_that_was_played_on_without_a_player_is_replayed_too() -> None:
    network = lost_at_the_end(606)
    picture = replay_picture(audit(log_file(network.setup.genesis, network.disks[network.others[0]])))
    assert any(f"played on without Player {network.away}" in line for line in picture["about"])
    *_, last = tables(picture["deals"][-1])
    assert last["taken"] == picture["deals"][-1]["tricks"]


def test_a_deal_is_told_in_few_bytes() -> None:
    text = json.dumps(replay_picture(audit(rich().file())), ensure_ascii=False)
    assert len(text.encode()) < 3 * 40_000
