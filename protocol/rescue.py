"""How a deal goes on when a seat is lost (§7.12): its key and salts are known, a fixed rule plays its cards.

The deal is established anew from what counts: all that the three others did, and of the lost seat's own
events those that one of the three had seen when it gave its part. What the seat signed later, in good faith
and in a race with its own loss, came too late and changes nothing.
"""

from __future__ import annotations

from dataclasses import replace

from engine.actions import Discard
from engine.cards import Seat, distance
from protocol.crypto.commitment import recall_discard
from protocol.crypto.parts import join_parts
from protocol.errors import Fault
from protocol.facts import Chain, DealFacts, Loss, OpenFact
from protocol.keyring import discard_salt
from protocol.match_facts import MatchFacts
from protocol.play_facts import PlayFact
from protocol.progress import add_play, begin_play, play_absent
from protocol.rules.closing import reveal_if_open


def rescue_deal(match: MatchFacts, deal: DealFacts, seat: Seat) -> None:
    """Three parts are there: open the lost seat's cards, and play on without it.

    Raises a :class:`Fault` of that seat when a commitment of its own does not hold.
    """
    if deal.base is None:
        raise LookupError("a seat can be lost only after the deal")
    loss = _loss(deal, seat)
    after = _what_counts(deal, loss)
    begin_play(after, deal.base)
    own = _OwnDiscards(match.genesis.match_id, after, loss)
    for number, trick in enumerate(deal.tricks):
        if number == len(after.tricks):
            break
        after.tricks[number].drawn_by = [at if at and loss.keeps(at) else None for at in trick.drawn_by]
        kept = [play for play in trick.plays if play.at is not None and loss.keeps(play.at)]
        stands = all(play in kept for play in trick.standing)
        for play in kept:
            hidden = bool(trick.standing) and stands and play not in trick.standing
            add_play(after, number, own.turned_up(number, play, hidden=hidden))
        own.note_standing(number)
    deal.rescued = after
    match.losses.append((deal.number, seat))
    play_absent(after)
    reveal_if_open(match, after)


def _loss(deal: DealFacts, seat: Seat) -> Loss:
    facts = [fact for fact in deal.parts if fact is not None]
    whole = join_parts([fact.part for fact in facts])
    cut = max(fact.seen for fact in facts)
    return Loss(seat, whole.scalar, whole.seed, cut, tuple(fact.at for fact in facts))


def _what_counts(deal: DealFacts, loss: Loss) -> DealFacts:
    """The deal before its first trick, with the key of the lost seat in everybody's hands."""
    steps = [(deck, at) for deck, at in deal.stock.steps if loss.keeps(at)]
    shuffled = any(at.author == loss.seat for _, at in steps)
    opened = [fact if fact and fact.at and loss.keeps(fact.at) else None for fact in deal.opened]
    given = opened[loss.seat]
    # What it discarded is turned up in the plays themselves, so nothing is left to be opened.
    opened[loss.seat] = OpenFact(given.at if given else None, loss.key, {})
    return DealFacts(
        deal.number,
        deal.dealer,
        loss=loss,
        votes=deal.votes,
        parts=deal.parts,
        keys=deal.keys,
        joint=deal.joint,
        deck=deal.deck,
        stock=Chain(None, steps, None if shuffled else distance(deal.shuffler(0), loss.seat)),
        dealt=deal.dealt,
        indicator_shares=deal.indicator_shares,
        shares={slot: dict(points) for slot, points in deal.shares.items()},
        opened=opened,
        results=deal.results,
    )


class _OwnDiscards:
    """What the lost seat laid face down: its salts are known now, so its commitments can be opened."""

    def __init__(self, match_id: bytes, deal: DealFacts, loss: Loss) -> None:
        self._match_id = match_id
        self._deal = deal
        self._loss = loss
        self._gone: set[int] = set()

    def turned_up(self, number: int, play: PlayFact, *, hidden: bool) -> PlayFact:
        """The play with its cards, if it is a discard of the lost seat; one that went back stays `hidden`."""
        action = play.action
        if action.seat != self._loss.seat:
            return play
        slots = self._recall(number, action, play) if isinstance(action, Discard) else play.slots
        if self._gone.intersection(slots):
            raise self._fault("card-played-twice", f"a card of trick {number} was gone before", play)
        if hidden or not isinstance(action, Discard):
            return play
        cards = tuple(sorted(self._deal.shown[slot] for slot in slots))
        return replace(play, action=replace(action, cards=cards), slots=slots)

    def note_standing(self, number: int) -> None:
        """What the lost seat has played in a finished trick cannot be played again."""
        for play in self._deal.tricks[number].standing:
            if play.action.seat == self._loss.seat:
                self._gone.update(play.slots)

    def _recall(self, number: int, action: Discard, play: PlayFact) -> tuple[int, ...]:
        """The slots behind a commitment: there is no honest one that does not open (§6.2)."""
        loss, deal = self._loss, self._deal
        salt = discard_salt(loss.salt_seed, number, action.on)
        had = [s for s, (holder, since) in deal.holders.items() if holder == loss.seat and since <= number]
        where = (self._match_id, deal.number, number, loss.seat, action.on)
        slots = recall_discard(play.commitment or b"", *where, salt, had, action.count)
        if slots is not None:
            return slots
        raise self._fault("bad-commitment", f"no cards of its hand fit its discard in trick {number}", play)

    def _fault(self, code: str, detail: str, play: PlayFact) -> Fault:
        at = () if play.at is None else (play.at,)
        return Fault(code, detail, (*at, *self._loss.rescues))
