"""Advice for a person: what a strong bot makes of each play, thought out beside the node's own work."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from engine import Play, Seat, State, turn
from node.bots.advice import Considered
from node.bots.bot import THINK_SECONDS
from node.bots.hard import HardBot
from node.errors import BotFailed, WishRefused
from node.i18n import tr
from node.live import LiveTable

__all__ = ["Advice", "Adviser", "Consider", "by_hard_bot", "considered_plays"]

Consider: TypeAlias = Callable[[State, Seat, Sequence[Play]], Sequence[Considered]]
"""From a seat's view and its legal plays to what comes of them, the best first. Called in a thread."""


def by_hard_bot(
    view: State, seat: Seat, legal: Sequence[Play], seconds: float = THINK_SECONDS
) -> Sequence[Considered]:
    """What the strongest bot makes of the plays in so many seconds."""
    return HardBot(random.SystemRandom(), seconds).consider(view, seat, legal)


def considered_plays(
    consider: Consider, view: State, seat: Seat, legal: Sequence[Play]
) -> tuple[Considered, ...]:
    """Let `consider` do its work; raises BotFailed where it fails or names what is not allowed."""
    try:
        found = tuple(consider(view, seat, legal))
    except Exception as error:
        raise _failed(f"{type(error).__name__}: {error}") from error
    strange = next((one.play for one in found if one.play not in legal), None)
    if strange is not None or not found:
        raise _failed(tr("it chose what is not allowed: {play}", play=repr(strange)))
    return found


def _failed(reason: str) -> BotFailed:
    return BotFailed(
        tr("There is no hint, since the bot that thinks about it failed: {reason}", reason=reason)
    )


@dataclass(frozen=True, slots=True)
class Advice:
    """What `seat`, which sees `view`, may play, and what comes of it; the best first, and at least one."""

    view: State
    seat: Seat
    considered: tuple[Considered, ...]

    @property
    def best(self) -> Play:
        """What is advised."""
        return self.considered[0].play


class Adviser:
    """Advises one person. It thinks in a thread, about one choice at a time."""

    def __init__(self, consider: Consider = by_hard_bot) -> None:
        self._consider = consider
        self._thought: asyncio.Future[tuple[Considered, ...]] | None = None

    async def advise(self, live: LiveTable) -> Advice | None:
        """Advice on the choice that is due now; None where the table has changed before it was ready.

        From the seat's own view alone. Raises WishRefused where no choice is due or one is being thought
        about, and BotFailed.
        """
        view, seat, legal = live.state, live.seat, live.legal()
        if turn(view) != seat or not legal:
            raise WishRefused(tr("There is nothing to choose now: it is not your turn."))
        if self._thought is not None and not self._thought.done():
            raise WishRefused(tr("The hint is being thought out already."))
        work = partial(considered_plays, self._consider, view, seat, legal)
        self._thought = asyncio.ensure_future(asyncio.to_thread(work))
        self._thought.add_done_callback(_seen)
        # A thread cannot be stopped: whoever waits no longer leaves it to end by itself.
        considered = await asyncio.shield(self._thought)
        if live.state != view or live.legal() != legal:
            return None
        return Advice(view, seat, considered)


def _seen(thought: asyncio.Future[tuple[Considered, ...]]) -> None:
    """What nobody waits for any more may fail unheard."""
    if not thought.cancelled():
        thought.exception()
