"""One sentence for each reason, with the figures that were given and no others."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from engine import Lead, Play, State, legal_actions, parse_action
from node.bots.advice import Considered
from node.words.advice import advice_details, advice_sentence, play_text
from tests.node.terminal_tables import after, dealt, seen, words


def figures(
    play: str | Play,
    *,
    value: float = 0.0,
    points: float = 60.0,
    takes: float = 0.5,
    defeat: float = 0.0,
    worlds: int = 400,
) -> Considered:
    """A play, written as the engine does, with what comes of it."""
    action = parse_action(play) if isinstance(play, str) else play
    assert isinstance(action, Play)
    return Considered(action, value, defeat, points, takes, worlds)


def told(state: State, seat: int, *considered: Considered) -> str:
    return advice_sentence(considered, words(seat), seen(state, seat), seat)


def test_a_lead_with_the_trick_and_what_the_deal_gains() -> None:
    sentence = told(
        dealt(),
        0,
        figures("lead 0 9cJc", takes=0.83, points=66, value=0.1),
        figures("lead 0 As", takes=0.9, points=57),
    )
    assert sentence == (
        "Lead 9♣ J♣: your side takes this trick in 83 of 100 likely deals of the hidden cards, and the deal"
        " ends about 9 points better for you than with the next best play."
    )


def test_what_is_better_although_the_trick_goes_away() -> None:
    sentence = told(
        dealt(), 0, figures("lead 0 7d", takes=0.21, points=61), figures("lead 0 As", takes=0.6, points=55)
    )
    assert sentence == (
        "Lead 7♦: your side takes this trick in only 21 of 100 likely deals of the hidden cards, but the deal"
        " ends about 6 points better for you than with the next best play."
    )


def test_a_trick_that_is_let_go() -> None:
    sentence = told(
        dealt(), 0, figures("lead 0 7d", takes=0.004, points=61), figures("lead 0 As", takes=0.2, points=55)
    )
    assert sentence.startswith(
        "Lead 7♦: this trick goes to the other side, but the deal ends about 6 points "
    )


def test_beating_an_opponent_and_the_own_partner() -> None:
    state = after(dealt(), "lead 0 7d")
    better, worse = figures("beat 1 8d on 0", takes=1.0, points=70), figures("discard 1 6h on 0")
    assert told(state, 1, better, worse).startswith(
        "Beat with 8♦: your side takes this trick in every likely deal of the hidden cards, and the deal ends"
        " about 10 points better"
    )
    state = after(dealt(), "lead 0 9c", "discard 1 6h on 0")
    better, worse = figures("beat 2 Qc on 0", points=70), figures("discard 2 6c on 0")
    assert told(state, 2, better, worse).startswith("Overtake your partner with Q♣: ")


def test_points_for_a_partner_who_takes_the_trick() -> None:
    state = after(dealt(), "lead 0 As", "discard 1 6h on 0")
    better, worse = (
        figures("discard 2 Qc on 0", takes=1.0, points=70),
        figures("discard 2 6c on 0", takes=1.0, points=67),
    )
    assert told(state, 2, better, worse) == (
        "Give your partner points, discard Q♣: your side takes this trick whatever you play, and the deal"
        " ends about 3 points better for you than with the next best play."
    )


def test_few_points_for_a_trick_that_is_lost() -> None:
    state = after(dealt(), "lead 0 As")
    better = figures("discard 1 6h on 0", takes=0.01, points=50.2, value=0.004, worlds=40_000)
    worse = figures("discard 1 Kc on 0", takes=0.01, points=49.9, worlds=40_000)
    assert told(state, 1, better, worse) == (
        "Discard 6♥: this trick is lost whatever you play, and so it gets as few points as can be."
    )


def test_a_choice_that_is_not_about_this_trick() -> None:
    state = after(dealt(), "lead 0 7d")
    better = figures("discard 1 6h on 0", takes=0.31, points=56)
    worse = figures("discard 1 Kc on 0", takes=0.3, points=49)
    assert told(state, 1, better, worse) == (
        "Discard 6♥: your side takes this trick in about 31 of 100 likely deals whatever you play, but the"
        " deal ends about 7 points better for you than with the next best play."
    )


def test_the_match_where_the_points_of_the_deal_tell_nothing() -> None:
    sentence = told(
        dealt(),
        0,
        figures("lead 0 As", takes=0.7, points=60, value=0.16),
        figures("lead 0 7d", points=60.2),
    )
    assert sentence.endswith(
        ", and your chance to win the match is about 16 in 100 better than with the next best play."
    )


@pytest.mark.parametrize(
    ("best", "sentence"),
    [
        (
            "lead 0 7d",
            "Keep your high cards: 7♦ will do, whatever you play here comes to about the same.",
        ),
        ("lead 0 As", "Lead A♠: whatever you play here comes to about the same."),
    ],
)
def test_what_differs_by_chance_alone_is_called_the_same(best: str, sentence: str) -> None:
    other = "lead 0 As" if best == "lead 0 7d" else "lead 0 7d"
    assert told(dealt(), 0, figures(best, points=60.3, value=0.004), figures(other)) == sentence


def test_more_deals_that_were_looked_at_tell_smaller_differences() -> None:
    def sentence(worlds: int) -> str:
        return told(
            dealt(),
            0,
            figures("lead 0 As", points=62, worlds=worlds),
            figures("lead 0 7d", points=60, worlds=worlds),
        )

    assert "about the same" in sentence(30)
    assert "about 2 points better" in sentence(3_000)
    assert "about 2 points better" in sentence(1)


def test_a_second_play_that_is_as_good_is_not_called_worse() -> None:
    sentence = told(
        dealt(),
        0,
        figures("lead 0 As", points=62, takes=0.7),
        figures("lead 0 7d", points=61.9),
        figures("lead 0 9c", points=54),
    )
    assert sentence.endswith("and the deal ends up to 8 points better for you than with other plays.")


def test_one_point_is_one_point() -> None:
    sentence = told(dealt(), 0, figures("lead 0 As", points=61, worlds=900), figures("lead 0 7d", worlds=900))
    assert "about 1 point better" in sentence


def test_a_claim_and_a_lead_that_is_taken_back() -> None:
    state = dealt()
    better, worse = figures("molodka 2 6c7c8cQc", points=80), figures("molodka 2 6c7c8cQc")
    assert told(after(state, "lead 0 9c"), 2, better, worse).startswith(
        "Claim the molodka with 6♣ 7♣ 8♣ Q♣: "
    )
    hands = ("6d7d8d9d", "TcKc6h8h", "6c7c8cQc", "6s7s8sTs")
    state = after(dealt(hands), "molodka 2 6c7c8cQc", "discard 3 6s7s8sTs on 2")
    better, worse = figures("lead 0 6d7d8d9d", points=80), figures("discard 0 6d7d8d9d on 2")
    assert told(state, 0, better, worse).startswith("Take your lead back with 6♦ 7♦ 8♦ 9♦: ")


def test_where_there_is_no_choice() -> None:
    state = after(dealt(), "molodka 3 6s7s8sTs")
    (only,) = (play for play in legal_actions(seen(state, 0), 0))
    assert told(state, 0, figures(only)) == "Discard 9♣ J♣ 7♦ A♠: nothing else is possible."
    assert told(dealt(), 0, figures("lead 0 As")) == "Lead A♠: nothing else is worth a thought."


def test_nothing_to_say_without_a_play() -> None:
    with pytest.raises(ValueError, match="no play"):
        told(dealt(), 0)
    assert advice_details([], words(), seen(dealt())) == []


def test_details_name_each_play_with_its_own_figures() -> None:
    considered = [
        figures("lead 0 As", takes=0.834, points=66.4, defeat=0.84),
        figures("lead 0 7d", takes=0.2, points=1.2, defeat=-1.25),
    ]
    assert advice_details(considered, words(), seen(dealt())) == [
        "From 400 likely deals of the hidden cards: how often your side takes the trick, and what it has at"
        " the end of the deal.",
        "Lead A♠: takes 83 of 100, 66 points, defeat points +0.8",
        "Lead 7♦: takes 20 of 100, 1 point, defeat points -1.2",
    ]


def test_every_kind_of_play_is_something_to_do() -> None:
    plays: Sequence[str] = ("lead 0 As", "beat 0 As on 1", "discard 0 As on 1", "molodka 0 6c7c8cQc")
    verbs = {play_text(figures(play).play, words()).split()[0] for play in plays}
    assert verbs == {"Lead", "Beat", "Discard", "Claim"}


def test_no_figure_is_made_up() -> None:
    state = dealt()
    leads = [play for play in legal_actions(seen(state), 0) if isinstance(play, Lead)]
    considered = [
        figures(play, takes=0.77 - place / 50, points=63 - 2 * place) for place, play in enumerate(leads)
    ]
    sentence = told(state, 0, *considered).replace("of 100", "")
    cards = re.sub(r"\d+[♣♦♥♠]", "", sentence)
    assert re.findall(r"\d+", cards) == ["77", "2"]
