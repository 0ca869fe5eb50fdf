"""Every cheat of the catalogue at a table of four real nodes: real sockets, real disks, real proofs."""

from __future__ import annotations

from pathlib import Path

import pytest

from node.loops import run
from tests.cheats.catalogue import CATALOGUE
from tests.cheats.entries import Caught, Entry
from tests.cheats.judged import check_caught, check_nobody_accused
from tests.cheats.sockets import Company, company
from tests.cheats.talking import TwoStories

_MATCHES = 5
"""Matches that a crook is given to find an opportunity."""

REPRESENTATIVE = {
    "duplicated card",
    "false molodka",
    "discard of cards not held",
    "equivocation to two halves",
    "forged signature",
    "silence",
}


def _listed() -> list[object]:
    return [
        pytest.param(entry, id=entry.name, marks=() if entry.name in REPRESENTATIVE else pytest.mark.long)
        for entry in CATALOGUE
    ]


@pytest.mark.parametrize("entry", _listed())
def test_every_honest_node_and_the_audit_of_its_file_judge_it_alike(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("node.node.TICK_SECONDS", 0.1)

    async def scene(folder: Path) -> bool:
        """One match; False when the crook found no opportunity in it, and so nobody had anything to catch."""
        async with company(folder, entry.scheme(), CATALOGUE.index(entry) % 4, entry.target) as four:
            honest = [live.table for _, live in four.honest]
            if not entry.provable:
                await _over(entry, four)
                check_nobody_accused(entry, honest, four.audits())
                return True
            await _caught(four)
            if not four.crook.lies and all(table.match.whole for table in honest):
                return False
            check_caught(entry, four.crook, honest, four.audits())
            return True

    assert any(run(scene(tmp_path / str(number))) for number in range(_MATCHES)), "it never cheated"


async def _caught(four: Company) -> None:
    scheme = four.crook.scheme
    await four.until(lambda live: bool(scheme.halves) or live.table.finished)
    if scheme.halves:
        assert isinstance(scheme, TwoStories)
        assert scheme.twins is not None
        seat, seq = scheme.twins[0].position
        await four.until(lambda live: live.table.log.length(seat) > seq)
        await four.frames(10)
        assert [live.table.verdict for _, live in four.honest] == [None] * 3, "a half alone cannot know"
        four.apart = False
    await four.until(lambda live: live.table.finished)
    await four.agreed(lambda table: table.verdict)


async def _over(entry: Entry, four: Company) -> None:
    """Play goes on if what comes is dropped; else all wait, and go on waiting."""
    if entry.caught is Caught.DROPPED:
        await four.until(lambda live: len(live.table.match.state.tricks) > 1)
        assert four.crook.scheme.done
        for player in four.playing:
            player.cancel()
        await four.agreed(lambda table: table.log.heads())
        return
    await four.until(lambda _: four.crook.scheme.done)
    await four.frames(20)
    await four.agreed(lambda table: table.log.heads())
    heads = [live.table.log.heads() for _, live in four.honest]
    await four.frames(10)
    assert [live.table.log.heads() for _, live in four.honest] == heads
    assert not any(live.table.finished for _, live in four.honest)
