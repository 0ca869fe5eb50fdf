"""A player who vanishes (§7.12): complaints about key parts, declarations of loss, rescue of the deal.

It takes all three others, the lost seat's partner included, to open its cards: each holds a part of its key.
"""

from __future__ import annotations

from protocol.bodies import Body, Complaint, Lost, Rescue, Result
from protocol.crypto.errors import CryptoError
from protocol.crypto.parts import KeyPart, encryption_key, open_part, verify_part
from protocol.errors import Fault
from protocol.events import Event
from protocol.facts import DealFacts, PartFact, Vote
from protocol.match_facts import MatchFacts
from protocol.rescue import rescue_deal
from protocol.rules.common import blamed_as, out_of_order, require_first, require_seen


def judge_complaint(match: MatchFacts, event: Event, body: Complaint) -> None:
    """The author's secret shows that its part of a seat's key is not what was published, or is a lie."""
    key = match.deal(body.deal, event).keys[body.seat]
    require_seen(event, [key and key.at])
    sealed = key and key.parts.get(event.author)
    if key is None or sealed is None:
        raise Fault("false-complaint", "it complains about a part that its author never had to get")
    if encryption_key(body.secret) != match.encryption[event.author]:
        raise Fault("false-complaint", "the secret is not the one that parts are sealed for")
    context = match.context(body.deal, "key", body.seat)
    try:
        open_part(context, event.author, sealed, body.secret)
    except CryptoError as error:
        evidence = [key.at, event.position]
        raise Fault("bad-key-part", f"the sealed part of its key was refused: {error}", evidence) from error
    raise Fault("false-complaint", "the part that it complains about is as it should be")


def judge_lost(match: MatchFacts, event: Event, body: Lost) -> None:
    """One of the others declares a seat lost; it may do so once in a deal, and for one seat."""
    deal = match.deal(body.deal, event)
    require_seen(event, deal.dealt)
    if body.seat == event.author:
        raise Fault("malformed-body", "a seat cannot declare itself lost")
    require_first(deal.votes[event.author], "declared a seat lost in this deal")
    deal.votes[event.author] = Vote(body.seat, event.position)


def judge_rescue(match: MatchFacts, event: Event, body: Rescue) -> None:
    """All three have declared the seat lost: with the third part its key and its salts are known."""
    deal = match.deal(body.deal, event)
    if deal.declared_lost != body.seat or not _declared(deal, event) or event.author == body.seat:
        raise out_of_order()
    require_first(deal.parts[event.author], "given its part of the lost seat's key")
    key = deal.keys[body.seat]
    if key is None:
        raise out_of_order()
    with blamed_as("bad-rescue", "the part of the lost seat's key was refused"):
        part = KeyPart.from_bytes(body.part)
        context = match.context(deal.number, "key", body.seat)
        verify_part(context, event.author, key.parts[event.author], part)
    deal.parts[event.author] = PartFact(part, event.position, event.vector[body.seat])
    if sum(fact is not None for fact in deal.parts) == 3:
        rescue_deal(match, deal, body.seat)


def check_handing_over(match: MatchFacts, event: Event, body: Body) -> None:
    """Once three have declared a seat lost, each gives its part next, and then waits for the others'.

    So nobody plays with the lost seat's cards in sight while others do not see them. It is needless when the
    seat has opened its cards itself, and so ended the deal, as far as the author has seen. When the seat has
    seen the rescue it has no say in the deal; what it signed before is judged like anything else.
    """
    for deal in match.deals_in_reach:
        if not _declared(deal, event):
            continue
        through = deal.rescued is not None and match.saw_rescue(deal.rescued, event)
        ended = all(fact is not None and fact.at and event.saw(fact.at) for fact in deal.opened)
        if event.author == deal.declared_lost:
            if through and getattr(body, "deal", None) == deal.number and not isinstance(body, Result):
                raise Fault("seat-lost", "its seat was declared lost for this deal")
        elif not (through or ended) and not (isinstance(body, Rescue) and deal.parts[event.author] is None):
            raise Fault("out-of-order", "the lost seat's key has to be put together first")


def _declared(deal: DealFacts, event: Event) -> bool:
    """Whether the event's author had seen all three declarations that a seat of this deal is lost."""
    lost = deal.declared_lost
    return lost is not None and all(event.saw(vote.at) for vote in deal.votes if vote and vote.seat == lost)
