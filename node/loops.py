"""The event loop that this program runs in, the same kind on every platform."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["run", "to_the_end"]

_T = TypeVar("_T")


def run(main: Coroutine[Any, Any, _T]) -> _T:
    """Run `main` in a selector event loop: pyzmq cannot use the one that is the default on Windows."""
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(main)


async def to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Await work that must not be broken off, such as closing sockets; a cancellation is passed on after it.

    A context of libzmq whose sockets stay open blocks its whole program for ever when it is collected.
    """
    task, cancelled = asyncio.ensure_future(work), None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    task.result()
