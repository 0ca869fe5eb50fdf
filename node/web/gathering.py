"""The time before a match at a page: who has come, how others get here, and the word to begin."""

from __future__ import annotations

from collections.abc import Callable

from node.errors import WishRefused
from node.i18n import tr
from node.lobby.table_link import TableLink
from node.network.addresses import format_host_port
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.web.picture import Json
from node.web.qr import qr_rows
from node.web.wishes import Wish

__all__ = ["Gathering"]


class Gathering:
    """A table that waits for players: a guest's, or a host's with `bots` to bring and the `link` to it."""

    def __init__(
        self,
        table: Host | Guest,
        *,
        bots: Callable[[int], None] | None = None,
        link: Callable[[], TableLink] | None = None,
    ) -> None:
        self._table = table
        self._bots = bots
        self._link = link

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
            "hosting": isinstance(table, Host),
            "seat": table.seat if isinstance(table, Host) else None,
            "held": isinstance(table, Host) and table.held,
            "code": link and link.code,
            "link": link and str(link),
            "addresses": [format_host_port(*place) for place in link.places] if link else [],
            "qr": qr_rows(str(link)) if link else None,
        }

    def act(self, wish: Wish) -> None:
        """Bring a bot, change seats, or begin; raises WishRefused."""
        table = self._table
        if not isinstance(table, Host) or self._bots is None:
            raise WishRefused(tr("Only the host can do that."))
        match wish.kind:
            case "bot":
                if not table.free_seats():
                    raise WishRefused(tr("All seats are taken."))
                self._bots(1)
            case "swap":
                table.swap(wish.seat("one"), wish.seat("other"))
            case "begin":
                if table.free_seats():
                    raise WishRefused(tr("Some seats are still free."))
                table.begin()
            case _:
                raise WishRefused(tr("That is not possible at this moment."))
