"""docs/bots.md is true: its programs run, its examples show what it says, its commands and links exist."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
import os
import random
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer

from engine import Molodka, Phase, Play, Seat, State, legal_actions, player_view
from node.bots import Bot, make_bot
from node.bots.finding import ENTRY_POINTS
from node.cli import app

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = ROOT / "docs" / "bots.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
SPIEL = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None,
    reason="OpenSpiel is not installed here: it comes with the extra `openspiel`",
)


def blocks(language: str) -> list[str]:
    """The blocks of code in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Every `kozel` command line, in blocks and within sentences."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    lines += re.findall(r"`(kozel [^`]*)`", TEXT)
    return lines


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the program is started, with the files that the document shows."""
    names = []
    for block in blocks("python"):
        first, _, rest = block.partition("\n")
        names.append(first.removeprefix("# ").removesuffix(".py"))
        (tmp_path / f"{names[-1]}.py").write_text(rest, encoding="utf-8")
    assert names == ["mybots", "random_play", "openspiel_play"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    yield tmp_path
    for name in names:
        sys.modules.pop(name, None)


def module(name: str) -> ModuleType:
    """One of those files, imported."""
    importlib.invalidate_caches()
    return importlib.import_module(name)


def run(folder: Path, *arguments: str) -> str:
    """What Python prints when it is started in that folder."""
    settings = {"KOZEL_HOME": str(folder / "home"), "NO_COLOR": "1", "COLUMNS": "200", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **settings, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def bots(rng: random.Random) -> list[Bot]:
    """The bot of the document in seats 0 and 2, ours in seats 1 and 3."""
    return [make_bot(name, rng) for name in ("mybots:Careful", "medium", "mybots:Careful", "random")]


# The bot


@pytest.mark.parametrize("seed", range(5))
def test_the_bot_plays_whole_matches_against_ours_with_legal_choices(folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    players, asked = bots(rng), 0

    def choose(view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        nonlocal asked
        play = players[seat].choose(view, seat, tuple(legal))
        assert play in legal
        assert legal == legal_actions(view, seat)
        asked += type(players[seat]).__name__ == "Careful"
        return play

    state, plays = module("random_play").play_match(rng, choose)
    assert state.phase is Phase.MATCH_OVER
    assert plays / 2 - 10 < asked < plays / 2 + 10


def test_the_bot_claims_when_it_may(folder: Path) -> None:
    rng = random.Random(1)
    players, claims = bots(rng), []

    def choose(view: State, seat: Seat, legal: Sequence[Play]) -> Play:
        play = players[seat].choose(view, seat, legal)
        offered = [play for play in legal if isinstance(play, Molodka)]
        if offered and seat in (0, 2):
            claims.append(play in offered)
        return play

    for _ in range(60):
        module("random_play").play_match(rng, choose)
    assert claims
    assert all(claims)


def test_the_bot_plays_a_tournament(folder: Path) -> None:
    command = next(line for line in commands() if line.startswith("kozel tournament mybots:Careful medium"))
    words = shlex.split(command)[1:]
    # The same words with fewer deals: of an option that is given twice the last one counts.
    assert "mybots:Careful" in run(folder, "-m", "node.cli", *words, "--deals", "4", "--jobs", "1")


@pytest.mark.long
def test_four_of_the_bot_play_a_match_over_the_network(folder: Path) -> None:
    command = next(line for line in commands() if line.startswith("kozel demo"))
    printed = run(folder, "-m", "node.cli", *shlex.split(command, comments=True)[1:])
    assert "fair and whole" in printed


def test_the_entry_point_leads_to_the_bot(folder: Path) -> None:
    (block,) = blocks("toml")
    groups = tomllib.loads(block)["project"]["entry-points"]
    assert list(groups) == [ENTRY_POINTS]
    ((name, value),) = groups[ENTRY_POINTS].items()
    assert EntryPoint(name, value, ENTRY_POINTS).load() is module("mybots").Careful
    assert f"kozel tournament {name} medium" in commands()


# The view and the engine


def test_the_view_holds_what_the_examples_show() -> None:
    examples = doctest.DocTestParser().get_doctest("".join(blocks("pycon")), {}, "bots.md", str(DOCUMENT), 0)
    runner = doctest.DocTestRunner(verbose=False)
    results = runner.run(examples)
    assert (results.failed, results.attempted > 10) == (0, True)


def test_random_play_is_a_whole_match_that_adds_up(folder: Path) -> None:
    rng = random.Random(3)
    state, plays = module("random_play").play_match(rng, lambda _view, _seat, legal: rng.choice(legal))
    assert state.phase is Phase.MATCH_OVER
    assert [sum(result.defeat_points[team] for result in state.results) for team in (0, 1)] == [*state.score]
    assert all(sum(result.points) == 120 for result in state.results)
    tricks = [sum(result.tricks_taken) for result in state.results]
    assert plays >= 4 * sum(tricks)
    assert state.goat in (0, 1)
    assert player_view(state, 0).score == state.score


def test_random_play_runs_as_a_program_and_repeats_itself(folder: Path) -> None:
    printed = [run(folder, "random_play.py", "3") for _ in range(2)]
    counts = [
        re.fullmatch(r"3 matches, (\d+) deals, (\d+) plays: \d+ plays a second\n", text) for text in printed
    ]
    first, second = (match and match.groups() for match in counts)
    assert first is not None
    assert first == second
    assert 3 * 2 <= int(first[0]) <= int(first[1]) / 4


# OpenSpiel


@SPIEL
def test_the_bot_plays_in_openspiel(folder: Path) -> None:
    rng = random.Random(1)
    returns = module("openspiel_play").play_deal(rng, make_bot("mybots:Careful", rng))
    assert returns == [returns[0], -returns[0]] * 2
    assert returns[0] in range(-6, 7, 2)
    assert ast.literal_eval(run(folder, "openspiel_play.py"))[0] in range(-6, 7, 2)


@SPIEL
def test_the_figures_of_the_game_in_openspiel_are_those_of_the_document() -> None:
    import pyspiel

    import node.bots.openspiel  # noqa: F401 - registers the game.

    game = pyspiel.load_game("python_kozel")
    said = [
        f"{game.num_distinct_actions()} actions",
        f"{game.max_chance_nodes_in_history()} in a deal, with {game.max_chance_outcomes()} outcomes",
        f"{game.max_game_length()} plays at most",
        f"tensor of {game.information_state_tensor_size()} zeros and ones",
        f"now, in {game.observation_tensor_size()}.",
        f"{game.min_utility():.0f} to {game.max_utility():.0f}",
    ]
    assert [words for words in said if words not in TEXT] == []


# Commands and links


def parsed(line: str) -> dict[str, Any]:
    """The parameters of a command line, as the program itself reads them, which it refuses if it is wrong."""
    program, name, *rest = shlex.split(line, comments=True)
    assert program == "kozel"
    group: Any = typer.main.get_command(app)
    command = group.get_command(group.make_context("kozel", [name]), name)
    assert command is not None, f"there is no command {name}"
    parameters: dict[str, Any] = command.make_context(name, rest).params
    return parameters


@pytest.mark.parametrize("line", [line for line in commands() if line.startswith("kozel ")])
def test_the_commands_are_ones_that_the_program_understands(line: str) -> None:
    assert parsed(line)


def test_nothing_but_commands_of_the_program_is_in_the_blocks_for_the_shell() -> None:
    assert len(commands()) >= 8
    assert all(line.startswith("kozel ") for line in commands() if line)


def test_a_command_that_the_program_does_not_understand_is_noticed() -> None:
    with pytest.raises(Exception, match="No such option"):
        parsed("kozel tournament mybots:Careful medium --rounds 3")
    with pytest.raises(AssertionError, match="no command"):
        parsed("kozel tourney")


def test_each_option_that_the_text_names_belongs_to_the_tournament() -> None:
    options = set(re.findall(r"`(--[a-z-]+)[ `]", TEXT))
    assert options >= {"--matches", "--partner", "--seed", "--seconds", "--jobs", "--until-clear", "--json"}
    group: Any = typer.main.get_command(app)
    command = group.get_command(group.make_context("kozel", ["tournament"]), "tournament")
    assert options <= {option for parameter in command.params for option in parameter.opts}


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]*)(?:#[^)]*)?\)", TEXT)
    assert links
    for link in links:
        assert link.startswith("https://") or (DOCUMENT.parent / link).is_file(), link
