"""What an audit has established of one match: little enough to be kept, and all that is ever counted."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from engine import SEATS, Seat, Team, team_of
from engine.record import DealRecord
from protocol.audit import Audit, Finding

__all__ = ["SOUND", "DealOutcome", "Outcome", "Person", "outcome_of"]

SOUND: Final = frozenset({Finding.FAIR, Finding.INCOMPLETE, Finding.CHEAT})
"""What counts: every event that is there was checked, and belongs there."""


@dataclass(frozen=True, slots=True)
class Person:
    """The owner of a seat: the identity key (32 bytes) and the name in this match."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class DealOutcome:
    """A finished deal. `points` and `defeat_points` are by team, the rest by seat.

    `molodkas` are those that stood, without what was claimed in vain; `molodkas_won` those of them whose
    trick went to their own team.
    """

    points: tuple[int, ...]
    defeat_points: tuple[int, ...]
    eggs: bool
    tricks: tuple[int, ...]
    molodkas: tuple[int, ...]
    molodkas_won: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match as its log tells it.

    `previous` is the id of the match that this one goes on with (§7.13), and None for one that began anew.
    `begun` says that all four have accepted it, `events` how many signed events were checked. `score` and
    `goat` are by team, `culprit` is the seat of the verdict that counts (§8.3).
    """

    match_id: bytes
    finding: Finding
    people: tuple[Person, ...]
    for_show: bool
    previous: bytes | None
    begun: bool
    events: int
    score: tuple[int, ...]
    eggs: int
    goat: Team | None
    culprit: Seat | None
    fault: str | None
    deals: tuple[DealOutcome, ...]

    @property
    def loser(self) -> Team | None:
        """The team that has lost: by a cheat of one of it, else by being the goat; None if nobody has yet."""
        return self.goat if self.culprit is None else team_of(self.culprit)

    def seat_of(self, key: bytes) -> Seat | None:
        """Where somebody sat, by identity key."""
        return next((seat for seat in SEATS if self.people[seat].key == key), None)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON values, from which :meth:`from_json` makes the same again."""
        return {
            **asdict(self),
            "match_id": self.match_id.hex(),
            "finding": self.finding.value,
            "people": [[person.key.hex(), person.name] for person in self.people],
            "previous": self.previous and self.previous.hex(),
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Outcome:
        """Raises ValueError, TypeError, KeyError or AttributeError for what `as_json` has not made."""
        previous = value["previous"]
        return cls(
            **{
                **value,
                "match_id": bytes.fromhex(value["match_id"]),
                "finding": Finding(value["finding"]),
                "people": tuple(Person(bytes.fromhex(key), name) for key, name in value["people"]),
                "previous": None if previous is None else bytes.fromhex(previous),
                "score": tuple(value["score"]),
                "deals": tuple(_deal_from_json(deal) for deal in value["deals"]),
            }
        )


def outcome_of(audit: Audit) -> Outcome:
    """What is kept of an audit that could read the genesis; raises ValueError for another."""
    match = audit.match
    if match is None:
        raise ValueError("there is nothing to keep of a log that cannot be read")
    genesis, state, verdict = match.genesis, match.state, audit.verdict
    return Outcome(
        match_id=genesis.match_id,
        finding=audit.finding,
        people=tuple(Person(member.identity, member.name) for member in genesis.roster),
        for_show=genesis.for_show,
        previous=genesis.previous if genesis.standing is not None else None,
        begun=all(accepted is not None for accepted in match.accepted),
        events=audit.events,
        score=tuple(state.score),
        eggs=state.eggs,
        goat=state.goat,
        culprit=None if verdict is None else verdict.culprit,
        fault=None if verdict is None else verdict.fault,
        deals=tuple(_deal_outcome(deal) for deal in match.finished),
    )


def _deal_outcome(deal: DealRecord) -> DealOutcome:
    """The figures of a finished deal, whose points are never null."""
    tricks, molodkas, won = [0] * 4, [0] * 4, [0] * 4
    for trick in deal["tricks"]:
        taker = trick["taker"]
        assert taker is not None
        tricks[taker] += 1
        for play in trick["plays"]:
            if play["action"] == "molodka" and not play["returned"]:
                molodkas[play["seat"]] += 1
                won[play["seat"]] += team_of(taker) == team_of(play["seat"])
    return DealOutcome(
        points=tuple(deal["points"] or ()),
        defeat_points=tuple(deal["defeat_points"] or ()),
        eggs=deal["eggs"],
        tricks=tuple(tricks),
        molodkas=tuple(molodkas),
        molodkas_won=tuple(won),
    )


def _deal_from_json(value: dict[str, Any]) -> DealOutcome:
    figures: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in value.items()}
    return DealOutcome(**figures)
