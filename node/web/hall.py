"""Before a table: what can be joined, what was broken off, and the choice of where to go."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from engine import Options
from node.errors import DiscoveryUnavailable, WishRefused
from node.i18n import tr
from node.lobby.table_link import is_link, parse_link
from node.names import clean_line
from node.network.addresses import format_host_port, parse_host_port
from node.network.discovery import Interfaces, TableAd, browse
from node.node import Node
from node.seating.door import Way
from node.seating.returning import newest_first, unfinished
from node.seating.ways import Choice as Listed
from node.seating.ways import asked, found, host_at
from node.storage.known import known_players
from node.storage.recent import RecentTables
from node.storage.store import StoredMatch
from node.web.picture import Json
from node.web.wishes import Viewing, Wish
from protocol.genesis import decode_genesis

__all__ = ["Choice", "Hall", "Hosting", "Joining", "LookingOn", "Reopening", "Resuming"]

_BROWSE_SECONDS: Final = 2.5
_REST_SECONDS: Final = 3.0
_MAX_TABLE_NAME: Final = 24
_MAX_LISTED: Final = 12


@dataclass(frozen=True, slots=True)
class Hosting:
    """Open a table, to which so many `bots` come, as strong as `level` says; `viewing` is who may watch.

    `alone`: nobody else is expected, and nothing listens on the network.
    """

    table: str
    options: Options
    grace: int
    bots: int
    level: str
    viewing: Viewing

    @property
    def alone(self) -> bool:
        """Whether only bots will come."""
        return self.bots == 3


@dataclass(frozen=True, slots=True)
class Joining:
    """Sit down at a table; without a code as a player whom its host knows."""

    way: Way
    code: str | None


@dataclass(frozen=True, slots=True)
class LookingOn:
    """Watch a table without a seat (§9.10)."""

    way: Way
    code: str


@dataclass(frozen=True, slots=True)
class Resuming:
    """Go back to a match that was broken off, by its id (hexadecimal)."""

    match: str


@dataclass(frozen=True, slots=True)
class Reopening:
    """Open the table of such a match again: whoever comes takes the seat of who does not come back.

    `bots` of this `level` come at once, at most one.
    """

    match: str
    bots: int
    level: str
    viewing: Viewing


Choice: TypeAlias = Hosting | Joining | LookingOn | Resuming | Reopening
"""Where to go from the hall."""


@dataclass(slots=True)
class _Heard:
    """What is known of the tables around."""

    choices: list[Listed] = field(default_factory=list)
    looked: bool = False
    trouble: str | None = None


class Hall:
    """Looks around again and again until the page has chosen. `changed`: there is something new to draw."""

    def __init__(
        self,
        node: Node,
        interfaces: Interfaces | None,
        changed: Callable[[], None],
        invitations: Callable[[], list[Json]],
    ) -> None:
        """`interfaces` None: nothing is looked for on the network. `invitations` come from this computer."""
        self._invitations = invitations
        self._interfaces = interfaces
        self._changed = changed
        self._recent = RecentTables(node.profile.path)
        matches = node.store.matches()
        self._known = known_players(matches)
        self._open_matches = unfinished(node.store)[:_MAX_LISTED]
        self._finished = [one for one in newest_first(node.store) if one.finished][:_MAX_LISTED]
        self._heard = _Heard()
        self._choice: asyncio.Future[Choice] = asyncio.get_running_loop().create_future()

    async def choice(self) -> Choice:
        """Wait for what the page wants."""
        looking = asyncio.create_task(self._look_around())
        try:
            return await self._choice
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)

    def picture(self) -> Json:
        """What the page draws."""
        return {
            "invitations": self._invitations(),
            "looked": self._heard.looked,
            "trouble": self._heard.trouble,
            "tables": [_table(number, one) for number, one in enumerate(self._heard.choices)],
            "openMatches": [_broken_off(match) for match in self._open_matches],
            "finished": [_kept(match) for match in self._finished],
        }

    def act(self, wish: Wish) -> None:
        """Take the choice; raises NodeError where something is wrong with it."""
        match wish.kind:
            case "host":
                name = clean_line(wish.text("table", ""), _MAX_TABLE_NAME)
                bots, level, viewing = wish.bots(), wish.level(), wish.watching()
                self._choose(Hosting(name, wish.options(), wish.grace(), bots, level, viewing))
            case "join":
                self._choose(self._joining(wish))
            case "watch":
                self._choose(self._looking_on(wish))
            case "resume":
                self._choose(Resuming(wish.text("match")))
            case "go-on":
                bots, level, viewing = wish.whole("bots", 0, range(2)), wish.level(), wish.watching()
                self._choose(Reopening(wish.text("match"), bots, level, viewing))
            case _:
                raise WishRefused(tr("That is not possible at this moment."))

    def _choose(self, choice: Choice) -> None:
        if not self._choice.done():
            self._choice.set_result(choice)

    def _joining(self, wish: Wish) -> Joining:
        way, code = self._way(wish)
        if code is None and way.host is None:
            raise _code_needed()
        return Joining(way, code)

    def _looking_on(self, wish: Wish) -> LookingOn:
        way, code = self._way(wish)
        if code is None:  # Who watches is known to nobody: its keys are made for this visit.
            raise _code_needed()
        return LookingOn(way, code)

    def _way(self, wish: Wish) -> tuple[Way, str | None]:
        """Where the page wants to go, and the code if there is one; raises NodeError."""
        code = "".join(char for char in wish.text("code", "") if char.isdigit()) or None
        where = wish.text("where").strip()
        if is_link(where):
            link = parse_link(where)
            return Way(link.places, link.table_id), code or link.code
        listed = next((one.way for one in self._heard.choices if _key(one) == where), None)
        if listed is None:
            address = parse_host_port(where)
            listed = Way((address,), host=host_at(address, self._recent.read(), self._known))
        return listed, code

    async def _look_around(self) -> None:
        while True:
            ads, answers = await asyncio.gather(
                self._ads(), asyncio.gather(*(asked(one, self._known) for one in self._recent.read()))
            )
            announced = {ad.fingerprint for ad in ads}
            recent = [one for one in answers if one.fingerprint not in announced]
            self._heard.choices = [*(found(ad, self._known) for ad in ads), *recent]
            self._heard.looked = True
            self._changed()
            await asyncio.sleep(_REST_SECONDS)

    async def _ads(self) -> list[TableAd]:
        if self._interfaces is None:
            return []
        try:
            ads = await browse(self._interfaces, _BROWSE_SECONDS)
        except DiscoveryUnavailable as error:
            self._heard.trouble = str(error)
            return []
        self._heard.trouble = None
        return ads


def _code_needed() -> WishRefused:
    return WishRefused(tr("Type the code that the host's screen shows."), "code-needed")


def _key(choice: Listed) -> str:
    """How the page names a listed table: by where it is."""
    return format_host_port(*choice.way.addresses[0])


def _table(number: int, choice: Listed) -> Json:
    return {
        "number": number,
        "where": _key(choice),
        "name": choice.name,
        "host": choice.host_name,
        "free": choice.free,
        "recent": None if choice.recent is None else choice.recent.played,
        "known": choice.way.host is not None,
        "playing": choice.playing,
    }


def _broken_off(match: StoredMatch) -> Json:
    """`goesOn`: a deal was finished (or nothing is noted), so that somebody else can take a seat (§7.13).

    Only the log tells whether another one is under way, which has to be played to its end first.
    """
    noted = json.loads(match.summary or "{}").get("deals")
    return {**_kept(match), "goesOn": noted != 0 or decode_genesis(match.genesis).standing is not None}


def _kept(match: StoredMatch) -> Json:
    told: dict[str, Any] = json.loads(match.summary or "{}")
    return {
        "match": match.match_id.hex(),
        "players": told.get("players", []),
        "seat": match.seat,
        "score": told.get("score", [0, 0]),
        "deals": told.get("deals", 0),
        "begun": match.created,
    }
