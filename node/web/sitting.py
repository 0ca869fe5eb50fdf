"""The person at a page as a player: what the page wants is played, and a bot plays while it is asked to."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Final

from engine import Beat, Cards, Discard, Lead, Molodka, Play, Seat, turn
from node.bots import make_bot
from node.errors import WishRefused
from node.i18n import tr
from node.live import LiveTable
from node.seating.absence import Absences
from node.seating.going_on import GoingOn
from node.seating.phrases import PHRASES
from node.seating.players import chosen_by
from node.web.picture import Json, table_picture
from node.web.saying import Sayings
from node.web.wishes import Wish
from node.words.continuing import changed_line
from node.words.refusals import refusal_sentence
from node.words.wording import Wording, distinct
from protocol.errors import PlayRefused

__all__ = ["Sitting"]

_GLANCE_SECONDS: Final = 1.0
"""How often it is looked who is missing, while nothing happens."""
_STAND_IN: Final = "medium"


class Sitting:
    """Plays match after match at one table. `changed` is called when there is something new to draw."""

    def __init__(
        self,
        changed: Callable[[], None],
        say: Callable[[int], None],
        *,
        pause: float,
        going_on: GoingOn | None = None,
    ) -> None:
        """`say` lets the others hear a phrase. `pause` is how long, in seconds, the bot waits that plays in
        the person's place. The first match may be one that is gone on with (§7.13).
        """
        self._sayings = Sayings(_now, say)
        self.live: LiveTable | None = None
        self._changed = changed
        self._pause = pause
        self._going_on = going_on
        self._absences: Absences | None = None
        self._standing_in = False
        self._bot = make_bot(_STAND_IN, random.SystemRandom())
        self._again: asyncio.Future[bool] | None = None
        self._waits = False

    # What a player does

    async def play(self, live: LiveTable) -> None:
        """Play until the table is finished."""
        self.live, self._absences = live, Absences(live)
        self._waits = False
        watching = asyncio.create_task(self._watch(live))
        try:
            while not live.table.finished:
                self._absences.look(_now())
                self._changed()
                if self._standing_in and self._may_play(live):
                    await asyncio.sleep(self._pause)
                    await self._play_for_person(live)
                await live.change_within(_GLANCE_SECONDS)
        finally:
            watching.cancel()
            self._changed()

    async def wants_another(self) -> bool:
        """Wait until the person says whether to play another match here."""
        self._again = asyncio.get_running_loop().create_future()
        self._changed()
        try:
            self._waits = await self._again
        finally:
            self._again = None
        self._changed()
        return self._waits

    async def _watch(self, live: LiveTable) -> None:
        while True:
            await live.next_change()
            self._changed()

    async def _play_for_person(self, live: LiveTable) -> None:
        if self._standing_in and self._may_play(live):
            play = await chosen_by(self._bot, live)
            # The person may have taken the seat back meanwhile.
            if self._standing_in and play in live.legal():
                live.play(play)

    def _may_play(self, live: LiveTable) -> bool:
        return turn(live.state) == live.seat and bool(live.legal())

    # What the page sees and wants

    def hear(self, seat: Seat, number: int) -> None:
        """Another player has said something."""
        if self._sayings.hear(seat, number):
            self._changed()

    def picture(self) -> Json:
        """What the page draws of the match."""
        live = self.live
        if live is None:
            raise LookupError("no match has begun")
        overdue = () if self._absences is None else self._absences.overdue(_now())
        return {
            **table_picture(live, overdue),
            **self._sayings.picture(),
            "changed": self._change(live),
            "standIn": self._standing_in,
            "askedAgain": self._again is not None,
            "waitsForOthers": self._waits and live.table.finished,
        }

    def _change(self, live: LiveTable) -> list[str]:
        """Who has taken whose seat, until the first deal here is over."""
        going_on, genesis = self._going_on, live.table.genesis
        if going_on is None or genesis.standing is None or live.state.results:
            return []
        return changed_line(going_on, genesis, live.seat)

    def act(self, wish: Wish) -> None:
        """Do what the page wants; raises NodeError with the reason where it cannot be."""
        live = self.live
        if live is None:
            raise WishRefused(tr("No match has begun yet."))
        match wish.kind:
            case "play":
                play = _play(live, wish.text("kind"), wish.cards("cards"))
                self._refusing(live, lambda: live.play(play))
            case "gone":
                seat = wish.seat("seat")
                self._refusing(live, lambda: live.declare_lost(seat))
            case "say":
                self._sayings.say(live.seat, wish.whole("phrase", -1, PHRASES))
            case "stand-in":
                self._standing_in = wish.switch("on")
            case "again" if self._again is not None and not self._again.done():
                self._again.set_result(wish.switch("yes"))
            case _:
                raise WishRefused(tr("That is not possible at this moment."))
        self._changed()

    def _refusing(self, live: LiveTable, act: Callable[[], None]) -> None:
        """Act; why it cannot be is said in words."""
        try:
            act()
        except PlayRefused as refused:
            wording = Wording(distinct(live.names), live.seat).under(live.state)
            raise WishRefused(refusal_sentence(refused, wording), refused.code) from refused


def _play(live: LiveTable, kind: str, cards: Cards) -> Play:
    """The play that is meant; an answer is one to the lead that counts, or to whoever was to lead."""
    trick, seat = live.state.trick, live.seat
    branch = None if trick is None else trick.effective
    on = seat if trick is None else trick.entitled if branch is None else branch.leader
    match kind:
        case "lead":
            return Lead(seat, cards)
        case "molodka":
            return Molodka(seat, cards)
        case "beat":
            return Beat(seat, cards, on)
        case "discard":
            return Discard(seat, len(cards), cards, on)
    raise WishRefused(tr("The page named a play that there is not. Reload it."))


def _now() -> float:
    return asyncio.get_running_loop().time()
