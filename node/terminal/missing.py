"""A player who does not come back: what the others are told and asked, and how they say that he is gone."""

from __future__ import annotations

from engine import Seat
from node.i18n import tr
from node.live import LiveTable
from node.seating.absence import Absences
from node.words.refusals import refusal_sentence
from node.words.wording import Wording
from protocol.errors import PlayRefused

__all__ = ["Missing"]


class Missing:
    """Says each thing once a deal; nobody is declared gone unless the reader types so."""

    def __init__(self, live: LiveTable, wording: Wording) -> None:
        self._live = live
        self._wording = wording
        self._absences = Absences(live)
        self._said: set[object] = set()

    def look(self, now: float) -> list[str]:
        """Lines that are due at this time, in seconds."""
        self._absences.look(now)
        return [*self._votes(), *self._ask(now), *self.handed_over()]

    def declare(self, name: str) -> str | None:
        """Declare the named player gone, or the one whom the talk is of; the reason if that cannot be."""
        able = self._live.table.may_declare_lost
        named = [seat for seat in able if self._wording.name(seat).casefold() == name.casefold()]
        spoken_of = [
            seat for seat in able if ("asked", self._deal, seat) in self._said or seat in self._named()
        ]
        found = named if name else spoken_of
        if not able:
            return tr("Nobody can be declared gone now, only while a deal is played, and once a deal.")
        if len(found) != 1:
            names = ", ".join(self._wording.name(seat) for seat in able)
            return tr("Say who is gone: type “gone” and the name. At this table: {names}.", names=names)
        try:
            self._live.declare_lost(found[0])
        except PlayRefused as refused:
            return refusal_sentence(refused, self._wording)
        return None

    @property
    def _deal(self) -> int:
        return self._live.table.match.current_number

    def _named(self) -> set[Seat]:
        return {vote.seat for vote in self._live.table.match.current.votes if vote is not None}

    def _once(self, *what: object) -> bool:
        new = what not in self._said
        self._said.add(what)
        return new

    def _ask(self, now: float) -> list[str]:
        lines = []
        for seat in self._absences.overdue(now):
            if self._once("asked", self._deal, seat):
                name = self._wording.name(seat)
                lines += [
                    tr("{name} has not been heard of for some time.", name=name),
                    tr(
                        "If the three of you agree, this deal is played to its end without {name}: the"
                        " cards are laid open, and a fixed rule plays them. Next deal {name} may be back.",
                        name=name,
                    ),
                    *self._after_a_restart(seat, name),
                    tr("To say that {name} is gone, type: gone {name}   Or just wait.", name=name),
                ]
        return lines

    def _after_a_restart(self, seat: Seat, name: str) -> list[str]:
        if seat not in self._live.table.unheard:
            return []
        return [
            tr(
                "Your computer was started again, and {name} could not be asked what you have played. Wait if"
                " your files come from an old copy, such as a backup.",
                name=name,
            )
        ]

    def _votes(self) -> list[str]:
        votes = self._live.table.match.current.votes
        lines = []
        for seat, vote in enumerate(votes):
            if vote is not None and self._once("vote", self._deal, seat):
                said = sum(other is not None and other.seat == vote.seat for other in votes)
                lines += self._vote(seat, vote.seat, said)
        return lines

    def _vote(self, seat: Seat, lost: Seat, said: int) -> list[str]:
        voter, name = self._wording.name(seat), self._wording.name(lost)
        if seat == self._live.seat:
            return [tr("You say that {name} is gone ({count} of 3).", name=name, count=said)]
        if lost == self._live.seat:
            return [tr("{voter} says that you are gone. Play, and show them.", voter=voter)]
        line = tr("{voter} says that {name} is gone ({count} of 3).", voter=voter, name=name, count=said)
        if lost not in self._live.table.may_declare_lost:
            return [line]
        return [
            line,
            *self._after_a_restart(lost, name),
            tr("If you agree, type: gone {name}   It takes all three of you.", name=name),
        ]

    def handed_over(self) -> list[str]:
        """That the deal goes on without a seat, said once."""
        loss = self._live.table.match.current.loss
        if loss is None or not self._once("lost", self._deal):
            return []
        if loss.seat == self._live.seat:
            return [
                tr("The others play this deal without you. From the next deal on the seat is yours again.")
            ]
        name = self._wording.name(loss.seat)
        return [
            tr("{name}'s cards lie open now; a fixed rule plays them until this deal is over.", name=name)
        ]
