"""The ways back to peers on the connections that they have made: routing ids of the ROUTER, by proven key."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Routes"]

_ROUTES_PER_PEER = 4


class Routes:
    """Peers are named by their CURVE public key. Several connections may carry the same one."""

    def __init__(self) -> None:
        self._known: dict[bytes, list[bytes]] = {}

    def of(self, peer: bytes) -> Sequence[bytes]:
        """The routing ids of a peer's connections, the one that it has used last at the end."""
        return tuple(self._known.get(peer, ()))

    def learn(self, peer: bytes, routing_id: bytes) -> bool:
        """Remember the connection on which a frame has come; False if that one was the last already."""
        if len(routing_id) != 5 or routing_id[0] != 0:
            return False  # Chosen by the peer, hence open to another after it: nothing is sent there.
        routes = self._known.setdefault(peer, [])
        if routes[-1:] == [routing_id]:
            return False
        routes[:] = [known for known in routes if known != routing_id][1 - _ROUTES_PER_PEER :]
        routes.append(routing_id)
        return True

    def drop(self, peer: bytes, routing_id: bytes) -> None:
        """Forget a connection that is gone."""
        routes = self._known.get(peer, [])
        if routing_id in routes:
            routes.remove(routing_id)

    def forget(self, peer: bytes) -> None:
        """Forget all connections of a peer."""
        self._known.pop(peer, None)
