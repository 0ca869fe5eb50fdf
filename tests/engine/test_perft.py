"""Numbers of legal sequences of plays, pinned, and counted again by rules written a second time here.

The second count knows nothing of the engine: cards are text, a situation is a few tuples, beating tries every
order.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import pytest

from engine import SEATS, Options, State, Suit, apply, legal_actions
from tests.engine.tables import table

ORDER = "6789JQKTA"


def perft(state: State, depth: int) -> int:
    """The number of sequences of that many legal plays, by the engine."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, play), depth - 1) for seat in SEATS for play in legal_actions(state, seat))


@dataclass(frozen=True)
class Situation:
    """What the second count needs: hands before the trick, and the lead that counts with the plays on it."""

    hands: tuple[frozenset[str], ...]
    entitled: int
    trump: str
    lead: tuple[int, int] | None = None
    best: tuple[int, tuple[str, ...]] | None = None
    down: tuple[tuple[int, frozenset[str]], ...] = ()
    acted: frozenset[int] = frozenset()


def higher(new: str, old: str, trump: str) -> bool:
    if new[1] == old[1]:
        return ORDER.index(new[0]) > ORDER.index(old[0])
    return new[1] == trump


def opened(now: Situation, seat: int, cards: tuple[str, ...]) -> Situation:
    return replace(
        now,
        lead=(seat, len(cards)),
        best=(seat, cards),
        down=((seat, frozenset(cards)),),
        acted=now.acted | {seat},
    )


def leads(now: Situation, seat: int) -> Iterator[Situation]:
    """Leads and molodkas (R7, R13, R15, R16)."""
    if seat in now.acted:
        return
    away = (seat - now.entitled) % 4
    stands = None if now.lead is None else ((now.lead[0] - now.entitled) % 4 if now.lead[1] == 4 else 4)
    for size in (1, 2, 3, 4):
        if size < 4 and (seat != now.entitled or now.lead is not None):
            continue
        for cards in combinations(sorted(now.hands[seat]), size):
            if len({card[1] for card in cards}) == 1 and (stands is None or stands > away):
                yield opened(now, seat, cards)


def answers(now: Situation, seat: int) -> Iterator[Situation]:
    """Beats and discards (R8, R9), and the end of the trick (R11)."""
    if now.lead is None or now.best is None or seat != (now.lead[0] + len(now.down)) % 4:
        return
    for cards in combinations(sorted(now.hands[seat]), now.lead[1]):
        after = replace(now, down=(*now.down, (seat, frozenset(cards))), acted=now.acted | {seat})
        yield finished(after)
        if any(all(map(higher, order, now.best[1], now.trump * len(order))) for order in permutations(cards)):
            yield finished(replace(after, best=(seat, cards)))


def finished(now: Situation) -> Situation:
    if len(now.down) < 4 or now.best is None:
        return now
    gone = dict(now.down)
    hands = tuple(hand - gone[seat] for seat, hand in enumerate(now.hands))
    return Situation(hands, now.best[0], now.trump)


def count(now: Situation, depth: int) -> int:
    """The number of sequences of that many legal plays, by the second set of rules."""
    if depth == 0:
        return 1
    return sum(
        count(after, depth - 1) for seat in range(4) for after in [*leads(now, seat), *answers(now, seat)]
    )


def text_of(hand: str) -> frozenset[str]:
    return frozenset(hand[place : place + 2] for place in range(0, len(hand), 2))


@pytest.mark.parametrize(
    ("hands", "trump", "numbers"),
    [
        # To the end of the deal: one card each, then two.
        (("6c", "6d", "6h", "6s"), Suit.SPADES, (1, 1, 1, 2)),
        (("6c7d", "8c9d", "Th7c", "Jc8d"), Suit.HEARTS, (2, 6, 20, 52, 52, 70, 93, 121)),
        (("6c7c", "8c9c", "TcJc", "KcQc"), Suit.HEARTS, (3, 10, 36, 118, 112, 160, 216, 296)),
        (("6c7c8c", "6d7d8d", "6h7h8h", "6s7s8s"), Suit.HEARTS, (7, 19, 110, 326, 648, 972, 2430, 4374)),
        # Nobody holds four of a suit, then one does, then three do, then all.
        (("6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9s"), Suit.HEARTS, (4, 21, 127, 524, 1752, 6712)),
        (("6d7h8sKc", "8d7s6sAh", "Ad9hQsTh", "6c7c8c9c"), Suit.HEARTS, (5, 26, 153, 661, 1792, 6412)),
        (("6d7d8d9c", "6c7c8cAc", "6h7h8h9h", "6s7s8s9s"), Suit.HEARTS, (11, 70, 531, 2594)),
        (("6d7d8d9d", "6c7c8c9c", "6h7h8h9h", "6s7s8s9s"), Suit.SPADES, (18, 121, 602, 4471)),
    ],
)
def test_legal_sequences(hands: tuple[str, ...], trump: Suit, numbers: tuple[int, ...]) -> None:
    """R7 to R16: the numbers of sequences of one, two, three … plays."""
    state = table(hands, trump=trump, entitled=0, options=Options())
    start = Situation(tuple(map(text_of, hands)), 0, trump.letter)
    depths = range(1, len(numbers) + 1)
    assert tuple(perft(state, depth) for depth in depths) == numbers
    assert tuple(count(start, depth) for depth in depths) == numbers
