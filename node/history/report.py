"""A player's figures from all logs that a profile keeps, with what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from node.errors import MatchNotKept
from node.history.figures import Figures, LeftOut
from node.history.kept import KeptMatch, open_shelf
from node.history.player import find_player, latest_name, own_identity, short_key
from node.history.tally import Dated, tally, why_left_out
from node.history.verified import Outcomes, verify_each
from node.i18n import tr

__all__ = ["Heard", "Report", "report_of"]

Heard = Callable[[int], Callable[[], None]]
"""Is told how many logs there are to look at, and returns what is told of each that is done."""


@dataclass(frozen=True, slots=True)
class Report:
    """`key` is the player's identity (32 bytes). `left_out` counts the logs that do not count."""

    key: bytes
    name: str
    figures: Figures
    left_out: Counter[LeftOut]


def report_of(folder: Path, player: str | None, *, jobs: int, heard: Heard) -> Report:
    """The report on the owner of the profile in `folder`, or on the `player` of this name or key.

    Reads a profile that is open elsewhere too. Raises MatchNotKept, PlayerNotFound, AuditFailed, StoreError
    and what a damaged key raises.
    """
    with open_shelf(folder) as shelf:
        matches = shelf.matches()
        key = own_identity(folder, matches) if player is None else find_player(matches, player)
        if key is None:
            raise MatchNotKept(
                tr("No match has been played on this computer yet. Begin one with: kozel play")
            )
        counting, left_out = _sorted_out(matches, key)
        tell = heard(len(counting))
        logs = ((match, found) for match in counting if (found := shelf.logs(match)))
        outcomes = verify_each(logs, Outcomes(folder), jobs=jobs, heard=tell)
    left_out[LeftOut.DAMAGED] += len(counting) - len(outcomes)
    left_out.update(filter(None, (why_left_out(outcome, key) for outcome in outcomes.values())))
    dated = (Dated(outcomes[one.match_id], one.created) for one in counting if one.match_id in outcomes)
    name = latest_name(matches, key) or short_key(key)
    return Report(key, name, tally(dated, key), +left_out)


def _sorted_out(matches: Sequence[KeptMatch], key: bytes) -> tuple[list[KeptMatch], Counter[LeftOut]]:
    """What has to be audited: of the others the genesis alone tells why they do not count."""
    counting, left_out = [], Counter[LeftOut]()
    for match in matches:
        if match.genesis is None:
            left_out[LeftOut.DAMAGED] += 1
        elif all(member.identity != key for member in match.genesis.roster):
            left_out[LeftOut.STRANGER] += 1
        elif match.genesis.for_show:
            left_out[LeftOut.FOR_SHOW] += 1
        else:
            counting.append(match)
    return counting, left_out
