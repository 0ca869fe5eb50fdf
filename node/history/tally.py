"""From verified outcomes to one player's figures. Pure: nothing is read, and the order does not matter.

Nothing counts twice. Of several outcomes of one match, the one that tells most counts. A match that goes on
with another (§7.13) is one match with it for everybody who sat in both; its links are told apart only where
that matters: a partner who has left has not won what was won later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine import SEATS, Seat, partner_of, team_of
from node.history.figures import Figures, LeftOut, Result, Together, Turn
from node.history.outcome import SOUND, Outcome
from protocol.audit import Finding

__all__ = ["Dated", "tally", "why_left_out"]


@dataclass(frozen=True, slots=True)
class Dated:
    """An outcome, and when the match was begun if that is known, in seconds since 1970."""

    outcome: Outcome
    created: float | None = None


def why_left_out(outcome: Outcome, key: bytes) -> LeftOut | None:
    """Why an outcome does not count for the player with this identity (32 bytes); None if it does."""
    if outcome.seat_of(key) is None:
        return LeftOut.STRANGER
    if outcome.for_show:
        return LeftOut.FOR_SHOW
    if outcome.finding not in SOUND:
        return LeftOut.DAMAGED
    return None if outcome.begun else LeftOut.NOT_BEGUN


def tally(found: Iterable[Dated], key: bytes) -> Figures:
    """The figures of the player with this identity (32 bytes); what does not count is passed over."""
    matches = sorted(
        (_Match(key, links) for links in _chains(_one_each(found), key)),
        key=lambda match: (match.created is None, match.created or 0.0, match.links[0].outcome.match_id),
    )
    sums: Counter[str] = Counter()
    for match in matches:
        sums.update(match.sums())
    course = tuple(turn for match in matches if (turn := match.turn()) is not None)
    counted: dict[str, Any] = dict(sums)
    return Figures(
        **counted,
        longest_wins=_longest(course, Result.WON),
        longest_losses=_longest(course, Result.LOST),
        partners=_together(matches, partners=True),
        opponents=_together(matches, partners=False),
        course=course,
    )


# One match of several logs


@dataclass(frozen=True, slots=True)
class _Match:
    """A match and what it went on as, in order; the player sits in all of it."""

    key: bytes
    links: tuple[Dated, ...]

    @property
    def created(self) -> float | None:
        return min((link.created for link in self.links if link.created is not None), default=None)

    @property
    def deciding(self) -> Outcome | None:
        """What it was decided by: a cheat stops all of it, else somebody becomes the goat."""
        outcomes = [link.outcome for link in self.links]
        cheats = (outcome for outcome in outcomes if outcome.culprit is not None)
        goats = (outcome for outcome in reversed(outcomes) if outcome.goat is not None)
        return next(cheats, None) or next(goats, None)

    @property
    def result(self) -> Result:
        deciding = self.deciding
        if deciding is None:
            return Result.UNFINISHED
        return Result.LOST if deciding.loser == team_of(self.seat(deciding)) else Result.WON

    def seat(self, outcome: Outcome) -> Seat:
        seat = outcome.seat_of(self.key)
        assert seat is not None
        return seat

    def sums(self) -> Counter[str]:
        sums = Counter({self.result.value: 1})
        deciding = self.deciding
        if deciding is not None and deciding.culprit is not None:
            sums[f"{self.result.value}_by_cheat"] += 1
        elif deciding is not None:
            kind = "goats_given" if self.result is Result.WON else "goats_suffered"
            sums[kind] += 1
            sums[f"{kind}_with_eggs"] += deciding.eggs > 0
        for link in self.links:
            sums.update(_deal_sums(link.outcome, self.seat(link.outcome)))
        return sums

    def turn(self) -> Turn | None:
        if self.created is None:
            return None
        sums = self.sums()
        given, taken = sums["defeat_points_given"], sums["defeat_points_taken"]
        return Turn(self.links[0].outcome.match_id, self.created, self.result, given, taken)


def _deal_sums(outcome: Outcome, seat: Seat) -> Counter[str]:
    own, other = team_of(seat), 1 - team_of(seat)
    sums: Counter[str] = Counter()
    for deal in outcome.deals:
        sums["deals_eggs" if deal.eggs else "deals_won" if deal.points[own] > 60 else "deals_lost"] += 1
        sums["points"] += deal.points[own]
        sums["points_of_others"] += deal.points[other]
        sums["defeat_points_taken"] += deal.defeat_points[own]
        sums["defeat_points_given"] += deal.defeat_points[other]
        sums["tricks"] += deal.tricks[seat]
        sums["tricks_of_team"] += deal.tricks[seat] + deal.tricks[partner_of(seat)]
        sums["molodkas"] += deal.molodkas[seat]
        sums["molodkas_won"] += deal.molodkas_won[seat]
    return sums


def _one_each(found: Iterable[Dated]) -> list[Dated]:
    """One outcome for each match: a proven cheat before all, then the whole match, then the most events."""
    best: dict[bytes, Dated] = {}
    for dated in found:
        other = best.get(dated.outcome.match_id)
        dates = [one.created for one in (dated, other) if one and one.created is not None]
        outcome = dated.outcome if other is None else max(other.outcome, dated.outcome, key=_tells)
        best[outcome.match_id] = Dated(outcome, min(dates, default=None))
    return list(best.values())


def _tells(outcome: Outcome) -> tuple[bool, bool, bool, int]:
    finding = outcome.finding
    return finding in SOUND, finding is Finding.CHEAT, finding is Finding.FAIR, outcome.events


def _chains(found: Sequence[Dated], key: bytes) -> list[tuple[Dated, ...]]:
    """What counts, as whole matches: first the one that began anew, each link after the one before it.

    A link that does not count, or is not here, still joins those before and after it. Should a match have
    gone on in two ways, both are links of it.
    """
    previous = {dated.outcome.match_id: dated.outcome.previous for dated in found}
    chains: dict[bytes, list[tuple[int, bytes, Dated]]] = {}
    for dated in found:
        if why_left_out(dated.outcome, key) is None:
            # An id is a hash of what names the match before, so that this comes to an end.
            root, depth = dated.outcome.match_id, 0
            while (before := previous.get(root)) is not None:
                root, depth = before, depth + 1
            chains.setdefault(root, []).append((depth, dated.outcome.match_id, dated))
    return [tuple(dated for _, _, dated in sorted(links, key=_place)) for links in chains.values()]


def _place(link: tuple[int, bytes, Dated]) -> tuple[int, bytes]:
    return link[:2]


# Over all matches


def _together(matches: Sequence[_Match], *, partners: bool) -> tuple[Together, ...]:
    """The others, those met most often first."""
    names: dict[bytes, str] = {}
    counts: dict[bytes, Counter[str]] = {}
    for match in matches:
        met: set[bytes] = set()
        for link in match.links:
            for key, name in _others(match, link.outcome, partners=partners):
                names[key] = name if match.created is not None else names.get(key, name)
                met.add(key)
        deciding = match.deciding
        decided = {key for key, _ in _others(match, deciding, partners=partners)} if deciding else set()
        for key in met:
            counts.setdefault(key, Counter())["matches"] += 1
            counts[key][match.result.value] += key in decided
    people = (
        Together(key, names[key], count["matches"], count["won"], count["lost"])
        for key, count in counts.items()
    )
    return tuple(sorted(people, key=lambda one: (-one.matches, -one.won, one.name.casefold(), one.key)))


def _others(match: _Match, outcome: Outcome, *, partners: bool) -> list[tuple[bytes, str]]:
    own = match.seat(outcome)
    seats = (seat for seat in SEATS if seat != own and (team_of(seat) == team_of(own)) is partners)
    return [(outcome.people[seat].key, outcome.people[seat].name) for seat in seats]


def _longest(course: Iterable[Turn], result: Result) -> int:
    """The longest row of this result; what was not finished neither breaks a row nor belongs to it."""
    longest = row = 0
    for turn in course:
        if turn.result is not Result.UNFINISHED:
            row = row + 1 if turn.result is result else 0
            longest = max(longest, row)
    return longest
