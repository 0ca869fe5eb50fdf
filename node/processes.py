"""Work on all cores: a function for each of many things, in processes of its own, results in order."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Final, TypeVar

from node.i18n import language, set_language

__all__ = ["available_cores", "in_order"]

Thing = TypeVar("Thing")
Result = TypeVar("Result")

_AHEAD: Final = 4
"""How many things wait for each process: enough that none is ever idle."""


def available_cores() -> int:
    """How many processes can really run at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
    work: Callable[[Thing], Result], things: Iterable[Thing], *, jobs: int
) -> Generator[Result, None, None]:
    """What `work` makes of each thing, in their order, by so many processes; close it when it is enough.

    `work` can be pickled. The processes speak the language of this one, do not hear Ctrl+C, and end with it.
    Raises what `work` raises, and BrokenProcessPool when a process ends by itself.
    """
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        jobs,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin_process,
        initargs=(language(),),
    )
    rest = iter(things)
    waiting: deque[Future[Result]] = deque()
    try:
        with _deaf_children():
            for thing in itertools.islice(rest, _AHEAD * jobs):
                waiting.append(pool.submit(work, thing))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, thing) for thing in itertools.islice(rest, 1))
    finally:
        if waiting:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that do not hear Ctrl+C, which a terminal sends to all: this one ends them.

    One that is only just starting would answer with a traceback. What is pressed meanwhile is heard later.
    Windows has no such mask.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_process(spoken: str) -> None:
    set_language(spoken)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Processes whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
