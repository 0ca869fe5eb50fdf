"""What hostile frames cost a table in memory, and how long one slice of a frame holds up the loop.

Run: ``python -m tests.benchmarks.bench_hostile``. Frames are random bytes, real frames with bits flipped or
cut short, false reports of what a peer has, and real events out of order. The slices are those of an honest
catch-up from nothing, where the costliest events come together; beside them the check of one shuffle.
"""

from __future__ import annotations

import contextlib
import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random

from protocol.errors import FrameRejected
from protocol.events import Event, SignedEvent
from protocol.limits import MAX_PENDING_EVENTS
from protocol.log import EventLog
from protocol.replica import Replica, in_slices
from tests.protocol.matches import Played, rich

FRAMES = 10_000
_MILESTONES = (100, 1_000, FRAMES)


def main() -> None:
    """Print both figures."""
    match = rich()
    for count, kept in memory(match):
        print(f"after {count:6,} hostile frames: {kept / 1024:6.0f} KiB more than before")
    whole, slices, freed, shuffle = stalls(match)
    print(f"a frame of catching up, whole    {whole:6.1f} ms")
    print(f"the costliest of its slices      {slices:6.1f} ms")
    print(f"a step of what one event frees   {freed:6.1f} ms")
    print(f"one shuffle alone                {shuffle:6.1f} ms (ratio {slices / shuffle:.2f})")


def memory(match: Played) -> Iterator[tuple[int, int]]:
    """How many bytes a table holds more after so many frames."""
    table = match.setup.table(0)
    table.load(event.signed for event in match.events[: len(match.events) // 4])
    table.start()
    rng = Random(1)
    sender = Replica(EventLog(match.setup.genesis))
    later = [event.signed for event in match.events[len(match.events) // 4 :]]
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(1, FRAMES + 1):
        with contextlib.suppress(FrameRejected):
            table.receive(b"a peer", _hostile(rng, sender, later))
        if number in _MILESTONES:
            gc.collect()
            yield number, tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()


def _hostile(rng: Random, sender: Replica, later: list[SignedEvent]) -> bytes:
    kind = rng.randrange(5)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 60_000))
    frame = bytearray(sender.have_frame() if kind == 1 else sender.events_frame(rng.sample(later, 8)))
    if kind in (1, 2):
        for _ in range(4):
            frame[rng.randrange(len(frame))] ^= 1 << rng.randrange(8)
    if kind == 3:
        del frame[rng.randrange(len(frame)) :]
    return bytes(frame)


def stalls(match: Played) -> tuple[float, float, float, float]:
    """Milliseconds: the costliest frame of a catch-up taken whole, its costliest slice; the same for what had
    to wait for an event that was kept back; and one shuffle."""
    ahead = match.setup.table(1)
    ahead.load(event.signed for event in match.events)
    replies = ahead._replica.receive(Replica(EventLog(match.setup.genesis)).have_frame()).replies
    shuffles = Replica(EventLog(match.setup.genesis))
    whole, sliced = match.setup.table(0), match.setup.table(0)
    most_whole = max(_timed(whole.receive, frame) for frame in replies)
    most_sliced = max(_timed(sliced.receive, part) for frame in replies for part in in_slices(frame))
    one = next(event for event in match.events if event.kind == "shuffle")
    alone = match.setup.table(0)
    place = match.events.index(one)
    alone.load(event.signed for event in match.events[:place])
    most_freed = max(_freed(match))
    return most_whole, most_sliced, most_freed, _timed(alone.receive, shuffles.events_frame([one.signed]))


def _freed(match: Played) -> Iterator[float]:
    """The steps in which a table takes in two deals of which it has all but one early event."""
    place = next(place for place, event in enumerate(match.events) if _is_kept_back(event))
    sender, table = Replica(EventLog(match.setup.genesis)), match.setup.table(0)
    table.load(event.signed for event in match.events[:place])
    for event in match.events[place + 1 :][:MAX_PENDING_EVENTS]:
        table.receive(b"a peer", sender.events_frame([event.signed]))
    yield _timed(table.receive, sender.events_frame([match.events[place].signed]))
    while table._replica.ready:
        start = time.perf_counter()
        table.work()
        yield (time.perf_counter() - start) * 1_000


def _is_kept_back(event: Event) -> bool:
    return event.kind == "key" and event.author != 0


def _timed(receive: Callable[[bytes, bytes], object], frame: bytes) -> float:
    start = time.perf_counter()
    receive(b"a peer", frame)
    return (time.perf_counter() - start) * 1_000


if __name__ == "__main__":
    main()
