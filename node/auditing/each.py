"""Auditing many logs at once, each paired with what came of it, and none read long before its turn."""

from __future__ import annotations

import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from node.errors import AuditFailed
from node.i18n import tr
from node.processes import in_order

__all__ = ["each_of"]

Thing = TypeVar("Thing")
Done = TypeVar("Done")


def each_of(
    things: Iterable[Thing], work: Callable[[Thing], Done], *, jobs: int
) -> Generator[tuple[Thing, Done], None, None]:
    """Yield each thing, in order, with what `work` has made of it; to be closed by whoever stops early.

    Things, results and `work` can be pickled: from the second thing on, `jobs` processes do the work. Raises
    AuditFailed when one of them has died.
    """
    coming = iter(things)
    first = list(itertools.islice(coming, 2))
    everything = itertools.chain(first, coming)
    if jobs < 2 or len(first) < 2:
        yield from ((thing, work(thing)) for thing in everything)
        return
    handed: deque[Thing] = deque()

    def handing() -> Iterator[Thing]:
        for thing in everything:
            handed.append(thing)
            yield thing

    try:
        with contextlib.closing(in_order(work, handing(), jobs=jobs)) as results:
            for result in results:
                yield handed.popleft(), result
    except BrokenProcessPool as error:
        raise AuditFailed(
            tr("A log could not be checked: the process that did it has ended. Try again.")
        ) from error
