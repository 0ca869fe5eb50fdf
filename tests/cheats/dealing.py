"""Cheating while the cards are shuffled and handed out."""

# ruff: noqa: ARG002  Hooks have the arguments of their kind, whether or not they need them.

from __future__ import annotations

from dataclasses import replace

from protocol.bodies import Body, CoinReveal, Dealt, Drawn, Key, Shuffle
from protocol.crypto.group import Point, base, sub
from protocol.crypto.keys import prove_key
from protocol.crypto.masking import Deck, encode_deck, initial_deck
from protocol.crypto.share import make_share
from protocol.crypto.shuffle import prove_shuffle, shuffle
from protocol.facts import HAND_SLOTS, DealFacts
from protocol.fields import DECK, DECK_SIZE, SHARE_BYTES
from protocol.keyring import Keyring
from tests.cheats.crook import Crook, Scheme


class ChangedCoin(Scheme):
    """Reveals another half of the coin than the one committed to."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """Another nonce, when the halves of the others are known."""
        return replace(body, nonce=bytes(32)) if isinstance(body, CoinReveal) else body


class RogueKey(Scheme):
    """Waits for the other keys and chooses its own so that it knows the secret of the sum."""

    def waits(self, crook: Crook, body: Body) -> bool:
        """Until the three others have shown theirs."""
        if not isinstance(body, Key):
            return False
        keys = crook.match.current.keys
        return sum(fact is not None for fact in keys) < 3

    def instead(self, crook: Crook, body: Body) -> Body:
        """The key that makes the joint one known; of its own secret nothing is known."""
        if not isinstance(body, Key):
            return body
        public = base(wanted := 12345)
        for fact in crook.match.current.keys:
            public = sub(public, fact.public) if fact else public
        proof = prove_key(crook.keyring.context(body.deal, "key"), wanted, public)
        return replace(body, public=public, proof=proof.to_bytes())


class ReplayedKeyProof(Scheme):
    """Gives the key, and the proof of knowing it, that served in another match."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """What it would say in a match at another table."""
        if not isinstance(body, Key):
            return body
        ring = Keyring(replace(crook.genesis, table="Another"), crook.seat, bytes(32))
        key = ring.deal_key(body.deal)
        proof = prove_key(ring.context(body.deal, "key"), key, base(key))
        return replace(body, public=base(key), proof=proof.to_bytes())


class _FalseShuffle(Scheme):
    """Shuffles otherwise than it ought to, once."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """The false shuffle, at the first one where it is one."""
        if self.done or not isinstance(body, Shuffle):
            return body
        false = self.shuffled(crook, crook.match.current, body)
        self.done = false != body
        return false

    def shuffled(self, crook: Crook, deal: DealFacts, body: Shuffle) -> Shuffle:
        """A shuffle in place of the honest one."""
        return body


class StackedDeck(_FalseShuffle):
    """Throws away the shuffles of the others and puts in their place a deck whose order it alone knows."""

    def shuffled(self, crook: Crook, deal: DealFacts, body: Shuffle) -> Shuffle:
        """The deck of the start, shuffled and proven by the crook alone."""
        if body.stage != DECK or not deal.deck.steps:
            return body  # As the first to shuffle it would be honest.
        return _proven(crook, deal, body, initial_deck(_joint(deal)))


class DuplicatedCard(_FalseShuffle):
    """Puts one card into the deck twice, and leaves another one out."""

    def shuffled(self, crook: Crook, deal: DealFacts, body: Shuffle) -> Shuffle:
        """The deck before with its first card in the place of the second as well."""
        before = deal.chain(body.stage).last
        assert before is not None
        return _proven(crook, deal, body, (before[0], before[0], *before[2:]))


class BadShuffleProof(_FalseShuffle):
    """Shuffles, but its proof is not one."""

    def shuffled(self, crook: Crook, deal: DealFacts, body: Shuffle) -> Shuffle:
        """The honest deck, and one bit of the proof turned."""
        proof = bytearray(body.proof)
        proof[-1200] ^= 1
        return replace(body, proof=bytes(proof))


def _joint(deal: DealFacts) -> Point:
    assert deal.joint is not None
    return deal.joint


def _proven(crook: Crook, deal: DealFacts, body: Shuffle, before: Deck) -> Shuffle:
    """A shuffle of a deck of the crook's choice, with a proof that holds for it."""
    ring, joint = crook.keyring, _joint(deal)
    after, witness = shuffle(before, joint, ring.shuffle_stream(deal.number, body.stage, b"my own choice"))
    context = ring.context(deal.number, body.stage)
    proof = prove_shuffle(context, joint, before, after, witness, ring.proof_secret)
    return replace(body, deck=encode_deck(after), proof=proof.to_bytes())


class FalseShare(Scheme):
    """Gives a false key to somebody's card, so that another card would come out."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """The first share is made with another key than the crook's."""
        if not isinstance(body, Dealt):
            return body
        deal, ring = crook.match.current, crook.keyring
        slot, final = deal.hand_slots_of_others(crook.seat)[0], deal.deck.final
        assert final is not None
        false = make_share(ring.context(deal.number, DECK), slot, 7, base(7), final[slot], ring.proof_secret)
        return replace(body, shares=false.to_bytes() + body.shares[SHARE_BYTES:])


class OwnShare(Scheme):
    """Gives the key to a card of its own hand in the place of the one that it owes."""

    def instead(self, crook: Crook, body: Body) -> Body:
        """The first share is of an own slot."""
        if not isinstance(body, Dealt):
            return body
        deal = crook.match.current
        final = deal.deck.final
        assert final is not None
        own = next(slot for slot in range(16) if deal.first_holder(slot) == crook.seat)
        share = crook.duties.shares(deal, DECK, (own,), [final[own]])
        return replace(body, shares=share + body.shares[SHARE_BYTES:])


class EarlyShare(Scheme):
    """Gives the keys to the top of the stock while the trick is still played: somebody could see ahead."""

    def unasked(self, crook: Crook) -> Body | None:
        """Shares of the next three cards of the stock, once it is shuffled."""
        deal = crook.match.current
        top = tuple(slot for slot in range(HAND_SLOTS, DECK_SIZE) if slot not in deal.holders)[:3]
        begun = deal.stock.final is not None and bool(deal.tricks) and not deal.tricks[-1].finished_by
        if self.done or not begun or len(top) < 3:
            return None
        self.done = True
        return Drawn(deal.number, len(deal.tricks) - 1, crook.shares_of(deal, top))


class ShareOfNothing(Scheme):
    """Gives keys to cards when the stock is empty and nobody draws."""

    def unasked(self, crook: Crook) -> Body | None:
        """A share of the stock's last card after the last trick."""
        deal = crook.match.current
        if self.done or not deal.played_out or deal.opened[crook.seat]:
            return None
        self.done = True
        return Drawn(deal.number, len(deal.tricks) - 1, crook.shares_of(deal, (35,)))


class ReplayedShares(Scheme):
    """Gives in the second deal the keys to the cards of the first."""

    def __init__(self) -> None:
        self._kept = b""

    def instead(self, crook: Crook, body: Body) -> Body:
        """What was right a deal ago."""
        if not isinstance(body, Dealt):
            return body
        if body.deal == 0:
            self._kept = body.shares
            return body
        return replace(body, shares=self._kept)
