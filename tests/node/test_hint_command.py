"""`kozel hint`: in a logged match, where a log ends in the middle of a deal, and in the match under way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import (
    SEATS,
    Phase,
    Play,
    Seat,
    State,
    actions_from_record,
    apply,
    holding,
    legal_actions,
    player_view,
)
from node.bots.advice import Considered
from node.commands.hint import LIVE, HintSettings, give_hint
from node.errors import LogUnreadable, MatchNotKept, WishRefused
from node.storage.store import STORE_NAME, Record, Store
from protocol.events import Event
from tests.node.commands import json_of, kozel
from tests.protocol.matches import Played, remembered_proofs, rich, short

ROOT = Path(__file__).parents[2]


class Thinker:
    """Likes the first of the legal plays best; remembers what it was shown."""

    def __init__(self) -> None:
        self.view: State | None = None
        self.seat: Seat = -1
        self.legal: list[Play] = []

    def __call__(self, view: State, seat: Seat, legal: Sequence[Play]) -> Sequence[Considered]:
        self.view, self.seat, self.legal = view, seat, list(legal)
        return [Considered(play, 0.0, 0.5, 66.0 - 4 * place, 0.8, 100) for place, play in enumerate(legal)]


def hinted(
    file: Path | str, home: Path, capsys: pytest.CaptureFixture[str], **options: Any
) -> tuple[str, Thinker]:
    """What is printed, and who has thought."""
    thinker = Thinker()
    settings = HintSettings(str(file), home, **options)
    assert give_hint(settings, as_json=False, consider=thinker) == 0
    return capsys.readouterr().out, thinker


def written(folder: Path, data: bytes) -> Path:
    file = folder / "match.kozel"
    file.write_bytes(data)
    return file


def keep(home: Path, match: Played, seat: Seat, events: Sequence[Event]) -> None:
    """The player of this seat has the match on disk, with these events."""
    home.mkdir(parents=True, exist_ok=True)
    genesis = match.setup.genesis
    with Store(home / STORE_NAME) as store:
        store.add_match(genesis.match_id, genesis.encode(), seat, match.setup.secrets[seat], 1000.0)
        store.append(
            genesis.match_id,
            (Record(one.author, one.seq, one.id, one.signed.data, one.signed.signature) for one in events),
        )


@pytest.fixture(autouse=True, scope="module")
def proofs() -> Iterator[None]:
    """The same log is judged again and again."""
    with remembered_proofs():
        yield


@pytest.fixture(scope="module")
def match() -> Played:
    return rich()


@pytest.fixture(scope="module")
def cut(match: Played) -> tuple[int, Seat]:
    """So many events end in the second deal, after its first trick, where a seat has to answer."""
    table = match.setup.table(0)
    for count, event in enumerate(match.events, start=1):
        table.load([event.signed])
        state = table.match.state
        if state.deal_number == 1 and state.tricks and state.trick is not None and state.trick.branches:
            assert state.trick.turn is not None
            return count, state.trick.turn
    raise LookupError("no such place in the match")


# A finished deal


@pytest.mark.parametrize("seat", SEATS)
def test_each_choice_of_a_finished_deal_is_shown_as_its_seat_saw_it(
    seat: Seat, match: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, match.file())
    for trick in (0, 2, 3):
        text, thinker = hinted(file, tmp_path, capsys, seat=seat + 1, deal=1, trick=trick + 1)
        view = thinker.view
        assert view is not None
        assert (thinker.seat, view.deal_number, len(view.tricks), view.phase) == (
            seat,
            0,
            trick,
            Phase.PLAYING,
        )
        assert thinker.legal == legal_actions(view, seat)
        assert all(
            not holding(view, other).known or view.hands[other].seen for other in SEATS if other != seat
        )
        assert f"Deal 1, trick {trick + 1}, as Player {seat} sees it:" in text
        assert "From 100 likely deals of the hidden cards" in text
        assert "really played" in text


def test_the_play_that_counts_is_the_one_that_is_looked_at(
    match: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In trick 3 of the first deal a lead and an answer went back."""
    record = match.tables[0].match.finished[0]
    standing = [play for play in record["tricks"][2]["plays"] if not play["returned"]]
    file = written(tmp_path, match.file())
    for play in standing:
        settings = HintSettings(str(file), tmp_path, seat=play["seat"] + 1, deal=1, trick=3)
        assert give_hint(settings, as_json=True, consider=Thinker()) == 0
        value = json.loads(capsys.readouterr().out)
        assert (value["deal"], value["trick"], value["seat"]) == (0, 2, play["seat"])
        assert value["played"] == {"action": play["action"], "cards": play["cards"]}
        assert value["considered"][0] | {"play": None} == {
            "play": None,
            "value": 0.0,
            "defeat_points": 0.5,
            "points": 66.0,
            "takes": 0.8,
            "worlds": 100,
        }
        assert value["sentence"].endswith(".")


def test_the_view_is_the_one_of_the_engine_and_knows_no_more(
    match: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each seat's choice in trick 2, in which nothing went back, found again by playing the record."""
    finished = match.tables[0].match.finished
    assert not any(play["returned"] for play in finished[0]["tricks"][1]["plays"])
    state = match.setup.genesis.new_match()
    for action in actions_from_record({"deals": finished[:1]}):
        if isinstance(action, Play) and len(state.tricks) == 1 and state.trick is not None:
            text, thinker = hinted(
                written(tmp_path, match.file()), tmp_path, capsys, seat=action.seat + 1, deal=1, trick=2
            )
            assert thinker.view == player_view(state, action.seat)
            assert "Your hand:" in text
        state = apply(state, action)


def test_the_last_deal_is_meant_unless_another_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, _ = hinted(written(tmp_path, short().file()), tmp_path, capsys, seat=2, trick=1)
    assert "Deal 1, trick 1, as Player 1 sees it:" in text


def test_without_a_seat_the_own_one_is_meant(
    match: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, match, 3, match.events)
    text, _ = hinted(written(tmp_path, match.file()), tmp_path, capsys, deal=2, trick=1)
    assert "as Player 3 sees it:" in text


# The middle of a deal


def test_where_the_log_ends_the_own_view_is_made_from_the_own_secret(
    match: Played, cut: tuple[int, Seat], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count, seat = cut
    keep(tmp_path, match, seat, match.events[:5])  # What else the computer keeps does not matter.
    text, thinker = hinted(written(tmp_path, match.file(count)), tmp_path, capsys)
    table = match.setup.table(seat)
    table.load(event.signed for event in match.events[:count])
    assert (thinker.view, thinker.seat, thinker.legal) == (table.state, seat, table.legal())
    assert "really played" not in text
    assert "Your hand:" in text


def test_the_match_under_way_is_read_while_its_program_runs(
    match: Played, cut: tuple[int, Seat], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count, seat = cut
    keep(tmp_path, match, seat, match.events[:count])
    hold = "import sys; from pathlib import Path; from node.storage.store import Store\n"
    hold += "with Store(Path(sys.argv[1])): print('open', flush=True); sys.stdin.read(1)"
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path / STORE_NAME)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "open\n"
        text, thinker = hinted(LIVE, tmp_path, capsys)
        program.communicate("\n")
    assert program.returncode == 0
    table = match.setup.table(seat)
    table.load(event.signed for event in match.events[:count])
    assert (thinker.view, thinker.legal) == (table.state, table.legal())
    assert f"as Player {seat} sees it:" in text


# What is refused, in words


def refused(error: type[Exception], words: str, file: Path | str, home: Path, **options: Any) -> None:
    with pytest.raises(error, match=words):
        give_hint(HintSettings(str(file), home, **options), as_json=False, consider=Thinker())


def test_the_cards_of_others_stay_hidden(match: Played, cut: tuple[int, Seat], tmp_path: Path) -> None:
    count, seat = cut
    file = written(tmp_path, match.file(count))
    refused(LogUnreadable, "in the middle of deal 2, whose cards stay hidden", file, tmp_path)
    keep(tmp_path, match, seat, match.events[:5])
    other = (seat + 1) % 4
    refused(LogUnreadable, "stay hidden", file, tmp_path, seat=other + 1)
    refused(LogUnreadable, "Deal 2 is not finished: its cards stay hidden", file, tmp_path, deal=2, trick=1)


def test_a_turn_that_is_not_the_own_one(match: Played, cut: tuple[int, Seat], tmp_path: Path) -> None:
    count, seat = cut
    keep(tmp_path, match, (seat + 2) % 4, match.events[:count])
    refused(WishRefused, f"It is Player {seat}'s turn, not yours", LIVE, tmp_path)


def test_places_that_there_are_not(match: Played, tmp_path: Path) -> None:
    file = written(tmp_path, match.file())
    refused(LogUnreadable, r"--seat: 1 Player 0, 2 Player 1, 3 Player 2, 4 Player 3\.", file, tmp_path)
    refused(LogUnreadable, "--deal and --trick", file, tmp_path, seat=1)
    refused(LogUnreadable, "has 3 deals; there is no deal 9", file, tmp_path, seat=1, deal=9, trick=1)
    refused(LogUnreadable, "there is no trick 30", file, tmp_path, seat=1, deal=1, trick=30)
    refused(LogUnreadable, "No deal of this match is finished", written(tmp_path, match.file(9)), tmp_path,
            seat=1, trick=1)  # fmt: skip


def test_no_match_under_way(match: Played, tmp_path: Path) -> None:
    refused(MatchNotKept, "No match has been played on this computer yet", LIVE, tmp_path)
    Store(tmp_path / STORE_NAME).close()
    refused(MatchNotKept, "No match is under way", LIVE, tmp_path)
    refused(WishRefused, "only say live", LIVE, tmp_path, deal=1)


def test_between_two_deals_there_is_nothing_to_choose(match: Played, tmp_path: Path) -> None:
    keep(tmp_path, match, 1, match.events[: match.index("coin-reveal", 3)])
    refused(WishRefused, "No play is awaited at this moment", LIVE, tmp_path)


def test_a_damaged_log_is_said(match: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, match.file()[:-7])
    settings = HintSettings(str(file), tmp_path, seat=1, deal=1, trick=1)
    assert give_hint(settings, as_json=False, consider=Thinker()) == 2
    assert "cut short" in capsys.readouterr().err
    file.write_bytes(b"nonsense")
    refused(LogUnreadable, "cannot be replayed", file, tmp_path)
    refused(LogUnreadable, "cannot be read", tmp_path / "no such file", tmp_path)


# The strongest bot, as its user asks it


def test_the_strongest_bot_gives_the_hint(tmp_path: Path) -> None:
    match = short()
    file = written(tmp_path, match.file())
    done = kozel("hint", file, "--seat", "1", "--trick", "2", "--seconds", "0.2", "--json", home=tmp_path)
    assert done.returncode == 0
    value = json_of(done)
    legal = {(one["play"]["action"], *one["play"]["cards"]) for one in value["considered"]}
    assert (value["played"]["action"], *value["played"]["cards"]) in legal
    values = [one["value"] for one in value["considered"]]
    assert values == sorted(values, reverse=True)
    done = kozel("hint", file, "--seat", "1", "--trick", "2", "--seconds", "0.2", home=tmp_path)
    assert done.returncode == 0
    assert "really played" in done.stdout
    done = kozel("hint", file, "--seat", "1", "--trick", "99", home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no trick 99" in done.stderr
