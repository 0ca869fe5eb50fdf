"""The picture of a table in the README: ``python -m tests.pictures`` writes ``docs/table.svg``.

The scene is the end of the first trick of a seeded match in which the reader can beat, and so may
choose between beating and discarding.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from engine import Beat, Options, Phase, State, legal_actions, player_view
from node.terminal.choices import groups_of
from node.terminal.render import decision_lines, seat_lines
from node.terminal.screen import Screen
from node.words.news import news
from node.words.wording import Wording
from tests.engine.strategies import greedy_play, random_match, states_of

PICTURE = Path(__file__).parents[1] / "docs" / "table.svg"
NAMES = ("Anna", "Boris", "Vera", "Gleb")
WIDTH = 76


def scene(seed: int, me: int = 0) -> list[State] | None:
    """What seat `me` sees up to its own answer in the second trick, if it can beat there."""
    states = states_of(Options(), random_match(seed, policy=greedy_play, deals=1))
    views = [player_view(state, me) for state in states if state.phase is not Phase.DRAWING]
    for place, view in enumerate(views):
        if view.trick is not None and len(view.tricks) == 1 and view.trick.turn == me:
            plays = legal_actions(view, me)
            late = view.trick.effective is not None and len(view.trick.effective.answers) == 2
            return views[: place + 1] if late and any(isinstance(play, Beat) for play in plays) else None
    return None


def main() -> None:
    views = next(found for seed in range(1000) if (found := scene(seed)))
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    screen, wording = Screen(console), Wording(NAMES, 0)
    screen.say(*seat_lines(wording))
    before = None
    for view in views:
        screen.say(*news(before, view, wording))
        before = view
    groups = groups_of(views[-1], legal_actions(views[-1], 0))
    screen.say("", *decision_lines(views[-1], groups, wording, WIDTH))
    screen.ask("Your choice (a number, or help): ")
    # Whoever looks at the picture must not be made to fetch fonts from somewhere.
    layout = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    console.save_svg(str(PICTURE), title="kozel play", code_format=layout, unique_id="kozel")


if __name__ == "__main__":
    main()
