"""Four real nodes in one event loop on loopback sockets, one of which cheats."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from pathlib import Path

from engine import Options, Play, Seat, State
from node.bots.simple import RandomBot
from node.live import LiveTable
from node.network.addresses import LOOPBACK
from node.network.link import Link
from node.node import Node
from node.seating.frames import Address
from node.seating.players import BotPlayer
from node.storage.exporting import export_match
from node.storage.keyfiles import link_name
from node.storage.profile import Profile
from protocol.audit import Audit, audit_log
from protocol.genesis import Genesis
from protocol.identity import Identity
from protocol.table import Table
from tests.cheats.crook import Crook, Scheme
from tests.node.gathered import NAMES, open_table, sit_down


class TappedLink(Link):
    """A link that lets its node's owner bend what goes out."""

    tap: Callable[[bytes, bytes], Iterable[bytes]] | None = None

    def send(self, public: bytes, frame: bytes) -> bool:
        """Send what the tap makes of the frame."""
        frames = [frame] if self.tap is None else list(self.tap(public, frame))
        sent = [super(TappedLink, self).send(public, bent) for bent in frames]
        return all(sent)


class TappedNode(Node):
    """A node whose link is tapped: the network's faults for an honest one, the scheme for a crook."""

    link: TappedLink
    crook: Crook | None = None

    def __init__(self, profile: Profile, scheme: Scheme | None) -> None:
        super().__init__(profile, host=LOOPBACK)
        self._scheme = scheme

    def _new_link(self, host: str, port: int) -> TappedLink:
        return TappedLink(self.profile.transport, host=host, port=port, on_status=self._peer_status)

    def begin(
        self, genesis: Genesis, seat: Seat, secret: bytes, addresses: Mapping[Seat, Sequence[Address]]
    ) -> LiveTable:
        """Sit down at a new match, with a crook's table if there is a scheme."""
        if self._scheme is None:
            return super().begin(genesis, seat, secret, addresses)
        self.store.add_match(genesis.match_id, genesis.encode(), seat, secret, time.time())
        crook = Crook(genesis, seat, Identity(self.profile.identity_seed), secret, self._scheme)
        seats = {link_name(member.transport): number for number, member in enumerate(genesis.roster)}
        self.crook = crook
        self.link.tap = lambda peer, frame: crook.on_wire(seats[peer], frame) if peer in seats else [frame]
        return self._sit_down(crook, addresses)


class Company:
    """The four at their tables, and what the honest three have come to."""

    def __init__(self, folder: Path, nodes: Sequence[TappedNode], lives: Sequence[LiveTable]) -> None:
        self._folder = folder
        self.honest = [(node, live) for node, live in zip(nodes, lives, strict=True) if node.crook is None]
        (self.crook,) = (node.crook for node in nodes if node.crook)
        self.apart = True
        """Whether the network is in the halves that the scheme speaks of."""
        for node, live in self.honest:
            node.link.tap = self._torn(live)
        self.playing = [
            asyncio.ensure_future(node.guard(part))
            for node, live in zip(nodes, lives, strict=True)
            for part in (self._player(live).play(live), self._declare(live))
        ]

    async def until(self, condition: Callable[[LiveTable], bool]) -> None:
        """Wait until something holds for each of the honest; fail when one of their nodes does."""
        await asyncio.gather(
            *(node.guard(live.until(lambda live=live: condition(live))) for node, live in self.honest)  # type: ignore[misc]
        )

    async def agreed(self, what: Callable[[Table], object]) -> None:
        """Wait until the honest have the same of something at the same moment."""
        first = self.honest[0][1]
        while any(what(live.table) != what(first.table) for _, live in self.honest):
            await first.next_change()

    async def frames(self, count: int) -> None:
        """Wait until each of the honest has taken in so many more frames."""
        await asyncio.gather(*(self._frames(node, live, count) for node, live in self.honest))

    async def _frames(self, node: Node, live: LiveTable, count: int) -> None:
        for _ in range(count):
            await node.guard(live.next_change())

    def audits(self) -> list[Audit]:
        """The audits of the files that the honest export."""
        return [self._audit(node, live) for node, live in self.honest]

    def _audit(self, node: Node, live: LiveTable) -> Audit:
        stored = node.store.match(live.table.match_id)
        assert stored is not None
        file = export_match(node.store, stored, self._folder / f"{node.profile.name}.kozel")
        with file.open("rb") as log:
            return audit_log(log)

    def _player(self, live: LiveTable) -> BotPlayer:
        crook = self.crook

        class Willing(RandomBot):
            def choose(self, view: State, seat: Seat, legal: Sequence[Play]) -> Play:
                wanted = [play for play in legal if seat == crook.seat and crook.scheme.prefers(play)]
                return super().choose(view, seat, wanted or legal)

        return BotPlayer(Willing(random.Random(live.seat)))

    async def _declare(self, live: LiveTable) -> None:
        """Declare lost whom the scheme has others take for lost, as soon as it can be."""
        scheme, believes = self.crook.scheme, self.crook.scheme.believes(self.crook, live.seat)
        while not live.table.finished:
            lost = scheme.missing
            if believes and lost is not None and lost in live.table.may_declare_lost:
                live.declare_lost(lost)
            await live.next_change()

    def _torn(self, live: LiveTable) -> Callable[[bytes, bytes], Iterable[bytes]]:
        seats = {peer: seat for seat, peer in live.peers.items()}

        def tap(peer: bytes, frame: bytes) -> Iterable[bytes]:
            halves, seat = self.crook.scheme.halves, seats.get(peer)
            across = seat is not None and (seat in halves) != (live.seat in halves)
            return [] if self.apart and halves and across and seat != self.crook.seat else [frame]

        return tap


@contextlib.asynccontextmanager
async def company(folder: Path, scheme: Scheme, seat: Seat, target: int) -> AsyncIterator[Company]:
    """Four nodes at one table, the one at `seat` a crook; all play."""
    async with contextlib.AsyncExitStack() as stack:
        nodes = []
        for number, name in enumerate(NAMES):
            profile = stack.enter_context(Profile.open(folder / name, name=name))
            node = TappedNode(profile, scheme if number == seat else None)
            nodes.append(await stack.enter_async_context(node))
        host, lobby = await stack.enter_async_context(open_table(nodes[0], Options(target=target)))
        guests = [await sit_down(node, lobby.port) for node in nodes[1:]]
        begun = [nodes[0].guard(host.next_match())]
        begun += [node.guard(guest.next_match()) for node, guest in zip(nodes[1:], guests, strict=True)]
        lives = list(await asyncio.gather(*begun))
        four = Company(folder, nodes, lives)
        try:
            yield four
        finally:
            for player in four.playing:
                player.cancel()
            await asyncio.gather(*four.playing, return_exceptions=True)
