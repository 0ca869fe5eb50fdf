"""The time before a match at a page: who has come, how others get here, and the word to begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from engine import SEATS, Seat
from node.errors import WishRefused
from node.i18n import tr
from node.lobby.table_link import TableLink
from node.network.addresses import format_host_port
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.web.picture import Json
from node.web.qr import qr_rows
from node.web.wishes import Wish
from node.words.continuing import owners

__all__ = ["Gathering"]


class Gathering:
    """A table that waits for players: a guest's, or a host's with bots to bring and the `link` to it.

    `bring` brings a bot of some level, `levels` tells by name how strong those are that were brought.
    `story` is what is to be known of a match that goes on here (§7.13).
    """

    def __init__(
        self,
        table: Host | Guest,
        *,
        bring: Callable[[str], None] | None = None,
        levels: Mapping[str, str] = MappingProxyType({}),
        link: Callable[[], TableLink] | None = None,
        story: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._table = table
        self._bring = bring
        self._levels = levels
        self._link = link
        self._story = story

    @property
    def invitation(self) -> Json | None:
        """What brings somebody on this computer here; None unless a seat is free at an own table."""
        if self._link is None or not isinstance(self._table, Host) or not self._table.free_seats():
            return None
        return {"name": self._table.table_name, "free": self._table.free_seats(), "where": str(self._link())}

    def picture(self) -> Json:
        """What the page draws."""
        table = self._table
        link = self._link() if self._link is not None else None
        return {
            "table": table.table_name,
            "seats": list(table.seats),
            "levels": self._levels_by_seat(),
            "hosting": isinstance(table, Host),
            "seat": table.seat,
            "hostSeat": table.seat if isinstance(table, Host) else table.host_seat,
            "wishes": self._wishes(),
            "story": list(self._story()),
            "keptFor": self._owners(),
            "bots": isinstance(table, Host) and self._room() > 0,
            "held": isinstance(table, Host) and table.held,
            "code": link and link.code,
            "link": link and str(link),
            "addresses": [format_host_port(*place) for place in link.places] if link else [],
            "qr": qr_rows(str(link)) if link else None,
        }

    def _wishes(self) -> list[Seat | None]:
        """By seat, which other one its guest would like: of all for the host, of oneself for a guest."""
        table = self._table
        if isinstance(table, Host):
            return list(table.wishes)
        return [table.wish if seat == table.seat else None for seat in SEATS]

    def _owners(self) -> list[str | None]:
        """Whose seats they are, where a match goes on."""
        going_on = self._table.going_on
        return [None] * len(SEATS) if going_on is None else [*owners(going_on)]

    def _room(self) -> int:
        """How many bots more can be brought. Those that were brought and are still on their way count."""
        table, kept = self._table, self._owners()
        if not isinstance(table, Host):
            return 0
        coming = sum(name not in table.seats and name not in kept for name in self._levels)
        return table.seats_for_new() - coming

    def _levels_by_seat(self) -> list[str | None]:
        """How strong the own bots are; None for people and free seats, and where two have the same name."""
        names = self._table.seats
        return [
            self._levels.get(name) if name is not None and names.count(name) == 1 else None for name in names
        ]

    def act(self, wish: Wish) -> None:
        """Bring a bot, change seats, or begin; a guest can ask for a seat. Raises WishRefused."""
        table = self._table
        if isinstance(table, Guest) and wish.kind == "wish":
            self._ask_for(table, wish.seat("seat"))
            return
        if not isinstance(table, Host) or self._bring is None:
            raise WishRefused(tr("Only the host can do that."))
        match wish.kind:
            case "bot":
                if self._room() <= 0:
                    raise WishRefused(tr("All seats are taken."))
                self._bring(wish.level())
            case "swap":
                table.swap(wish.seat("one"), wish.seat("other"))
            case "begin":
                if table.free_seats():
                    raise WishRefused(tr("Some seats are still free."))
                table.begin()
            case _:
                raise WishRefused(tr("That is not possible at this moment."))

    def _ask_for(self, guest: Guest, seat: Seat) -> None:
        """Ask for a seat; for the own one, or the same again: be content."""
        if guest.going_on is not None:
            raise WishRefused(tr("In a match that goes on everybody keeps the own seat."))
        guest.ask_for(None if seat in (guest.seat, guest.wish) else seat)
