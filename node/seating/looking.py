"""A choice to look at: of the match under way as the own seat sees it, or of a deal that is over (§7.11).

Nothing is signed here and nobody sits down: of a seat's secrets only that of its cards is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine import Play, Seat, State, actions_from_record, apply, legal_actions, player_view, turn
from node.errors import LogUnreadable, WishRefused
from node.i18n import tr
from node.words.wording import distinct
from protocol.events import SignedEvent
from protocol.genesis import Genesis
from protocol.keyring import Keyring
from protocol.log import EventLog
from protocol.match import Match
from protocol.replica import Received, Replica
from protocol.seat_view import SeatView

__all__ = ["Position", "past_position", "position_now"]


@dataclass(frozen=True, slots=True)
class Position:
    """A choice that `seat` has or had: what it sees, what it may play, and what it `played` if that is known.

    `deal` and `trick` are counted from 0.
    """

    match_id: bytes
    names: tuple[str, ...]
    deal: int
    trick: int
    seat: Seat
    view: State
    legal: tuple[Play, ...]
    played: Play | None = None


def position_now(genesis: Genesis, seat: Seat, secret: bytes, events: Iterable[SignedEvent]) -> Position:
    """The choice that is due in a match under way, from the log and the seat's match secret.

    Raises WishRefused where the seat has no choice now.
    """
    match, view = _seen_by(genesis, seat, secret, events)
    state, awaited = view.state, turn(view.state)
    names = tuple(distinct([member.name for member in genesis.roster]))
    if match.over or match.verdicts:
        raise WishRefused(tr("The match is over: there is nothing to choose any more."))
    if awaited is None or not view.may_play:
        raise WishRefused(tr("No play is awaited at this moment. Ask again when it is your turn."))
    if awaited != seat:
        raise WishRefused(tr("It is {name}'s turn, not yours. Ask again when it is.", name=names[awaited]))
    legal = tuple(legal_actions(state, seat))
    deal, trick = state.deal_number, len(state.tricks)
    return Position(genesis.match_id, names, deal, trick, seat, state, legal)


def _seen_by(
    genesis: Genesis, seat: Seat, secret: bytes, events: Iterable[SignedEvent]
) -> tuple[Match, SeatView]:
    """Judge a log, and look at it with the eyes of one seat."""
    log = EventLog(genesis)
    match, replica = Match(log), Replica(log)
    view = SeatView(match, Keyring(genesis, seat, secret))
    received = Received()
    for signed in events:
        replica.add(signed, received)
    for event in received.added:
        match.admit(event)
        view.advance()
    for proof in received.proofs:
        match.admit_fork(proof)
    return match, view


def past_position(match: Match, deal: int, trick: int, seat: Seat) -> Position:
    """The choice that a seat had in a trick of a finished deal, both counted from 0.

    Where cards went back (R14) it is the last choice, to the lead that counts. Raises LogUnreadable where
    there is no such deal or trick.
    """
    _check_deal(match, deal)
    tricks = len(match.finished[deal]["tricks"])
    if trick >= tricks:
        raise LogUnreadable(
            tr("This deal has {count} tricks; there is no trick {trick}.", count=tricks, trick=trick + 1)
        )
    state = match.genesis.new_match()
    before: tuple[State, Play] | None = None
    for action in actions_from_record({"deals": match.finished[: deal + 1]}):
        here = state.deal_number == deal and len(state.tricks) == trick
        if here and isinstance(action, Play) and action.seat == seat:
            before = state, action
        state = apply(state, action)
    assert before is not None, "all four play in every finished trick"
    view, names = player_view(before[0], seat), distinct([member.name for member in match.genesis.roster])
    legal = tuple(legal_actions(view, seat))
    return Position(match.genesis.match_id, tuple(names), deal, trick, seat, view, legal, before[1])


def _check_deal(match: Match, deal: int) -> None:
    done = len(match.finished)
    if deal < done:
        return
    if deal == done and match.current.state is not None and not match.over:
        raise LogUnreadable(tr("Deal {number} is not finished: its cards stay hidden.", number=deal + 1))
    raise LogUnreadable(
        tr("The match has {count} deals; there is no deal {deal}.", count=done, deal=deal + 1)
    )
