"""What the command line asks of a visit to a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from zeroconf import InterfaceChoice

from engine import Options
from node.bots import bot_class
from node.lobby.table_link import TableLink
from node.network.discovery import Interfaces
from node.seating.bot_seats import bot_pause
from protocol.limits import DEFAULT_GRACE, MAX_SPECTATORS

__all__ = ["PERSON", "TableSettings"]

PERSON = "person"


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What the command line asks for.

    `play_as` is "person" or the name of a bot, `bots` the number of seats that bots fill and `bot_kind`
    their name; None: those that come back are what they were, others are medium. `table` names the table;
    a guest may give an `address` or a `link` instead. `code` is the table's. `port` is where guests
    connect: 0 any free one, None the usual one if it is free.
    `grace` is how many seconds a silent player is waited for before the others are asked (§7.12).
    `watchers` is how many people may watch, who see everything `watch_delay` seconds later.
    `matches` None: as many as a person wants, one for a bot in the own seat. `listen` and `interfaces` say
    on which addresses to be found.
    """

    profile: Path
    name: str | None = None
    play_as: str = PERSON
    bots: int = 0
    bot_kind: str | None = None
    table: str | None = None
    options: Options = field(default_factory=Options)
    grace: int = DEFAULT_GRACE
    port: int | None = None
    address: tuple[str, int] | None = None
    link: TableLink | None = None
    code: str | None = None
    watchers: int = MAX_SPECTATORS
    watch_delay: float = 0.0
    matches: int | None = None
    listen: str = "*"
    interfaces: Interfaces = InterfaceChoice.All

    def __post_init__(self) -> None:
        """Raise BotNotFound or BotUnusable before anybody sits down with a bot that cannot play."""
        for kind in (self.play_as, self.bot_kind):
            if kind is not None and kind != PERSON:
                bot_class(kind)

    @property
    def pause(self) -> float:
        """How long bots wait before they play: not at all where nobody watches."""
        return bot_pause(beside_people=self.play_as == PERSON or self.bots < 3)
