"""From the name of a bot to its class: our own, those that other packages bring, and `module:Class`."""

from __future__ import annotations

import importlib
import random
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from node.bots.bot import THINK_SECONDS, Bot
from node.bots.easy import EasyBot
from node.bots.hard import HardBot
from node.bots.medium import MediumBot
from node.bots.simple import RandomBot
from node.errors import BotNotFound, BotUnusable
from node.i18n import tr

__all__ = ["BOTS", "ENTRY_POINTS", "bot_class", "make_bot"]

BOTS: Final[dict[str, type[Bot]]] = {
    "random": RandomBot,
    "easy": EasyBot,
    "medium": MediumBot,
    "hard": HardBot,
}
"""Our own bots, from the weakest to the strongest."""

ENTRY_POINTS: Final = "kozel.bots"
"""The group of entry points under which a package can offer bots by name."""


def make_bot(name: str, rng: random.Random, seconds: float = THINK_SECONDS) -> Bot:
    """The bot of that name for one seat; raises BotNotFound or BotUnusable."""
    try:
        return bot_class(name)(rng, seconds)
    except (BotNotFound, BotUnusable):
        raise
    except Exception as error:
        raise _unusable(name, f"{type(error).__name__}: {error}") from error


def bot_class(name: str) -> type[Bot]:
    """The class behind a name: one of :data:`BOTS`, an entry point, or a class written as `module:Class`.

    Such a module is also looked for in the folder in which the program was started. Raises BotNotFound or
    BotUnusable.
    """
    if name in BOTS:
        return BOTS[name]
    offered = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if name in offered:
        return _load(offered[name], name)
    module, _, attribute = name.partition(":")
    if not (module and attribute):
        names = ", ".join((*BOTS, *sorted(offered)))
        raise BotNotFound(
            tr("There is no bot “{name}”. There are: {names}; or write module:Class.", name=name, names=names)
        )
    return _load(EntryPoint(name, f"{module}:{attribute}", ENTRY_POINTS), name)


def _load(point: EntryPoint, name: str) -> type[Bot]:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # Last, so that no file lying here takes the place of a module of ours.
    importlib.invalidate_caches()
    try:
        found = point.load()
    except Exception as error:
        raise _unusable(name, f"{type(error).__name__}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise _unusable(name, tr("it is not a class derived from node.bots.Bot"))
    return found


def _unusable(name: str, reason: str) -> BotUnusable:
    return BotUnusable(tr("The bot “{name}” cannot be used: {reason}.", name=name, reason=reason))
