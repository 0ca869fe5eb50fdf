"""A finished deal told again with all cards open, to a reader who sits at no seat of it."""

from __future__ import annotations

from engine import Beat, DealResult, Discard, Lead, Play, State
from node.i18n import plural, tr
from node.words.sheets import eggs_line, tricks_text
from node.words.wording import Wording

__all__ = ["deal_outcome", "dealt_again", "goat_lines", "next_trick", "outcome", "played_again"]


def dealt_again(state: State, wording: Wording) -> list[str]:
    """Who dealt, what is trump, who begins; `state` is the deal before its first play."""
    if state.indicator is None or state.dealer is None or state.leader is None:
        raise ValueError("the deal has not begun")
    dealt = tr(
        "Deal {number}: {name} deals. Trump is {trump}, {card} was shown.",
        number=state.deal_number + 1,
        name=wording.name(state.dealer),
        trump=wording.trump(state.indicator.suit),
        card=wording.card(state.indicator),
    )
    return [dealt, tr("{name} begins.", name=wording.name(state.leader))]


def played_again(before: State, after: State, play: Play, wording: Wording) -> list[str]:
    """A play between two states, and what followed from it at once."""
    lines = [_play(play, wording)]
    opening = not isinstance(play, Beat | Discard)
    if opening and before.trick is not None and before.trick.branches:
        lines.append(tr("All cards played in this trick go back to their owners."))
    if len(after.tricks) > len(before.tricks):
        taker = after.tricks[-1].taker
        assert taker is not None, "a trick is finished when somebody has taken it"
        lines.append(tr("{name} takes the trick.", name=wording.name(taker)))
    return lines


def _play(play: Play, wording: Wording) -> str:
    name = wording.name(play.seat)
    if isinstance(play, Discard) and play.cards is None:
        # It went back, so that nobody was ever shown which cards they were (R14).
        return plural("{name} discards 1 card.", "{name} discards {count} cards.", play.count, name=name)
    cards = wording.cards(play.cards or ())
    if isinstance(play, Discard):
        return tr("{name} discards {cards}.", name=name, cards=cards)
    if isinstance(play, Beat):
        return tr("{name} beats with {cards}.", name=name, cards=cards)
    if isinstance(play, Lead):
        return tr("{name} leads {cards}.", name=name, cards=cards)
    return tr("Molodka! {name} leads out of turn: {cards}.", name=name, cards=cards)


def next_trick(state: State, drawn: int, wording: Wording) -> list[str]:
    """What happens between two tricks: each seat has drawn so many cards, and somebody leads."""
    lines = []
    if drawn:
        lines.append(plural("Each player draws {count} card.", "Each player draws {count} cards.", drawn))
        if not state.stock:
            lines.append(tr("The stock is empty now."))
    if state.leader is not None:
        lines.append(tr("{name} leads the next trick.", name=wording.name(state.leader)))
    return lines


def outcome(state: State, wording: Wording) -> list[str]:
    """How the deal came out that has just been scored, and the match if that was its end (R18 to R21)."""
    return [*deal_outcome(state, len(state.results) - 1, wording), *goat_lines(state, wording)]


def goat_lines(state: State, wording: Wording) -> list[str]:
    """Who is the goat (R21); nothing while the match goes on."""
    if state.goat is None:
        return []
    pair = wording.pair(state.goat)
    if state.goat_with_eggs:
        return [tr("{pair} are the goat with eggs.", pair=pair)]
    return [tr("{pair} are the goat.", pair=pair)]


def deal_outcome(state: State, number: int, wording: Wording) -> list[str]:
    """How deal `number`, counted from 0, came out: points, tricks and defeat points of both teams."""
    result = state.results[number]
    lines = [
        tr(
            "{team}: {points} points, {tricks}.",
            team=wording.pair(team),
            points=result.points[team],
            tricks=tricks_text(result.tricks_taken[team]),
        )
        for team in (0, 1)
    ]
    return [*lines, _defeat(result, state, wording)]


def _defeat(result: DealResult, state: State, wording: Wording) -> str:
    if result.eggs:
        return eggs_line(state)
    loser = 0 if result.defeat_points[0] else 1
    count = result.defeat_points[loser]
    return plural(
        "{team} get {count} defeat point.",
        "{team} get {count} defeat points.",
        count,
        team=wording.pair(loser),
    )
