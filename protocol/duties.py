"""What a seat must do next without being asked (§7.14): everything but playing cards is a duty.

Duties follow from the log alone, so a node that comes back from a crash simply goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.cards import Seat, distance
from protocol.bodies import (
    Accept,
    Body,
    CoinCommit,
    CoinReveal,
    Complaint,
    Concluded,
    Dealt,
    Drawn,
    Key,
    Opened,
    Rescue,
    Result,
    Shuffle,
)
from protocol.crypto.commitment import commit_coin
from protocol.crypto.errors import CryptoError
from protocol.crypto.group import base, encode_scalar
from protocol.crypto.keys import prove_key
from protocol.crypto.masking import Ciphertext, encode_deck
from protocol.crypto.parts import KeyPart, encryption_key, open_part
from protocol.crypto.share import make_share
from protocol.crypto.shuffle import prove_shuffle, shuffle
from protocol.events import Position
from protocol.facts import INDICATOR_SLOT, DealFacts, KeyFact, standing_discards
from protocol.fields import DECK, STOCK
from protocol.keyring import Keyring
from protocol.match import Match
from protocol.rules.closing import final_hash, result_hash
from protocol.rules.dealing import drawn_slots_of_others
from protocol.seat_view import SeatView


class Duties:
    """Looks at the match with one seat's eyes and keys."""

    def __init__(self, match: Match, keyring: Keyring, view: SeatView) -> None:
        self._match = match
        self._keyring = keyring
        self._view = view
        self._seat = keyring.seat
        self._prepared: Dealt | None = None
        self._sound: set[Position] = set()
        """Keys of others whose part for this seat has been opened and found good."""

    def next(self) -> Body | None:
        """The event body that this seat owes now, most urgent first, shuffles apart; or None."""
        match = self._match
        if match.verdicts:
            return None
        if match.accepted[self._seat] is None:
            return Accept(encryption_key(self._keyring.encryption_secret))
        if not all(match.accepted):
            return None
        lost = match.handing_over
        if lost is not None:
            return self._rescue(lost)
        return self._coin() or self._complaint() or self._closing() or self._dealing()

    def _coin(self) -> Body | None:
        match = self._match
        if match.genesis.standing is not None:
            return None
        nonce = self._keyring.coin_nonce()
        if match.coin_commits[self._seat] is None:
            return CoinCommit(commit_coin(match.genesis.match_id, self._seat, nonce))
        if match.coin_reveals[self._seat] is None and all(match.coin_commits):
            return CoinReveal(nonce)
        return None

    def _complaint(self) -> Body | None:
        """Look at the parts that others have sealed for this seat: a bad one is shown to all (§7.3)."""
        match = self._match
        for deal in (match.current, match.find_deal(match.current_number + 1)):
            for seat, key in enumerate(deal.keys if deal else ()):
                if deal is None or key is None or key.at in self._sound or seat == self._seat:
                    continue
                try:
                    self._open_part(deal, seat, key)
                except CryptoError:
                    return Complaint(deal.number, seat, self._keyring.encryption_secret)
                self._sound.add(key.at)
        return None

    def _open_part(self, deal: DealFacts, seat: Seat, key: KeyFact) -> KeyPart:
        context = self._match.context(deal.number, "key", seat)
        return open_part(context, self._seat, key.parts[self._seat], self._keyring.encryption_secret)

    def _rescue(self, deal: DealFacts) -> Body | None:
        """A seat is lost: publish this seat's part of its key, and then wait for the others' (§7.12)."""
        seat = deal.declared_lost
        key = None if seat is None else deal.keys[seat]
        if seat is None or key is None or seat == self._seat or deal.parts[self._seat] is not None:
            return None
        return Rescue(deal.number, seat, self._open_part(deal, seat, key).to_bytes())

    def _closing(self) -> Body | None:
        match = self._match
        played = match.current
        if not match.over and played.played_out and not played.opened[self._seat]:
            return self._open(played)
        last = match.find_deal(len(match.finished) - 1)
        if last is None:
            return None
        if last.results[self._seat] is None:
            return Result(last.number, result_hash(match, last.number))
        if match.over and all(last.of_present(last.results)) and match.finals[self._seat] is None:
            return Concluded(final_hash(match))
        return None

    def _open(self, deal: DealFacts) -> Body:
        slots = self._view.discards(deal)
        discards = tuple(
            (trick, self._keyring.salt(deal.number, trick, play.action.on), slots[trick])
            for trick, play in sorted(standing_discards(deal, self._seat).items())
        )
        return Opened(deal.number, encode_scalar(self._keyring.deal_key(deal.number)), discards)

    def _dealing(self) -> Body | None:
        match = self._match
        if match.over:
            return None
        deal = match.current
        if not all(deal.dealt):
            return self._key(deal) or self._deal(deal)
        following = match.find_deal(deal.number + 1)
        return self._draw(deal) or (following and self._key(following)) or None

    @property
    def has_long_work(self) -> bool:
        """Whether there is a shuffle to make, or something to prepare for the next deal."""
        return self._shuffle_due() is not None or self._deal_to_prepare() is not None

    def long_work(self) -> Body | None:
        """Do one piece of it: the shuffle that is owed, or else make shares ready without sending them."""
        due = self._shuffle_due()
        if due is not None:
            return self._shuffle(*due)
        following = self._deal_to_prepare()
        if following is not None:
            self._prepared = self._make_deal(following)
        return None

    def _deal_to_prepare(self) -> DealFacts | None:
        following = self._match.find_deal(self._match.current_number + 1)
        if following is None or following.deck.final is None or self._match.over:
            return None
        return following if self._prepared is None or self._prepared.deal != following.number else None

    def _shuffle_due(self) -> tuple[DealFacts, str] | None:
        """The shuffle that this seat owes now, the most pressing first: deal and stage.

        Shuffles are the only duty that takes long. The next deal's is due while this one is played, so that
        nobody waits between deals; the stock's while the first trick is played.
        """
        match = self._match
        if match.verdicts or match.over or match.handing_over is not None:
            return None
        deal = match.current
        due = [(deal, DECK), (deal, STOCK)]
        following = match.find_deal(deal.number + 1)
        if following is not None:
            due.append((following, DECK))
        return next((one for one in due if self._is_my_step(*one)), None)

    def _is_my_step(self, deal: DealFacts, stage: str) -> bool:
        chain = deal.chain(stage)
        if chain.last is None or deal.dealer is None:
            return False
        mine = chain.step_of(distance(deal.dealer, self._seat))
        return len(chain.steps) == mine and not (stage == STOCK and self._is_lost(deal))

    def _is_lost(self, deal: DealFacts) -> bool:
        return deal.loss is not None and deal.loss.seat == self._seat

    def _shuffle(self, deal: DealFacts, stage: str) -> Body:
        """Make the shuffle that is due, with its proof (§6.6)."""
        before, joint = deal.chain(stage).last, deal.joint
        if before is None or joint is None:
            raise LookupError("there is nothing to shuffle yet")
        context = self._keyring.context(deal.number, stage)
        stream = self._keyring.shuffle_stream(deal.number, stage, encode_deck(before))
        after, witness = shuffle(before, joint, stream)
        proof = prove_shuffle(context, joint, before, after, witness, self._keyring.proof_secret)
        return Shuffle(deal.number, stage, encode_deck(after), proof.to_bytes())

    def _key(self, deal: DealFacts) -> Body | None:
        if deal.keys[self._seat] is not None:
            return None
        key = self._keyring.deal_key(deal.number)
        public = base(key)
        context = self._keyring.context(deal.number, "key")
        proof = prove_key(context, key, public)
        # Keys are made when all have accepted, so there is a key to seal for at every seat.
        encryption = [public or b"" for public in self._match.encryption]
        return Key(deal.number, public, proof.to_bytes(), self._keyring.sealed_parts(deal.number, encryption))

    def _deal(self, deal: DealFacts) -> Body | None:
        if deal.deck.final is None or deal.dealt[self._seat] is not None:
            return None
        if self._prepared is not None and self._prepared.deal == deal.number:
            return self._prepared
        return self._make_deal(deal)

    def _make_deal(self, deal: DealFacts) -> Dealt:
        final = deal.deck.final
        if final is None:
            raise LookupError("the deck is not shuffled yet")
        slots = (*deal.hand_slots_of_others(self._seat), INDICATOR_SLOT)
        return Dealt(deal.number, self.shares(deal, DECK, slots, [final[slot] for slot in slots]))

    def _draw(self, deal: DealFacts) -> Body | None:
        if deal.stock.final is None or self._is_lost(deal):
            return None
        for number, trick in enumerate(deal.tricks):
            slots = drawn_slots_of_others(trick, self._seat)
            if slots and trick.drawn_by[self._seat] is None:
                ciphertexts = [deal.ciphertext(slot) for slot in slots]
                return Drawn(deal.number, number, self.shares(deal, STOCK, slots, ciphertexts))
        return None

    def shares(
        self, deal: DealFacts, stage: str, slots: Sequence[int], ciphertexts: Iterable[Ciphertext]
    ) -> bytes:
        """This seat's shares of some slots, one after the other (§6.7)."""
        key = self._keyring.deal_key(deal.number)
        public = base(key)
        context = self._keyring.context(deal.number, stage)
        secret = self._keyring.proof_secret
        return b"".join(
            make_share(context, slot, key, public, ciphertext, secret).to_bytes()
            for slot, ciphertext in zip(slots, ciphertexts, strict=True)
        )
