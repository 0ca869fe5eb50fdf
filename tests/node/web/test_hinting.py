"""A hint at a page: from the own view, beside the node's work, worth nothing once the table changes."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import Phase, Play, Seat, State, holding, turn
from node.bots.advice import Considered
from node.errors import BotFailed, WishRefused
from node.loops import run
from node.seating.advising import Adviser
from node.seating.bot_seats import PAUSE_VARIABLE
from node.web.hinting import hint_picture
from tests.node.terminal_tables import Felt, dealt
from tests.node.web.pages import SETTINGS, Tab, open_page


class Thinker:
    """Considers as it is told; remembers what it was shown. It does not answer before `ready` is set."""

    def __init__(self) -> None:
        self.shown: list[tuple[State, Seat]] = []
        self.threads: set[int] = set()
        self.begun = threading.Event()
        self.ready = threading.Event()
        self.ready.set()

    def __call__(self, view: State, seat: Seat, legal: Sequence[Play]) -> Sequence[Considered]:
        self.shown.append((view, seat))
        self.threads.add(threading.get_ident())
        self.begun.set()
        assert self.ready.wait(30)
        return [
            Considered(play, -0.1 * place, 0.0, 60.0 - 5 * place, 0.7, 100)
            for place, play in enumerate(legal)
        ]


async def begun(thinker: Thinker) -> None:
    await asyncio.to_thread(thinker.begun.wait)


def at(felt: Felt) -> Any:
    """The felt in the place of a live table."""
    return felt


def test_the_sentence_and_the_cards_of_the_best_play() -> None:
    thinker, felt = Thinker(), Felt(dealt())

    async def scene() -> None:
        picture = await hint_picture(Adviser(thinker), at(felt))
        assert picture is not None
        best = felt.legal()[0]
        assert picture["cards"] == [str(card) for card in best.cards or ()]
        assert picture["kind"] == "lead"
        assert picture["sentence"].startswith("Lead ")
        assert "5 points better" in picture["sentence"]
        assert len(picture["details"]) == 1 + len(felt.legal())

    run(scene())
    assert felt.played == []


def test_it_is_made_from_the_own_view_alone_and_in_a_thread_of_its_own() -> None:
    thinker, felt = Thinker(), Felt(dealt())
    run(hint_picture(Adviser(thinker), at(felt)))
    ((view, seat),) = thinker.shown
    assert (view, seat) == (felt.state, felt.seat)
    assert all(not holding(view, other).known for other in (1, 2, 3))
    assert threading.get_ident() not in thinker.threads


def test_it_is_dropped_when_the_table_changes_meanwhile() -> None:
    thinker, felt = Thinker(), Felt(dealt())

    async def scene() -> None:
        thinker.ready.clear()
        hint = asyncio.create_task(hint_picture(Adviser(thinker), at(felt)))
        await begun(thinker)
        felt.happen("molodka 2 6c7c8cQc")
        thinker.ready.set()
        assert await hint is None

    run(scene())


def test_only_on_ones_own_turn() -> None:
    thinker = Thinker()

    async def scene() -> None:
        # Seat 2 may claim out of turn, but no choice is awaited from it.
        for felt in (Felt(dealt(), seat=1), Felt(dealt(), seat=2)):
            with pytest.raises(WishRefused, match="it is not your turn"):
                await Adviser(thinker).advise(at(felt))
        felt = Felt(dealt())
        felt.ready = False
        with pytest.raises(WishRefused, match="it is not your turn"):
            await Adviser(thinker).advise(at(felt))

    run(scene())
    assert thinker.shown == []


def test_one_thought_at_a_time_even_if_nobody_waits_for_it_any_more() -> None:
    thinker, felt = Thinker(), Felt(dealt())

    async def scene() -> None:
        adviser = Adviser(thinker)
        thinker.ready.clear()
        first = asyncio.create_task(adviser.advise(at(felt)))
        await begun(thinker)
        with pytest.raises(WishRefused, match="thought out already"):
            await adviser.advise(at(felt))
        first.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await first
        with pytest.raises(WishRefused, match="thought out already"):
            await adviser.advise(at(felt))
        assert len(thinker.shown) == 1
        thinker.ready.set()
        while True:
            try:
                assert await adviser.advise(at(felt)) is not None
            except WishRefused:
                await asyncio.sleep(0)  # The thread has not ended yet.
            else:
                break
        assert len(thinker.shown) == 2

    run(scene())


def broken(_view: State, _seat: Seat, _legal: Sequence[Play]) -> Sequence[Considered]:
    raise ZeroDivisionError("division by zero")


def silent(_view: State, _seat: Seat, _legal: Sequence[Play]) -> Sequence[Considered]:
    return []


def lawless(_view: State, seat: Seat, legal: Sequence[Play]) -> Sequence[Considered]:
    return [Considered(replace(legal[0], seat=(seat + 1) % 4), 0.0, 0.0, 60.0, 0.5, 1)]


@pytest.mark.parametrize("consider", [broken, silent, lawless])
def test_a_bot_that_fails_is_no_hint_and_no_crash(consider: Any) -> None:
    with pytest.raises(BotFailed, match="There is no hint, since the bot that thinks about it failed: "):
        run(Adviser(consider).advise(at(Felt(dealt()))))


# At a page


@contextlib.asynccontextmanager
async def own_turn(folder: Path, thinker: Thinker) -> AsyncIterator[tuple[Tab, Any]]:
    """A tab at a match against bots, at the moment when its person is to play: then nothing moves."""
    async with open_page(folder, settings=replace(SETTINGS, consider=thinker)) as page, page.tab() as tab:
        await tab.until("hall")
        refused = await tab.ask("hint")
        assert refused is not None
        assert refused["words"] == "No match has begun yet."
        await tab.ask("host", bots=3)
        while True:
            table = await tab.until("table")
            if table["turn"] == table["seat"] and table["legal"]:
                yield tab, table
                return
            await tab.next()


def test_a_page_is_told_what_to_play_and_nothing_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PAUSE_VARIABLE, "0")
    thinker = Thinker()

    async def scene() -> None:
        async with own_turn(tmp_path, thinker) as (tab, table):
            hint = await tab.told("hint")
            assert {"kind": hint["kind"], "cards": hint["cards"]} == table["legal"][0]
            assert hint["sentence"].endswith(".")
            assert (await tab.until("table"))["hands"] == table["hands"]

    run(scene())
    ((view, seat),) = thinker.shown
    assert (view.phase, turn(view)) == (Phase.PLAYING, seat)
    assert [bool(holding(view, other).unknown) for other in range(4)] == [other != seat for other in range(4)]


def test_a_page_that_asks_twice_is_refused_once_and_a_play_comes_before_the_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PAUSE_VARIABLE, "0")
    thinker = Thinker()

    async def scene() -> None:
        async with own_turn(tmp_path, thinker) as (tab, table):
            thinker.ready.clear()
            await tab.say('{"id": 100, "do": "hint"}')
            await begun(thinker)
            refused = await tab.ask("hint")
            assert refused is not None
            assert refused["words"] == "The hint is being thought out already."
            assert await tab.ask("play", **table["legal"][0]) is None
            assert 100 not in tab.answers
            thinker.ready.set()
            while 100 not in tab.answers:
                await tab.next()
            assert (tab.answers[100], tab.values[100]) == (None, None)

    run(scene())
