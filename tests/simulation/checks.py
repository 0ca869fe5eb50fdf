"""What must hold at the end of every run, whatever has happened in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine import player_view
from protocol import audit as audits
from protocol.bodies import Rescue
from protocol.verdict import EQUIVOCATION
from tests.protocol.matches import audit, full_state, log_file
from tests.simulation.findings import Code, Finding
from tests.simulation.ledger import events_in_log, losses_in
from tests.simulation.nodes import Node, SeatNode

if TYPE_CHECKING:
    from tests.simulation.world import World


def check(world: World) -> None:
    """Raise a :class:`Finding` unless every promise was kept."""
    tally = world.network.tally
    tally.events = len(world.spectator.log)
    tally.deals = len(world.spectator.match.finished)
    check_nobody_honest_is_accused(world)
    check_one_event_for_one_number(world)
    if is_split(world):
        tally.splits += 1
        check_conviction(world)
        tally.convictions += 1
    elif not world.abandoned:
        check_agreement(world)
        check_nothing_is_lost(world)
        check_views(world)
        check_losses(world)
    check_logs(world)


def check_nobody_honest_is_accused(world: World) -> None:
    """No node holds anything against a seat that has not equivocated."""
    for node in world.honest:
        for verdict in node.match.verdicts:
            if world.second_face is None or verdict.culprit != world.cheat:
                world.network.tally.accused += 1
                raise Finding(Code.ACCUSED, f"{node.place} holds against {verdict.culprit}: {verdict}")


def check_one_event_for_one_number(world: World) -> None:
    """No honest seat ever gives out two events with one number."""
    for position, ids in world.ledger.given_out.items():
        if len(ids) > 1 and position.author != world.cheat:
            raise Finding(Code.TWICE, f"seat {position.author} has given out two events {position.seq}")


def is_split(world: World) -> bool:
    """Whether honest nodes have come to know two different feeds of the equivocator."""
    cheat = world.cheat
    if cheat is None:
        return False
    logs = [node.match.log for node in world.honest]
    known = {(seq, log.entry(cheat, seq).id) for log in logs for seq in range(log.length(cheat))}
    return len(known) > max(log.length(cheat) for log in logs) or any(log.forks for log in logs)


def check_conviction(world: World) -> None:
    """All honest nodes hold the same equivocation against the cheat."""
    first = world.spectator.match.verdict
    for node in world.honest:
        verdict = node.match.verdict
        if verdict is None or verdict.fault != EQUIVOCATION or verdict != first:
            raise Finding(Code.UNPROVEN, f"{node.place} comes to {verdict}, the spectator to {first}")


def check_agreement(world: World) -> None:
    """All have the same log, the same state of the game and the same record, and nobody has a verdict."""
    first = world.spectator.match
    for node in world.present:
        match = node.match
        if match.log.heads() != first.log.heads():
            raise Finding(Code.DIFFERENT, f"{node.place} and the spectator have different logs")
        if (match.state, match.finished, match.whole) != (first.state, first.finished, True):
            raise Finding(Code.DIFFERENT, f"{node.place} and the spectator have different states")


def check_nothing_is_lost(world: World) -> None:
    """Every event that its author has ever given out is in every log, and whole on every disk."""
    gone = world.vanishing.never_back
    for node in world.present:
        log = node.match.log
        for (author, seq), ids in world.ledger.given_out.items():
            if author in gone:
                continue  # Its last words may have reached nobody.
            if log.length(author) <= seq or log.entry(author, seq).id not in ids:
                world.network.tally.lost += 1
                raise Finding(Code.LOST, f"event {seq} of seat {author} is not in the log of {node.place}")
        if isinstance(node, SeatNode) and len(set(node.disk)) != len(log):
            raise Finding(Code.LOST, f"the disk of {node.place} is not its log")


def check_views(world: World) -> None:
    """Each seat sees exactly what the engine shows it of the match with everything open.

    Of a deal that has lost a seat it also sees all that this seat would see of its own cards.
    """
    match = world.spectator.match
    full, loss = full_state(world.setup, match), match.current.loss
    for node in seats_among(world.present):
        state = node.table.state
        if loss is None and player_view(full, node.place) != state:
            raise Finding(Code.DIFFERENT, f"seat {node.place} sees something else than what is there")
        for seat in {node.place, loss.seat} if loss else ():
            if player_view(full, seat) != player_view(state, seat):
                raise Finding(Code.DIFFERENT, f"seat {node.place} sees other cards of seat {seat}")


def check_logs(world: World) -> None:
    """The log that each node exports is audited to what its table says: fair and whole, or the same cheat.

    Only a match that an equivocator has abandoned before it lied may be incomplete, and the log of somebody
    who never came back.
    """
    for node in seats_among(world.honest):
        found = audit(log_file(world.setup.genesis, node.disk))
        expected = audits.Finding.FAIR if node.match.whole else audits.Finding.INCOMPLETE
        expected = audits.Finding.CHEAT if node.match.verdict else expected
        outcome: tuple[object, ...] = (found.finding, found.verdict, found.problems)
        if outcome[:2] != (expected, node.match.verdict) or (found.problems and not node.match.verdict):
            raise Finding(Code.AUDIT, f"the log of seat {node.place} is audited to {outcome}")


def check_losses(world: World) -> None:
    """A deal is played on without a seat when all three others have declared it lost, and never otherwise."""
    tally, match = world.network.tally, world.spectator.match
    found = losses_in(match.log)
    for loss in found:
        tally.seats_lost += 1
        tally.mistaken += loss.seat in world.vanishing.mistaken
        tally.late += loss.late
    rescued = {(loss.deal, loss.seat) for loss in found if loss.parts == 3}
    if rescued != set(match.losses) or len(rescued) != len(match.losses):
        raise Finding(Code.DIFFERENT, f"rescued are {match.losses}, and the log has {found}")
    tally.rescued += len(rescued)
    tally.never_back += len(world.vanishing.never_back)
    parts = sum(event.kind == Rescue.KIND for event in events_in_log(match.log))
    if parts != sum(loss.parts for loss in found):
        raise Finding(Code.DIFFERENT, f"{parts} parts of keys are open, for {found}")


def seats_among(nodes: Iterable[Node]) -> list[SeatNode]:
    """Those of some nodes that have a seat."""
    return [node for node in nodes if isinstance(node, SeatNode)]
