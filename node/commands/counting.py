"""How far the audits have come, on a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from node.i18n import tr

__all__ = ["counting"]


@contextlib.contextmanager
def counting() -> Iterator[Callable[[int], Callable[[], None]]]:
    """Yield what is told how many logs there are, and returns what is told of each that is done.

    Shows a bar on standard error while that is a terminal, and nothing elsewhere.
    """
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        # What is printed meanwhile goes above the bar, but never from a file or pipe to the terminal.
        redirect_stdout=sys.stdout.isatty(),
    ) as bar:

        def begin(total: int) -> Callable[[], None]:
            task = bar.add_task(tr("Checking logs"), total=total)
            return lambda: bar.advance(task)

        yield begin
