"""What is said of a match that goes on with somebody else in one seat (§7.13)."""

from __future__ import annotations

from engine import Seat
from node.i18n import plural, tr
from node.names import clean_name
from node.seating.going_on import GoingOn
from node.words.wording import distinct
from protocol.genesis import Genesis

__all__ = ["changed_line", "kept_lines", "owners", "standing_lines"]


def standing_lines(going_on: GoingOn, identity: bytes) -> list[str]:
    """Where the match stands, for a guest with this identity key, who may be new to it."""
    first, second, third, fourth = owners(going_on)
    lines = [
        tr(
            "This table goes on with the match of {a} and {c} against {b} and {d}.",
            a=first,
            b=second,
            c=third,
            d=fourth,
        ),
        _score(going_on),
    ]
    if identity in going_on.owned:
        return [
            *lines,
            tr("Your computer compares that with its own record of the match, and is ready then."),
        ]
    return [
        *lines,
        tr(
            "You have not been in it: you take the seat of somebody who does not come back. That it stands"
            " like this is what the three others say and sign; your computer has no record of it."
        ),
    ]


def kept_lines(going_on: GoingOn, deals: int, me: Seat) -> list[str]:
    """For the host in seat `me`: what goes on, after so many deals, and who has to come."""
    others = ", ".join(name for seat, name in enumerate(owners(going_on)) if seat != me)
    return [
        plural(
            "The match goes on after {count} deal that was played.",
            "The match goes on after {count} deals that were played.",
            deals,
        ),
        _score(going_on),
        tr("Seats are kept for {names}. Whoever else comes takes the one that stays free.", names=others),
    ]


def changed_line(going_on: GoingOn, genesis: Genesis, me: Seat) -> list[str]:
    """Who has taken whose seat, now that the match begins; nothing when all four have come back."""
    lines = []
    for seat in going_on.replaced(genesis):
        before = owners(going_on)[seat]
        if seat == me:
            lines.append(tr("You take {before}'s seat.", before=before))
        else:
            lines.append(tr("{name} takes {before}'s seat.", name=genesis.roster[seat].name, before=before))
    return lines


def _score(going_on: GoingOn) -> str:
    a, b, c, d = owners(going_on)
    first, second = going_on.standing.score
    return tr(
        "Defeat points: {a} and {c} {first}, {b} and {d} {second}.",
        a=a,
        b=b,
        c=c,
        d=d,
        first=first,
        second=second,
    )


def owners(going_on: GoingOn) -> list[str]:
    """Whose seats they were, by name."""
    return distinct([clean_name(member.name) for member in going_on.genesis.roster])
