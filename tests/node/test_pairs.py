"""Pairs of games: who sits where, and what comes out for whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import SEATS, Options
from node.bots.arena import Played, Thinking
from node.bots.pairs import Contest, Outcome, Pair, Role, play_pair
from node.errors import BotFailed, BotNotFound
from tests.node import odd_bots

ODD = odd_bots.__name__


def contest(a: str, b: str, partner: str | None = None, *, whole_matches: bool = False) -> Contest:
    """Single deals between these bots."""
    bots = ((Role.A, a), (Role.B, b)) + (((Role.PARTNER, partner),) if partner else ())
    return Contest(bots, Options(), whole_matches, "seed", 1.0)


def timeless(pair: Pair) -> tuple[object, ...]:
    """The pair without what the clock says."""
    return pair.outcomes, {role: thought.plays for role, thought in pair.thinking.items()}


@pytest.mark.parametrize(
    ("outcome", "score"),
    [(Outcome(4, 0, 1), 1.0), (Outcome(0, 2, 1), 0.0), (Outcome(0, 0, 1), 0.5), (Outcome(10, 12, 6), 0.0)],
)
def test_whoever_gets_fewer_defeat_points_wins(outcome: Outcome, score: float) -> None:
    assert outcome.score == score
    assert Pair((outcome, Outcome(2, 0, 1)), {}).score == (score + 1) / 2


@pytest.mark.parametrize("whole_matches", [False, True])
def test_a_bot_whose_plays_follow_from_the_cards_is_as_strong_as_itself(whole_matches: bool) -> None:
    same = contest(f"{ODD}:First", f"{ODD}:First", whole_matches=whole_matches)
    for number in range(6):
        pair = play_pair(same, number)
        first, second = pair.outcomes
        assert (first.given, first.got, first.deals) == (second.got, second.given, second.deals)
        assert pair.score == 0.5
        assert pair.thinking[Role.A].plays == pair.thinking[Role.B].plays


@pytest.mark.parametrize("whole_matches", [False, True])
def test_the_same_pair_comes_out_the_same(whole_matches: bool) -> None:
    both = contest("medium", "random", whole_matches=whole_matches)
    assert timeless(play_pair(both, 3)) == timeless(play_pair(both, 3)) != timeless(play_pair(both, 4))
    assert timeless(play_pair(both, 3)) != timeless(play_pair(replace(both, seed="other"), 3))


def test_medium_is_much_stronger_than_random() -> None:
    scores = [play_pair(contest("medium", "random"), number).score for number in range(30)]
    assert sum(scores) > 25
    assert sum(play_pair(contest("random", "medium"), number).score for number in range(30)) < 5


@pytest.mark.parametrize(
    ("partner", "seatings"),
    [(None, ["abab", "baba"]), ("random", ["abpb", "babp"])],
)
def test_the_seats_are_swapped(
    monkeypatch: pytest.MonkeyPatch, partner: str | None, seatings: list[str]
) -> None:
    letters: dict[type, str] = {odd_bots.First: "a", odd_bots.Last: "b"}
    seen: list[str] = []
    shuffles: list[object] = []

    def note(bots: list[object], cards: object, _options: Options) -> Played:
        seen.append("".join(letters.get(type(bot), "p") for bot in bots))
        shuffles.append(cards)
        return Played((4, 0), 1, tuple(Thinking(seat + 1, 1.0, 1.0) for seat in SEATS))

    monkeypatch.setattr("node.bots.pairs.play_deal", note)
    pair = play_pair(contest(f"{ODD}:First", f"{ODD}:Last", partner), 7)
    assert seen == seatings
    assert shuffles[0] == shuffles[1]
    # Seats 0 and 2 got four defeat points in both games: A's once, and then B's.
    assert pair.outcomes == (Outcome(0, 4, 1), Outcome(4, 0, 1))
    plays = {role: thought.plays for role, thought in pair.thinking.items()}
    assert plays == ({"a": 10, "b": 10} if partner is None else {"a": 3, "b": 10, "partner": 7})


def test_each_bot_has_a_chance_of_its_own_and_the_time_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers: list[float] = []

    def note(bots: list[odd_bots.First], *_: object) -> Played:
        numbers.extend(bot.rng.random() for bot in bots)
        assert {bot.seconds for bot in bots} == {0.25}
        return Played((0, 0), 1, (Thinking(1, 1.0, 1.0),) * 4)

    monkeypatch.setattr("node.bots.pairs.play_deal", note)
    for number in range(2):
        play_pair(replace(contest(f"{ODD}:First", f"{ODD}:First"), seconds=0.25), number)
    assert len(set(numbers)) == 16


def test_a_bot_that_cannot_be_made_is_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odd_bots.Unborn, "born", 1)
    with pytest.raises(BotFailed, match=f"^The bot {ODD}:Unborn failed: LookupError: no brain found"):
        play_pair(contest(f"{ODD}:Unborn", "random"), 0)
    with pytest.raises(BotNotFound):
        play_pair(contest("grandmaster", "random"), 0)
