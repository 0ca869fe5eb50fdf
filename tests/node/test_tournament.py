"""`kozel tournament`: the same result whatever runs it, an honest end, and what people and programs read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine import Options
from node.bots.pairs import Contest, Role, play_pair
from node.bots.statistics import Method, is_clear
from node.commands.tournament_run import Tally, run_pairs
from node.errors import BotFailed
from tests.node import odd_bots
from tests.node.commands import json_of, kozel

ODD = odd_bots.__name__


def contest(a: str, b: str) -> Contest:
    """Single deals between two bots."""
    return Contest(((Role.A, a), (Role.B, b)), Options(), False, "seed", 1.0)


def run(a: str, b: str, pairs: int, *, jobs: int = 1, until_clear: bool = False) -> Tally:
    """A tournament of which nobody hears anything meanwhile."""
    return run_pairs(contest(a, b), pairs, jobs=jobs, until_clear=until_clear, heard=lambda _: None)


def timeless(tally: Tally) -> tuple[object, ...]:
    """The tally without what the clock says."""
    plays = {role: thought.plays for role, thought in tally.thinking.items()}
    return tally.asked, tally.scores, tally.games, tally.defeat_points, tally.deals, tally.clear, plays


# Running


def test_a_tally_adds_up_its_pairs() -> None:
    tally = run("medium", "random", 20)
    pairs = [play_pair(contest("medium", "random"), number) for number in range(20)]
    assert tally.scores == Counter(pair.score for pair in pairs)
    outcomes = [outcome for pair in pairs for outcome in pair.outcomes]
    assert tally.games == Counter(outcome.score for outcome in outcomes)
    assert tally.defeat_points == (sum(one.given for one in outcomes), sum(one.got for one in outcomes))
    assert (tally.pairs, tally.deals) == (20, 40)
    assert tally.share == sum(pair.score for pair in pairs) / 20
    assert tally.thinking[Role.A].plays == sum(pair.thinking[Role.A].plays for pair in pairs)
    assert 0 < tally.thinking[Role.A].longest <= tally.thinking[Role.A].seconds


@pytest.mark.parametrize("until_clear", [False, True])
def test_it_does_not_matter_how_many_processes_play(until_clear: bool) -> None:
    alone, together = (run("medium", "random", 40, jobs=jobs, until_clear=until_clear) for jobs in (1, 2))
    assert timeless(alone) == timeless(together)
    assert (alone.pairs < 40) == until_clear


def test_it_ends_after_the_first_pair_that_makes_it_clear() -> None:
    heard: list[bool] = []
    both = contest("medium", "random")
    tally = run_pairs(
        both, 100, jobs=1, until_clear=True, heard=lambda tally: heard.append(is_clear(tally.scores))
    )
    assert heard == [False] * (tally.pairs - 1) + [True]
    assert tally.clear
    assert tally.interval(until_clear=True).low > 0.5
    assert tally.interval(until_clear=True).method is Method.CONFIDENCE_SEQUENCE
    assert tally.interval(until_clear=False).method is Method.WILSON


def test_equals_are_played_to_the_end() -> None:
    tally = run(f"{ODD}:First", f"{ODD}:First", 30, until_clear=True)
    assert (tally.pairs, tally.clear, tally.share) == (30, False, 0.5)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_keeps_what_has_been_counted(jobs: int) -> None:
    def hear(tally: Tally) -> None:
        if tally.pairs == 3:
            raise KeyboardInterrupt

    tally = run_pairs(contest("medium", "random"), 1000, jobs=jobs, until_clear=False, heard=hear)
    assert (tally.pairs, tally.interrupted) == (3, True)
    assert tally.interval(until_clear=False).method is Method.CONFIDENCE_SEQUENCE


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_fails_ends_the_tournament(jobs: int) -> None:
    with pytest.raises(BotFailed, match=r"^The bot Raising failed: LookupError: no idea"):
        run("random", f"{ODD}:Raising", 10, jobs=jobs)


def test_a_bot_that_ends_its_process_ends_the_tournament() -> None:
    with pytest.raises(BotFailed, match="has ended the program"):
        run("random", f"{ODD}:Quitting", 10, jobs=2)


# The command

TIMES = {"seconds", "thinking"}


def result(*arguments: str, home: Path) -> dict[str, Any]:
    """What the command prints for programs."""
    done = kozel("tournament", *arguments, "--json", home=home)
    assert done.returncode == 0, done.stderr
    return json_of(done)


def without_times(value: dict[str, Any]) -> dict[str, Any]:
    """The part of a result that does not depend on the machine."""
    assert value.keys() >= TIMES
    return {key: part for key, part in value.items() if key not in TIMES}


def test_the_result_for_programs(tmp_path: Path) -> None:
    value = result("medium", "random", "--deals", "60", "--seed", "7", "--jobs", "2", home=tmp_path)
    tally = run_pairs(
        Contest(((Role.A, "medium"), (Role.B, "random")), Options(), False, "7", 1.0),
        30,
        jobs=1,
        until_clear=False,
        heard=lambda _: None,
    )
    interval = tally.interval(until_clear=False)
    assert without_times(value) == {
        "a": "medium",
        "b": "random",
        "partner": None,
        "mode": "deals",
        "options": {"target": 12, "eggs": "joke", "molodka": "anytime"},
        "seed": "7",
        "seconds_allowed": 1.0,
        "pairs": 30,
        "pairs_asked": 30,
        "deals": 60,
        "wins": {"a": tally.games[1.0], "b": tally.games[0.0]},
        "drawn": tally.games[0.5],
        "defeat_points": {"given": tally.defeat_points[0], "got": tally.defeat_points[1]},
        "share": tally.share,
        "interval": [interval.low, interval.high],
        "confidence": 0.95,
        "method": "wilson",
        "stronger": "a",
        "until_clear": False,
        "interrupted": False,
    }
    assert value["seconds"] > 0
    assert value["thinking"].keys() == {"a", "b"}
    for role, thought in value["thinking"].items():
        assert thought.keys() == {"plays", "mean_seconds", "longest_seconds"}
        assert thought["plays"] == tally.thinking[Role(role)].plays
        assert 0 < thought["mean_seconds"] <= thought["longest_seconds"]


def test_whole_matches_with_a_partner_and_a_seed_that_is_drawn(tmp_path: Path) -> None:
    arguments = ("medium", "random", "--partner", f"{ODD}:First", "--matches", "4", "--target", "6")
    first = result(*arguments, home=tmp_path)
    assert first["partner"] == f"{ODD}:First"
    assert first["mode"] == "matches"
    assert first["options"]["target"] == 6
    assert (first["pairs"], first["wins"]["a"] + first["wins"]["b"], first["drawn"]) == (2, 4, 0)
    assert first["deals"] >= 4
    assert first["thinking"].keys() == {"a", "b", "partner"}
    again = result(*arguments, "--seed", first["seed"], "--jobs", "1", home=tmp_path)
    assert without_times(again) == without_times(first)


def test_the_result_for_people(tmp_path: Path) -> None:
    done = kozel("tournament", "medium", "random", "--seed", "1", "--until-clear", home=tmp_path)
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "medium against random:" in text
    assert "medium is stronger than random." in text
    assert "of 500 pairs" in text
    assert "--seed 1" in text
    assert done.stderr == ""


def test_a_bot_against_itself_for_people(tmp_path: Path) -> None:
    name = f"{ODD}:First"
    done = kozel("tournament", name, name, "--matches", "2", "--jobs", "1", home=tmp_path)
    text = " ".join(done.stdout.split())
    assert f"{name} (first) against {name} (second): 2 matches" in text
    assert "wins 50.0 %" in text
    assert "This does not show which of them is stronger." in text
    assert "60 to 60" not in text


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("random", "grandmaster"), 1, "There is no bot “grandmaster”"),
        (("random", f"{ODD}:Raising"), 1, "The bot Raising failed: LookupError: no idea"),
        (
            ("random", f"{ODD}:Unborn", "--jobs", "1"),
            1,
            f"The bot {ODD}:Unborn failed: LookupError: no brain",
        ),
        (("random", "random", "--deals", "3"), 2, "must be even"),
        (("random", "random", "--deals", "2", "--matches", "2"), 2, "single deals or whole matches"),
    ],
)
def test_what_goes_wrong_is_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    done = kozel("tournament", *arguments, home=tmp_path)
    assert done.returncode == code
    assert words in done.stderr
    assert done.stdout == ""
    assert code == 2 or done.stderr.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_it_with_what_there_is(tmp_path: Path, jobs: str) -> None:
    """As a terminal does it: every process of the group gets the signal."""
    name = f"{ODD}:Talking"
    arguments = ["tournament", name, name, "--deals", "1000000", "--json", "--jobs", jobs]
    running = subprocess.Popen(
        [sys.executable, "-m", "node.cli", *arguments],
        env={**os.environ, "KOZEL_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    assert running.stderr is not None
    # Bots speak to standard error here; eight of them play a pair, and eight pairs at most are waited for.
    for _ in range(8 * 12):
        assert running.stderr.readline() == "Here I am.\n"
    os.killpg(running.pid, signal.SIGINT)
    out, errors = running.communicate(timeout=30)
    assert running.returncode == 130
    assert set(errors.splitlines()) <= {"Here I am."}
    value = json.loads(out)
    assert value["interrupted"]
    assert value["pairs"] >= 1
    assert value["share"] == 0.5
