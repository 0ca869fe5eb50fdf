"""Where the other players can be reached, so that a table survives restarts and new addresses (§9.6).

Everybody repeats to everybody the addresses that it knows. They are hints: who answers at one must prove
the key of the seat, so a false hint costs an attempt and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.cards import SEATS, Seat
from node.network.addresses import is_loopback, own_addresses
from node.network.link import Link
from node.seating.frames import MAX_ADDRESSES, Address, decode_addresses, encode_addresses
from node.storage.store import Store
from protocol.encoding import Value

__all__ = ["Whereabouts"]


class Whereabouts:
    """The addresses of the seats of one match, kept on disk and dialled."""

    def __init__(self, match_id: bytes, peers: Mapping[Seat, bytes], link: Link, store: Store) -> None:
        """`peers` are the links' names of the other seats, which are let in from now on."""
        self._match_id = match_id
        self._peers = peers
        self._link = link
        self._store = store
        self._known: dict[Seat, tuple[Address, ...]] = {}
        for name in peers.values():
            link.allow(name)
        for seat, addresses in store.addresses(match_id).items():
            self.learn(seat, addresses)

    def learn(self, seat: Seat, addresses: Iterable[Address]) -> None:
        """Add addresses of a seat, the newest first; the seat is dialled at all of them."""
        if seat not in self._peers:
            return
        before = self._known.get(seat, ())
        known = tuple(dict.fromkeys([*addresses, *before]))[:MAX_ADDRESSES]
        if set(known) != set(before):
            self._known[seat] = known
            self._link.connect(self._peers[seat], known)
            self._store.set_addresses(self._match_id, seat, known)

    def frame(self, seat: Seat, listen: str, port: int) -> bytes:
        """What this node knows, its own seat's addresses included."""
        own = own_addresses() if listen == "*" else (listen,)
        # What is this computer's loopback is another's own; it helps where all play on one computer.
        alone = all(map(is_loopback, own))
        entries = {
            one: tuple(address for address in known if alone or not is_loopback(address[0]))
            for one, known in self._known.items()
        }
        entries[seat] = tuple((host, port) for host in own)
        return encode_addresses(self._match_id, [entries.get(one, ()) for one in SEATS])

    def hear(self, peer: bytes, fields: tuple[Value, ...]) -> None:
        """Take in what another seat knows; raises FrameRejected when it breaks the grammar."""
        match_id, seats = decode_addresses(fields)
        if match_id == self._match_id and peer in self._peers.values():
            for seat, addresses in enumerate(seats):
                self.learn(seat, addresses)
