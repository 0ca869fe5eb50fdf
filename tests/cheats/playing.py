"""Cheating with the cards: at the table, and in what is shown of it after the deal."""

# ruff: noqa: ARG002  Hooks have the arguments of their kind, whether or not they need them.

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from engine import Beat, Card, Discard, IllegalAction, Play, check, turn
from protocol.bodies import Beaten, Body, Claimed, Concluded, Discarded, Led, Opened, Result
from protocol.crypto.group import encode_scalar
from protocol.facts import standing_discards
from tests.cheats.crook import Crook, Playing, Scheme
from tests.protocol.matches import facts_of


class ForeignCard(Scheme):
    """Plays a card that lies in somebody else's hand."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """As many cards of others as were to be played."""
        if not isinstance(body, Playing):
            return body
        deal = crook.match.current
        count = body.count if isinstance(body, Discarded) else len(body.slots)
        slots = tuple(slot for slot in range(16) if deal.first_holder(slot) != crook.seat)[:count]
        shares = crook.shares_of(deal, slots)
        if isinstance(body, Discarded):
            return Beaten(body.deal, body.trick, body.on, slots, shares)
        return replace(body, slots=slots, shares=shares)


class OutOfTurn(Scheme):
    """Leads although it is another seat's turn."""

    def unasked(self, crook: Crook) -> Body | None:
        """One card of its hand while somebody else is to play."""
        trick = crook.state.trick
        if self.done or not crook.view.may_play or trick is None or trick.has_played(crook.seat):
            return None
        if crook.seat in (turn(crook.state), trick.entitled):
            return None
        self.done = True
        return _shown(crook, Led, tuple(crook.hand().values())[:1])


class NotBeating(Scheme):
    """Says of cards that do not beat that they beat."""

    def prefers(self, play: Play) -> bool:
        """A discard can be replaced."""
        return isinstance(play, Discard)

    def instead(self, crook: Crook, body: Body) -> Body:
        """Cards of its hand that do not beat, face up in place of a discard."""
        if self.done or not isinstance(body, Discarded):
            return body
        hand = crook.hand(body)
        for cards in combinations(sorted(hand), body.count):
            try:
                check(crook.state, Beat(crook.seat, cards, body.on))
            except IllegalAction:
                self.done = True
                slots = tuple(sorted(hand[card] for card in cards))
                shares = crook.shares_of(crook.match.current, slots)
                return Beaten(body.deal, body.trick, body.on, slots, shares)
        return body


class TwoSuits(Scheme):
    """Leads cards of two suits."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """Two cards of different suits, as soon as its lead finds it with such."""
        if self.done or not isinstance(body, Led):
            return body
        hand = crook.hand(body)
        mixed = [pair for pair in combinations(sorted(hand), 2) if pair[0].suit is not pair[1].suit]
        if not mixed:
            return body
        self.done = True
        return _shown(crook, Led, tuple(sorted(hand[card] for card in mixed[0])))


class FalseMolodka(Scheme):
    """Claims the lead with four cards that are not of one suit."""

    def unasked(self, crook: Crook) -> Body | None:
        """All four cards, before its own play."""
        trick = crook.state.trick
        if self.done or not crook.view.may_play or trick is None or trick.has_played(crook.seat):
            return None
        hand = crook.hand()
        if trick.entitled == crook.seat or len(hand) != 4 or len({card.suit for card in hand}) == 1:
            return None
        self.done = True
        return _shown(crook, Claimed, tuple(sorted(hand.values())))


class LateMolodka(Scheme):
    """Claims the lead after it has already played in the trick."""

    def unasked(self, crook: Crook) -> Body | None:
        """The cards that it began the trick with, after its answer."""
        trick = crook.state.trick
        if self.done or trick is None or trick.complete or not trick.has_played(crook.seat):
            return None
        hand = crook.hand()
        if trick.entitled == crook.seat or len(hand) != 4:
            return None
        self.done = True
        return _shown(crook, Claimed, tuple(sorted(hand.values())))


def _shown(crook: Crook, kind: type[Led | Claimed], slots: tuple[int, ...]) -> Body:
    deal = crook.match.current
    return kind(deal.number, len(deal.tricks) - 1, slots, crook.shares_of(deal, slots))


class _FalseDiscard(Scheme):
    """Commits to other cards than the ones that leave its hand, and opens what it has committed to."""

    def __init__(self) -> None:
        self._said: dict[bytes, tuple[int, ...]] = {}

    def prefers(self, play: Play) -> bool:
        """Only a discard is face down."""
        return isinstance(play, Discard)

    def instead(self, crook: Crook, body: Body) -> Body:
        """The false commitment, anew if it went back (R14), and the opening that fits it."""
        if isinstance(body, Opened):
            stood = standing_discards(facts_of(crook.match, body.deal), crook.seat)
            discards = tuple(
                (trick, salt, self._said.get(stood[trick].commitment, slots))
                for trick, salt, slots in body.discards
            )
            return replace(body, discards=discards)
        if not isinstance(body, Discarded) or self._stands(crook):
            return body
        held = tuple(sorted(crook.hand(body).values()))
        thrown = crook.keyring.recall_discard(
            body.deal, body.trick, body.on, body.commitment, body.count, held
        )
        assert thrown is not None
        said = self.said(crook, thrown, tuple(slot for slot in held if slot not in thrown))
        if len(said) != len(thrown):
            return body
        self.done = True
        commitment = crook.keyring.commit_falsely(body, thrown, said)
        self._said[commitment] = said
        return replace(body, commitment=commitment)

    def _stands(self, crook: Crook) -> bool:
        """Whether a false discard is among those that will have to be opened."""
        stood = standing_discards(crook.match.current, crook.seat).values()
        return any(play.commitment in self._said for play in stood)

    def said(self, crook: Crook, thrown: tuple[int, ...], kept: tuple[int, ...]) -> tuple[int, ...]:
        """The slots to commit to; of another number when it cannot be done now."""
        return thrown


class ForeignDiscard(_FalseDiscard):
    """Discards cards that lie in somebody else's hand."""

    def said(self, crook: Crook, thrown: tuple[int, ...], kept: tuple[int, ...]) -> tuple[int, ...]:
        """The first cards that others were dealt."""
        deal = crook.match.current
        return tuple(slot for slot in range(16) if deal.first_holder(slot) != crook.seat)[: len(thrown)]


class HeldBack(_FalseDiscard):
    """Discards a card, keeps it all the same and plays it later, face up if it can."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: set[Card] = set()

    def prefers(self, play: Play) -> bool:
        """First a discard, then anything but a second discard of the cards that were kept."""
        if not self.done:
            return super().prefers(play)
        return not (isinstance(play, Discard) and self._kept.intersection(play.cards or ()))

    def said(self, crook: Crook, thrown: tuple[int, ...], kept: tuple[int, ...]) -> tuple[int, ...]:
        """Cards that stay in the hand; the ones that leave it are never seen again."""
        said = kept[: len(thrown)]
        self._kept = {card for card, slot in crook.hand().items() if slot in said}
        return said


class _FalseOpening(Scheme):
    """Opens the deal falsely."""

    def prefers(self, play: Play) -> bool:
        """There has to be something to open."""
        return isinstance(play, Discard)

    def instead(self, crook: Crook, body: Body) -> Body:
        """The false opening of the first deal in which the crook has discarded."""
        if self.done or not isinstance(body, Opened) or not body.discards:
            return body
        self.done = True
        return self.opened(body)

    def opened(self, body: Opened) -> Opened:
        """The opening in place of the honest one."""
        return body


class RefusedOpening(_FalseOpening):
    """Does not open one of its discards."""

    def opened(self, body: Opened) -> Opened:
        """All but the first."""
        return replace(body, discards=body.discards[1:])


class OtherCards(_FalseOpening):
    """Shows other cards than those that it had discarded."""

    def opened(self, body: Opened) -> Opened:
        """As many other slots as the first discard had."""
        (trick, salt, slots), *rest = body.discards
        other = tuple(slot for slot in range(36) if slot not in slots)[: len(slots)]
        return replace(body, discards=((trick, salt, other), *rest))


class OtherKey(_FalseOpening):
    """Opens the deal with another key than the one that it had locked it with."""

    def opened(self, body: Opened) -> Opened:
        """A key that is no secret."""
        return replace(body, key=encode_scalar(12345))


class FalseResult(Scheme):
    """Signs points that the cards do not add up to."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """The hash of something else."""
        return replace(body, hash=bytes(32)) if isinstance(body, Result) else body


class FalseEnd(Scheme):
    """Signs an end of the match that the deals do not add up to."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """The hash of something else."""
        return replace(body, hash=bytes(32)) if isinstance(body, Concluded) else body
