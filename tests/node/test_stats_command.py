"""`kozel stats`, from profiles on disk: whose matches, which of them count, and what is said of others."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from node.commands.stats import StatsSettings, show_stats
from node.errors import MatchNotKept, PassphraseNeeded, PictureFailed, PlayerNotFound
from node.history.importing import import_files
from node.history.kept import IMPORTED
from node.storage.keyfiles import write_identity
from node.storage.profile import IDENTITY_NAME, Profile
from node.storage.store import STORE_NAME, Store
from protocol.genesis import Genesis
from protocol.logfile import SUFFIX
from tests.node.kept_logs import (
    NEWCOMER,
    cheated,
    cheated_file,
    events_of,
    gone_on,
    keep,
    profile_of,
    written,
)
from tests.protocol.matches import rich, short

pytestmark = pytest.mark.usefixtures("proofs_checked_once")

SHORT = short().setup.genesis.match_id
RICH = rich().setup.genesis.match_id


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The profile of Player 0, without a match."""
    return profile_of(0, tmp_path / "home")


@pytest.fixture
def tell(home: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """What `kozel stats --json` says."""

    def stats(folder: Path = home, player: str | None = None, jobs: int = 1) -> dict[str, Any]:
        capsys.readouterr()
        assert show_stats(StatsSettings(folder, player, jobs=jobs), as_json=True) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return stats


def take_in(home: Path, *files: bytes) -> None:
    names = [written(home.parent / f"{number}.kozel", data) for number, data in enumerate(files)]
    assert len(list(import_files(home, names, jobs=1))) == len(files)


def for_show(genesis: Genesis) -> Genesis:
    return replace(genesis, for_show=True)


def test_the_figures_are_those_that_were_counted_by_hand(home: Path, tell: Any) -> None:
    keep(home, short().setup.genesis, events_of(short()), created=1e9)
    keep(home, rich().setup.genesis, events_of(rich()), created=1.1e9)
    found = tell(jobs=2)
    assert found == tell()
    key = short().setup.genesis.roster[0].identity
    assert found["player"] == {"key": key.hex(), "name": "Player 0"}
    assert found["matches"] == {
        "played": 2,
        "won": 1,
        "lost": 1,
        "unfinished": 0,
        "won_by_cheat": 0,
        "lost_by_cheat": 0,
        "longest_wins": 1,
        "longest_losses": 1,
    }
    assert found["goats"] == {"given": 1, "given_with_eggs": 0, "suffered": 1, "suffered_with_eggs": 0}
    assert found["deals"] == {"finished": 4, "won": 2, "lost": 2, "eggs": 0}
    assert found["points"] == {"own": 202, "others": 278}
    assert found["defeat_points"] == {"given": 6, "taken": 10}
    assert found["tricks"] == {"own": 4, "team": 11}
    assert found["molodkas"] == {"led": 0, "won": 0}
    assert [(one["name"], one["matches"], one["won"], one["lost"]) for one in found["partners"]] == [
        ("Player 2", 2, 1, 1)
    ]
    assert [one["result"] for one in found["course"]] == ["lost", "won"]
    assert set(found["left_out"].values()) == {0}


def test_the_same_match_from_the_store_and_from_a_file_is_one(home: Path, tell: Any) -> None:
    keep(home, rich().setup.genesis, events_of(rich()))
    alone = tell()
    written(home / IMPORTED / f"{RICH.hex()}{SUFFIX}", rich().file())
    assert tell() == alone
    assert alone["matches"]["played"] == 1


def test_of_two_files_of_one_match_the_longer_counts_and_only_that(home: Path, tell: Any) -> None:
    take_in(home, rich().file(100), rich().file())
    found = tell()
    assert (found["matches"]["played"], found["matches"]["won"], found["deals"]["finished"]) == (1, 1, 3)
    assert found["course"] == []  # A log has no date.


def test_a_match_in_the_store_that_a_file_ends_is_one_that_was_won(home: Path, tell: Any) -> None:
    half = rich().index("result", 3) + 1
    keep(home, rich().setup.genesis, events_of(rich(), half))
    assert (tell()["matches"]["unfinished"], tell()["deals"]["finished"]) == (1, 1)
    take_in(home, rich().file())
    found = tell()
    assert (found["matches"]["unfinished"], found["matches"]["won"]) == (0, 1)
    assert found["deals"]["finished"] == 3
    assert len(found["course"]) == 1


def test_a_match_that_went_on_with_somebody_else_is_one(home: Path, tell: Any) -> None:
    follower = gone_on(RICH, 3)
    half = rich().index("result", 3) + 1
    keep(home, rich().setup.genesis, events_of(rich(), half), created=1.0)
    keep(home, follower.setup.genesis, events_of(follower), created=2.0)
    found = tell()
    result = "lost" if follower.tables[0].state.goat == 0 else "won"
    assert (found["matches"]["played"], found["matches"][result]) == (1, 1)
    assert found["deals"]["finished"] == 1 + len(follower.tables[0].match.finished)
    assert {(one["name"], one["matches"], one["won"] + one["lost"]) for one in found["opponents"]} == {
        ("Player 1", 1, 1),
        ("Player 3", 1, 0),
        (NEWCOMER, 1, 1),
    }
    gone = tell(player="Player 3")
    assert (gone["matches"]["played"], gone["matches"]["unfinished"]) == (1, 1)
    assert gone["left_out"]["not-a-player"] == 1
    new = tell(player=NEWCOMER)
    assert (new["matches"]["played"], new["matches"]["unfinished"]) == (1, 0)


@pytest.mark.parametrize(("culprit", "won"), [(1, 1), (2, 0)])
def test_a_cheat_loses_the_match_for_its_team_and_that_is_said(
    culprit: int, won: int, home: Path, tell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    genesis, events = cheated(culprit)
    keep(home, genesis, list(events))
    found = tell()
    assert (found["matches"]["won"], found["matches"]["won_by_cheat"]) == (won, won)
    assert (found["matches"]["lost"], found["matches"]["lost_by_cheat"]) == (1 - won, 1 - won)
    assert found["goats"]["given"] == found["goats"]["suffered"] == 0
    assert show_stats(StatsSettings(home), as_json=False) == 0
    whose = "the other team" if won else "the own team"
    assert f"because a cheat of {whose} is proven" in capsys.readouterr().out


def test_what_does_not_count_is_said_with_the_reason(
    home: Path, tell: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(home, short().setup.genesis, events_of(short()))
    keep(home, for_show(rich().setup.genesis), [])
    keep(home, rich().setup.genesis, events_of(rich(), 3))  # Not all four have accepted it.
    take_in(home, gone_on(RICH, 0).file())  # Somebody else has the seat.
    written(home / IMPORTED / f"{'ab' * 32}{SUFFIX}", b"not a log")
    found = tell()
    assert found["left_out"] == {"not-a-player": 1, "for-show": 1, "not-begun": 1, "damaged": 1}
    assert found["matches"]["played"] == 1
    assert show_stats(StatsSettings(home), as_json=False) == 0
    told = capsys.readouterr().out
    assert "Left out: 1 log of a match without Player 0." in told
    assert "Left out: 1 match for show." in told
    assert "Left out: 1 match that not all four have accepted." in told
    assert "Left out: 1 log that is damaged or cannot be read." in told


def test_a_strangers_log_is_not_ones_own(tmp_path: Path, tell: Any) -> None:
    stranger = tmp_path / "stranger"
    with Profile.open(stranger, name="Stranger"):
        pass
    take_in(stranger, short().file(), cheated_file(2))
    found = tell(stranger)
    assert found["matches"]["played"] == 0
    assert found["left_out"]["not-a-player"] == 1
    assert tell(stranger, "Player 1")["matches"]["played"] == 1


def test_a_player_is_found_by_name_or_key(home: Path, tell: Any) -> None:
    keep(home, rich().setup.genesis, events_of(rich()))
    key = rich().setup.genesis.roster[1].identity.hex()
    for name in ("Player 1", "player 1", key, key[:8], key[:6].upper()):
        found = tell(player=name)
        assert found["player"] == {"key": key, "name": "Player 1"}
        assert found["molodkas"] == {"led": 2, "won": 2}
    for name in ("Nobody", "", key[:3], "ffff0000"):
        with pytest.raises(PlayerNotFound, match="nobody is called"):
            tell(player=name)


def test_a_name_that_two_people_have_is_no_answer(home: Path, tell: Any) -> None:
    roster = short().setup.genesis.roster
    same = (*roster[:2], replace(roster[2], name=roster[1].name), roster[3])
    keep(home, replace(short().setup.genesis, roster=same), [])
    with pytest.raises(PlayerNotFound, match=roster[2].identity.hex()[:8]):
        tell(player="Player 1")
    assert tell(player=roster[2].identity.hex()[:8])["left_out"]["not-begun"] == 1


def test_it_works_while_a_match_is_played(home: Path, tell: Any) -> None:
    keep(home, rich().setup.genesis, events_of(rich()))
    with Profile.open(home), Store(home / STORE_NAME):
        assert tell()["matches"]["played"] == 1


def test_a_protected_key_need_not_be_opened(home: Path, tell: Any) -> None:
    (home / IDENTITY_NAME).unlink()
    write_identity(home / IDENTITY_NAME, bytes(32), "a passphrase")
    with pytest.raises(PassphraseNeeded):
        tell()
    keep(home, rich().setup.genesis, events_of(rich()), seat=1)
    assert tell()["player"]["name"] == "Player 1"


def test_without_a_profile_there_is_nothing_to_tell_and_none_is_made(tmp_path: Path, tell: Any) -> None:
    with pytest.raises(MatchNotKept, match="No match has been played"):
        tell(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_the_picture_is_written_and_holds_the_figures(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(home, rich().setup.genesis, events_of(rich()))
    file = tmp_path / "pictures" / "mine.svg"
    assert show_stats(StatsSettings(home, picture=file), as_json=False) == 0
    assert str(file) in capsys.readouterr().out.replace("\n", "")
    written_there = {element.text for element in ET.parse(file).iter("{http://www.w3.org/2000/svg}text")}
    assert {"Won 1, lost 0, not finished 0.", "6 : 4", "2 : 1", "Player 2", "1: 1, 0"} <= written_there
    with pytest.raises(PictureFailed, match="could not be written"):
        show_stats(StatsSettings(home, picture=file / "under a file.svg"), as_json=True)


def test_names_are_not_taken_for_markup(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "[bold]x[/nothing]"
    roster = tuple(replace(member, name=name) for member in short().setup.genesis.roster)
    keep(home, replace(short().setup.genesis, roster=roster), [])
    assert show_stats(StatsSettings(home), as_json=False) == 0
    assert f"{name}: 0 matches" in capsys.readouterr().out
