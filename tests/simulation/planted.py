"""Three bugs that a node must not have, planted so that the simulator can show that it finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from engine import Play, Seat
from protocol import table
from protocol.effects import Effect, Persist
from protocol.events import Ref, SignedEvent
from protocol.facts import Loss
from protocol.replica import Replica
from protocol.table import Table
from tests.protocol.tables import Setup
from tests.simulation import nodes


class HastyTable(Table):
    """Sends before it persists: a crash between the two makes an honest player an equivocator."""

    def start(self) -> list[Effect]:
        """Like the real one, in the wrong order."""
        return _sends_first(super().start())

    def receive(self, peer: bytes, frame: bytes) -> list[Effect]:
        """Like the real one, in the wrong order."""
        return _sends_first(super().receive(peer, frame))

    def play(self, action: Play) -> list[Effect]:
        """Like the real one, in the wrong order."""
        return _sends_first(super().play(action))

    def work(self) -> list[Effect]:
        """Like the real one, in the wrong order."""
        return _sends_first(super().work())


def _sends_first(effects: Iterable[Effect]) -> list[Effect]:
    return sorted(effects, key=lambda effect: isinstance(effect, Persist))


def hasty_table(setup: Setup, seat: Seat) -> Table:
    """The table of a seat with the bug."""
    return HastyTable(setup.genesis, seat, setup.identities[seat], setup.secrets[seat])


class CountingReplica(Replica):
    """Tells how many events it has, not which: an equivocator splits the table unnoticed."""

    def have_frame(self) -> bytes:
        """Numbers without hashes."""
        heads = [ref and Ref(ref.seq, bytes(32)) for ref in self.log.heads()]
        with patch.object(self.log, "heads", lambda: tuple(heads)):
            return super().have_frame()

    def _lacking(self, theirs: tuple[Ref | None, ...]) -> list[tuple[bytes, SignedEvent]]:
        """What the peer has not got, by number alone."""
        blind = [ref and self._ours(seat, ref.seq) for seat, ref in enumerate(theirs)]
        return super()._lacking(tuple(blind))

    def _ours(self, seat: Seat, seq: int) -> Ref:
        known = seq < self.log.length(seat)
        return Ref(seq, self.log.entry(seat, seq).id if known else bytes(32))


@contextmanager
def without_head_hashes() -> Iterator[None]:
    """All nodes made inside exchange numbers only."""
    with patch.object(table, "Replica", CountingReplica), patch.object(nodes, "Replica", CountingReplica):
        yield


@contextmanager
def without_a_cut() -> Iterator[None]:
    """All that a lost seat has signed counts for those who happened to know it, however late it came."""
    with patch.object(Loss, "keeps", lambda *_: True):
        yield
