"""One person's evening at a page: choose a table, gather, play match after match, and choose again."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable

from node.errors import NodeError, WishRefused
from node.i18n import speaking, tr
from node.live import LiveTable
from node.network.addresses import LOOPBACK
from node.node import Node
from node.seating.advising import Adviser
from node.storage.profile import Profile
from node.storage.store import Store
from node.web.checking import check_match
from node.web.hall import Choice, Hall, LookingOn
from node.web.hinting import hint_picture
from node.web.leaving import PersonLeft
from node.web.picture import Json
from node.web.qr import qr_rows
from node.web.settings import ParlourSettings
from node.web.visiting import Visit
from node.web.watching import Watch
from node.web.wishes import Wish
from protocol.spectator import Spectator

__all__ = ["Parlour"]


class Parlour:
    """Everything behind one page. `changed` is called when the page has something new to draw."""

    def __init__(self, profile: Profile, settings: ParlourSettings, changed: Callable[[], None]) -> None:
        self._profile = profile
        self._settings = settings
        self._changed = changed
        self.language = settings.language
        self._notice: str | None = None
        self._node: Node | None = None
        self._hall: Hall | None = None
        self._visit: Visit | Watch | None = None
        self.neighbours: list[Parlour] = []
        """The other pages of this program, for people who share the computer."""
        self.phone_link: str | None = None
        """The link for other devices on this network, where the page is shared with them."""
        self._adviser = Adviser(settings.consider)

    async def run(self) -> None:
        """Go from table to table, for ever. Raises NodeError where this computer's part cannot go on."""
        while True:
            choice = await self._choose()
            with speaking(self.language):
                try:
                    await self._go(choice)
                except PersonLeft:
                    self._notice = None
                except NodeError as error:
                    self._notice = str(error)
            self._visit = None
            self._changed()

    async def _go(self, choice: Choice) -> None:
        """Go to a table, to play or to watch, until the person leaves or it closes."""
        if isinstance(choice, LookingOn):
            self._visit = watch = Watch(self._profile.name, self._changed)
            await watch.pay(choice)
        else:
            self._visit = visit = Visit(self._profile, self._settings, self._changed, self._open_node)
            await visit.pay(choice)
            self._notice = visit.notice

    @property
    def store(self) -> Store | None:
        """The matches on disk; None for the moment between two tables."""
        return None if self._node is None else self._node.store

    @property
    def live(self) -> LiveTable | None:
        """The match at this table, if one has begun."""
        sitting = self._visit.sitting if isinstance(self._visit, Visit) else None
        return None if sitting is None else sitting.live

    @property
    def watched(self) -> Spectator | None:
        """The match that is watched without a seat, if one is."""
        return self._visit.match if isinstance(self._visit, Watch) else None

    # What the page sees and wants

    def picture(self) -> Json:
        """What the page draws."""
        visit = self._visit
        notice = self._notice if visit is None else visit.notice
        shown: Json = {"me": self._profile.name, "notice": notice, "phone": self._phone()}
        if visit is not None:
            return {**shown, **visit.shown()}
        if self._hall is not None:
            return {**shown, "stage": "hall", "hall": self._hall.picture()}
        return {**shown, "stage": "waiting"}

    def _invitations(self) -> list[Json]:
        """Tables of others on this computer."""
        found = (one.invitation for one in self.neighbours if one is not self)
        return [invitation for invitation in found if invitation is not None]

    @property
    def invitation(self) -> Json | None:
        """The table that is open here, for others on this computer."""
        gathering = self._visit.gathering if isinstance(self._visit, Visit) else None
        invitation = None if gathering is None else gathering.invitation
        return None if invitation is None else {**invitation, "host": self._profile.name}

    def _phone(self) -> Json | None:
        """How a phone on this network opens this page."""
        return None if self.phone_link is None else {"link": self.phone_link, "qr": qr_rows(self.phone_link)}

    async def check(self) -> Json:
        """Audit the match at this table as far as it has come; raises WishRefused."""
        live = self.live
        if live is None:
            raise WishRefused(tr("There is no match to check at this moment."))
        return await check_match(self.store, live.table.match_id)

    async def hint(self) -> Json | None:
        """What to play now and why; None where the table has changed meanwhile. Raises NodeError."""
        live = self.live
        if live is None:
            raise WishRefused(tr("No match has begun yet."))
        return await hint_picture(self._adviser, live)

    def act(self, wish: Wish) -> None:
        """Do what the page wants; raises NodeError with the reason where it cannot be."""
        visit = self._visit
        if visit is not None:
            visit.act(wish)
        elif self._hall is not None:
            self._notice = None
            if wish.kind == "name":
                self._profile.rename(wish.text("name"))
            else:
                self._hall.act(wish)
        else:
            raise WishRefused(tr("That is not possible at this moment."))
        self._changed()

    # Between the tables

    async def _choose(self) -> Choice:
        """Stand in the hall until the page has chosen."""
        async with self._open_node(LOOPBACK) as node:
            self._hall = Hall(node, self._settings.interfaces, self._changed, self._invitations)
            self._changed()
            try:
                return await node.guard(self._hall.choice())
            finally:
                self._hall = None

    @contextlib.asynccontextmanager
    async def _open_node(self, listen: str, port: int = 0) -> AsyncIterator[Node]:
        async with Node(self._profile, host=listen, port=port) as node:
            self._node = node
            try:
                yield node
            finally:
                self._node = None
