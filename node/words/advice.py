"""Why a play is good, told to a person from the figures of a bot that thinks ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from engine import (
    HAND_SIZE,
    Beat,
    Card,
    Discard,
    Lead,
    Molodka,
    Play,
    Rank,
    Seat,
    State,
    Suit,
    legal_actions,
    partner_of,
)
from node.bots.advice import Considered
from node.i18n import plural, tr
from node.words.wording import Wording

__all__ = ["advice_details", "advice_sentence", "play_text"]

_POINTS_SPREAD: Final = 20.0
_VALUE_SPREAD: Final = 0.1
"""By how much two plays differ, as a rule, from one deal of the hidden cards to another. The mean over many
is surer, by the root of their number: what differs by less than that is called the same."""
_SURE: Final = 0.995
_HARDLY: Final = 0.05
_MOSTLY: Final = 0.5


def advice_sentence(considered: Sequence[Considered], wording: Wording, view: State, seat: Seat) -> str:
    """What to play and the most telling reason for it, in one sentence.

    `considered` are the plays of `seat` in this view, the best first; every figure that is named is one of
    theirs. ValueError when there is none.
    """
    if not considered:
        raise ValueError("there is no play to give a reason for")
    wording, best = wording.under(view), considered[0]
    if len(legal_actions(view, seat)) == 1:
        return tr("{what}: nothing else is possible.", what=play_text(best.play, wording))
    what = _what(best.play, wording, view, seat)
    if len(considered) == 1:
        return tr("{what}: nothing else is worth a thought.", what=what)
    if all(_alike(best, other) for other in considered[1:]):
        if _keeps_high_cards(best.play, considered, view.trump):
            cards = wording.cards(best.play.cards or ())
            return tr(
                "Keep your high cards: {cards} will do, whatever you play here comes to about the same.",
                cards=cards,
            )
        return tr("{what}: whatever you play here comes to about the same.", what=what)
    return tr("{what}: {why}.", what=what, why=_why(considered))


def advice_details(considered: Sequence[Considered], wording: Wording, view: State) -> list[str]:
    """All plays that were considered with their figures, the best first, under a line that explains them."""
    if not considered:
        return []
    wording = wording.under(view)
    worlds = considered[0].worlds
    heading = plural(
        "From {count} likely deal of the hidden cards: how often your side takes the trick, and what it has"
        " at the end of the deal.",
        "From {count} likely deals of the hidden cards: how often your side takes the trick, and what it has"
        " at the end of the deal.",
        worlds,
    )
    return [heading, *(_figures(one, wording) for one in considered)]


def play_text(play: Play, wording: Wording) -> str:
    """A play as one would say what to do."""
    cards = wording.cards(play.cards or ())
    if isinstance(play, Beat):
        return tr("Beat with {cards}", cards=cards)
    if isinstance(play, Discard):
        return tr("Discard {cards}", cards=cards)
    if isinstance(play, Molodka):
        return tr("Claim the molodka with {cards}", cards=cards)
    return tr("Lead {cards}", cards=cards)


def _figures(one: Considered, wording: Wording) -> str:
    return plural(
        "{play}: takes {share} of 100, {count} point, defeat points {defeat}",
        "{play}: takes {share} of 100, {count} points, defeat points {defeat}",
        round(one.points),
        play=play_text(one.play, wording),
        share=_share(one.takes),
        defeat=f"{one.defeat_points:+.1f}",
    )


# What to do


def _what(play: Play, wording: Wording, view: State, seat: Seat) -> str:
    """The play, and what it does beside the plain."""
    cards = wording.cards(play.cards or ())
    best = None if view.trick is None else view.trick.best
    partner_leads = best is not None and best[0] == partner_of(seat)
    if isinstance(play, Lead) and best is not None and len(play.cards) == HAND_SIZE:
        return tr("Take your lead back with {cards}", cards=cards)
    if isinstance(play, Beat) and partner_leads:
        return tr("Overtake your partner with {cards}", cards=cards)
    if isinstance(play, Discard) and partner_leads and _points(play):
        return tr("Give your partner points, discard {cards}", cards=cards)
    return play_text(play, wording)


# Why


def _why(considered: Sequence[Considered]) -> str:
    """One clause or two: about this trick, and about what the deal or the match gains."""
    trick, gain = _about_trick(considered), _about_gain(considered)
    if gain is None:
        return trick
    if considered[0].takes < _MOSTLY:
        return tr("{first}, but {second}", first=trick, second=gain)
    return tr("{first}, and {second}", first=trick, second=gain)


def _about_trick(considered: Sequence[Considered]) -> str:
    best = considered[0]
    if max(one.takes for one in considered) < _HARDLY:
        if _about_gain(considered) is None and _gives_least(best.play, considered):
            return tr("this trick is lost whatever you play, and so it gets as few points as can be")
        return tr("this trick is lost whatever you play")
    if min(one.takes for one in considered) >= _SURE:
        return tr("your side takes this trick whatever you play")
    if all(abs(one.takes - best.takes) < _HARDLY for one in considered):
        return tr(
            "your side takes this trick in about {share} of 100 likely deals whatever you play",
            share=_share(best.takes),
        )
    if best.takes >= _SURE:
        return tr("your side takes this trick in every likely deal of the hidden cards")
    share = _share(best.takes)
    if share == 0:
        return tr("this trick goes to the other side")
    if best.takes < _MOSTLY:
        return tr(
            "your side takes this trick in only {share} of 100 likely deals of the hidden cards", share=share
        )
    return tr("your side takes this trick in {share} of 100 likely deals of the hidden cards", share=share)


def _about_gain(considered: Sequence[Considered]) -> str | None:
    """What is gained over the next best play, or over other plays where that one is about as good."""
    best, *others = considered
    if _alike(best, others[0]):
        points = round(max(best.points - other.points for other in others))
        if points < 1:
            return None
        return plural(
            "the deal ends up to {count} point better for you than with other plays",
            "the deal ends up to {count} points better for you than with other plays",
            points,
        )
    points = round(best.points - others[0].points)
    if points >= 1:
        return plural(
            "the deal ends about {count} point better for you than with the next best play",
            "the deal ends about {count} points better for you than with the next best play",
            points,
        )
    chance = round(100 * (best.value - others[0].value))
    if chance >= 1:
        return tr(
            "your chance to win the match is about {count} in 100 better than with the next best play",
            count=chance,
        )
    return None


def _alike(one: Considered, other: Considered) -> bool:
    """Whether chance alone may have made the difference between two plays."""
    worlds = min(one.worlds, other.worlds)
    if worlds <= 1:  # Nothing is hidden: what differs, differs.
        return (one.value, one.points) == (other.value, other.points)
    noise = 1 / sqrt(worlds)
    return (
        abs(one.points - other.points) < _POINTS_SPREAD * noise
        and abs(one.value - other.value) < _VALUE_SPREAD * noise
    )


def _gives_least(play: Play, considered: Iterable[Considered]) -> bool:
    return _points(play) == min(_points(one.play) for one in considered)


def _keeps_high_cards(play: Play, considered: Iterable[Considered], trump: Suit | None) -> bool:
    """Whether no other play leaves stronger cards in hand."""
    return all(_strength(play, trump) <= _strength(one.play, trump) for one in considered)


def _strength(play: Play, trump: Suit | None) -> int:
    """What the cards are worth in a fight; the suit of trump is above all others."""
    return sum(int(card.rank) + (len(Rank) if card.suit is trump else 0) for card in _cards(play))


def _points(play: Play) -> int:
    return sum(card.points for card in _cards(play))


def _cards(play: Play) -> tuple[Card, ...]:
    return play.cards or ()


def _share(part: float) -> int:
    """So many of 100."""
    return round(100 * part)
