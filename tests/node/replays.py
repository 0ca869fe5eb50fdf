"""Logs of every kind to replay, each made once."""

from __future__ import annotations

from functools import cache

from node.replaying.story import Story, tell
from node.words.wording import Wording
from protocol.bodies import Result
from tests.protocol.cheats import Cheat
from tests.protocol.matches import audit, log_file, rich
from tests.protocol.racing import lost_at_the_end

NAMES = tuple(f"Player {seat}" for seat in range(4))


@cache
def whole() -> bytes:
    """Three deals; in trick 4 of the first a lead, then a molodka with an answer to it, go back."""
    return rich().file()


@cache
def broken_off() -> bytes:
    """The log ends in the middle of the second deal."""
    match = rich()
    return match.file((match.index("result", 3) + match.index("result", 4)) // 2)


@cache
def not_begun() -> bytes:
    """Nobody was dealt a card."""
    return rich().file(rich().index("shuffle"))


@cache
def damaged() -> bytes:
    """A byte near the end is another one."""
    data = bytearray(whole())
    data[-len(data) // 10] ^= 1
    return bytes(data)


@cache
def cheated() -> bytes:
    """Seat 2 signs a false result of the first deal."""
    match = rich()
    place = next(n for n, event in enumerate(match.events) if event.kind == "result" and event.author == 2)
    past = [event.signed for event in match.events[:place]]
    cheat = Cheat(match, 2)
    cheat.take(past)
    return log_file(match.setup.genesis, [*past, cheat.say(Result(0, bytes(32))).signed])


@cache
def left_alone() -> tuple[bytes, int]:
    """Every deal was played on without one seat; and which."""
    network = lost_at_the_end(606)
    assert network.away is not None
    return log_file(network.setup.genesis, network.disks[network.others[0]]), network.away


@cache
def story_of(data: bytes, *, symbols: bool = True) -> Story:
    """What is stepped through."""
    found = audit(data)
    assert found.match is not None
    story = tell(found, found.match, Wording(NAMES, 0, symbols))
    assert story is not None
    return story
