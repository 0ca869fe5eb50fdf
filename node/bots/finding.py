"""From the name of a bot to its class: our own, those that other packages bring, and `module:Class`."""

from __future__ import annotations

import importlib
import pkgutil
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from node.bots.bot import THINK_SECONDS, Bot
from node.errors import BotNotFound, BotUnusable
from node.i18n import tr

__all__ = ["BOTS", "ENTRY_POINTS", "bot_class", "make_bot"]

BOTS: Final = {
    "random": "node.bots.simple:RandomBot",
    "easy": "node.bots.easy:EasyBot",
    "medium": "node.bots.medium:MediumBot",
    "hard": "node.bots.hard:HardBot",
}
"""Our own bots, from the weakest to the strongest: not classes, for most commands only need the names."""

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
        return _load(partial(pkgutil.resolve_name, BOTS[name]), name)
    from importlib.metadata import entry_points  # Takes as long to import as all of our own bots.

    offered = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if name in offered:
        return _load(offered[name].load, name)
    module, _, attribute = name.partition(":")
    if not (module and attribute):
        names = ", ".join((*BOTS, *sorted(offered)))
        raise BotNotFound(
            tr("There is no bot “{name}”. There are: {names}; or write module:Class.", name=name, names=names)
        )
    return _load(partial(pkgutil.resolve_name, name), name)


def _load(load: Callable[[], object], name: str) -> type[Bot]:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # Last, so that no file lying here takes the place of a module of ours.
    importlib.invalidate_caches()
    try:
        found = load()
    except Exception as error:
        raise _unusable(name, f"{type(error).__name__}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise _unusable(name, tr("it is not a class derived from node.bots.Bot"))
    return found


def _unusable(name: str, reason: str) -> BotUnusable:
    return BotUnusable(tr("The bot “{name}” cannot be used: {reason}.", name=name, reason=reason))
