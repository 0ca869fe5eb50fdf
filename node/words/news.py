"""What has happened between two looks at the table, one line each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine import Beat, Branch, Discard, Lead, Play, Seat, State, Trick
from node.i18n import plural, tr
from node.words.retelling import deal_outcome
from node.words.sheets import deal_sheet
from node.words.wording import Wording

__all__ = ["news"]


class _Placed(NamedTuple):
    """A play and where it stands: which trick of the deal, and whose lead it belongs to."""

    trick: int
    branch: Branch
    play: Play

    @property
    def key(self) -> tuple[int, Seat, Seat]:
        """A seat plays once on each lead."""
        return self.trick, self.branch.leader, self.play.seat


def news(before: State | None, after: State, wording: Wording) -> list[str]:
    """Lines for everything that `after` holds and `before` does not.

    Both are the reader's views, or what everybody sees for one who only watches.
    """
    wording = wording.under(after)
    lines: list[str] = []
    old_deal = before is not None and before.indicator is not None and before.deal_number == after.deal_number
    if old_deal and before is not None:
        lines += _played(before, after, wording)
    for number in range(len(before.results) if before is not None else 0, len(after.results)):
        lines += ["", *_deal_over(after, number, wording)]
    if not old_deal and after.indicator is not None:
        lines += ["", *_dealt(after, wording), *_played(None, after, wording)]
    return lines


def _deal_over(state: State, number: int, wording: Wording) -> list[str]:
    if wording.me is not None:
        return deal_sheet(state, number, wording)
    title = tr("--- Deal {number} is over ---", number=number + 1)
    score = tr("Defeat points {first} to {second}.", first=state.score[0], second=state.score[1])
    return [title, *deal_outcome(state, number, wording), score]


def _dealt(state: State, wording: Wording) -> list[str]:
    """Who deals, what is trump, and the reader's own four cards."""
    if state.indicator is None or state.dealer is None or state.dealt is None:
        return []
    fields = {
        "number": state.deal_number + 1,
        "name": wording.name(state.dealer),
        "trump": wording.trump(state.indicator.suit),
        "card": wording.card(state.indicator),
    }
    if state.dealer == wording.me:
        line = tr("--- Deal {number}: you deal. Trump is {trump}, {card} was shown. ---", **fields)
    else:
        line = tr("--- Deal {number}: {name} deals. Trump is {trump}, {card} was shown. ---", **fields)
    hand = state.dealt.hands[wording.me] if wording.me is not None else None
    return [line] if hand is None else [line, tr("You are dealt {cards}.", cards=wording.cards(hand))]


def _played(before: State | None, after: State, wording: Wording) -> list[str]:
    """The plays of one deal that are new, the tricks that they finished, and the reader's own new cards."""
    lines: list[str] = []
    old_tricks = _tricks(before) if before is not None else ()
    known = {placed.key for placed in _placed(old_tricks)}
    done = len(before.tricks) if before is not None else 0
    for number, trick in enumerate(_tricks(after)):
        if number == len(after.tricks):
            lines += _drawn(before, after, wording)
        old = old_tricks[number] if number < len(old_tricks) else None
        lines += _trick_news(number, trick, old, known, wording)
        if done <= number < len(after.tricks) and trick.taker is not None:
            lines.append(_taken(trick.taker, wording))
    return lines


def _trick_news(
    number: int, trick: Trick, old: Trick | None, known: set[tuple[int, Seat, Seat]], wording: Wording
) -> Iterator[str]:
    was = None if old is None else old.effective
    for placed in _placed((trick,), number):
        if placed.key in known:
            continue
        stands = placed.branch is trick.effective
        opening = placed.play.seat == placed.branch.leader
        yield from _opened(placed, stands, wording) if opening else _answered(placed, stands, wording)
        if opening and stands and was is not None and was.leader != placed.branch.leader:
            yield from _returned(was, wording)


def _opened(placed: _Placed, stands: bool, wording: Wording) -> Iterator[str]:
    seat, cards = placed.play.seat, wording.cards(placed.play.cards or ())
    mine = seat == wording.me
    if isinstance(placed.play, Lead):
        yield (
            tr("You lead {cards}.", cards=cards)
            if mine
            else tr("{name} leads {cards}.", name=wording.name(seat), cards=cards)
        )
    else:
        yield (
            tr("Molodka! You lead out of turn: {cards}.", cards=cards)
            if mine
            else tr("Molodka! {name} leads out of turn: {cards}.", name=wording.name(seat), cards=cards)
        )
    if not stands:
        yield (
            tr("That lead does not count, and your cards come back to you.")
            if mine
            else tr("That lead does not count, and the cards go back to {name}.", name=wording.name(seat))
        )


def _answered(placed: _Placed, stands: bool, wording: Wording) -> Iterator[str]:
    yield _answer(placed.play, wording)
    if not stands:
        yield (
            tr("That came too late: your cards come back to you.")
            if placed.play.seat == wording.me
            else tr("That came too late: the cards go back to {name}.", name=wording.name(placed.play.seat))
        )


def _answer(play: Play, wording: Wording) -> str:
    name, mine = wording.name(play.seat), play.seat == wording.me
    if isinstance(play, Discard):
        if mine and play.cards is not None:
            return tr("You discard {cards}, face down.", cards=wording.cards(play.cards))
        return plural("{name} discards 1 card.", "{name} discards {count} cards.", play.count, name=name)
    assert isinstance(play, Beat)
    cards = wording.cards(play.cards)
    return (
        tr("You beat with {cards}.", cards=cards)
        if mine
        else tr("{name} beats with {cards}.", name=name, cards=cards)
    )


def _returned(branch: Branch, wording: Wording) -> Iterator[str]:
    """A stronger lead has taken the place of `branch`: everything played on that one goes back (R14)."""
    yield tr("All cards played in this trick go back to their owners.")
    play = branch.play_of(wording.me) if wording.me is not None else None
    if play is not None:
        cards = wording.cards(play.cards or ())
        yield tr("Your {cards} came back to your hand.", cards=cards)


def _taken(taker: Seat, wording: Wording) -> str:
    if taker == wording.me:
        return tr("You take the trick.")
    return tr("{name} takes the trick.", name=wording.name(taker))


def _drawn(before: State | None, after: State, wording: Wording) -> list[str]:
    new = after.drawn[len(before.drawn) if before is not None else 0 :]
    mine = [draw.card for draw in new if draw.seat == wording.me and draw.card is not None]
    lines = [tr("You draw {cards}.", cards=wording.cards(mine))] if mine else []
    if new and after.stock == 0:
        lines.append(tr("The stock is empty now."))
    return lines


def _tricks(state: State) -> tuple[Trick, ...]:
    return state.tricks if state.trick is None else (*state.tricks, state.trick)


def _placed(tricks: tuple[Trick, ...], first: int = 0) -> Iterator[_Placed]:
    for number, trick in enumerate(tricks, first):
        for branch in trick.branches:
            for play in branch.plays():
                yield _Placed(number, branch, play)
