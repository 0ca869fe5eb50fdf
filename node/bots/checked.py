"""Asking a bot for its play, and not taking its word for it."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

from engine import Play, Seat, State
from node.bots.bot import Bot
from node.errors import BotFailed
from node.i18n import tr

__all__ = ["checked_choice", "failure_of"]


def checked_choice(bot: Bot, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
    """What the bot chooses of the legal plays; raises BotFailed if it fails or chooses something else."""
    allowed = tuple(legal)
    try:
        play = bot.choose(view, seat, allowed)
        is_legal = play in allowed
    except Exception as error:
        raise failure_of(type(bot).__name__, error) from error
    if not is_legal:
        raise _failed(type(bot).__name__, tr("it chose what is not allowed: {play}", play=repr(play)))
    return play


def failure_of(name: str, error: Exception) -> BotFailed:
    """What is said of a bot that raised this error: what it is, and the line of the bot that it came from."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return _failed(name, f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})")


def _failed(name: str, reason: str) -> BotFailed:
    return BotFailed(tr("The bot {name} failed: {reason}", name=name, reason=reason))
