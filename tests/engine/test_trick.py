from itertools import permutations

from engine import Beat, Branch, Discard, Lead, Molodka, Trick
from tests.engine.tables import cards

CLUBS, SPADES, HEARTS = cards("6c7c8c9c"), cards("6s7s8s9s"), cards("6h7h8h9h")


def test_the_branch_that_counts_r15() -> None:
    """R15: the nearest four of a suit, the entitled seat's nearest of all, else the entitled seat's lead."""
    lead, far, near, four = Lead(2, cards("Ad")), Molodka(1, CLUBS), Molodka(3, SPADES), Lead(2, HEARTS)
    ranked = {lead: 0, far: 1, near: 3, four: 4}
    choices: tuple[list[Lead | Molodka], ...] = (
        [lead],
        [far],
        [lead, far],
        [lead, near],
        [far, near],
        [lead, far, near],
        [far, near, four],
    )
    for chosen in choices:
        tricks = []
        for order in permutations(chosen):
            trick = Trick(2)
            for opening in order:
                trick = trick.add(opening)
            tricks.append(trick)
        assert len(set(tricks)) == 1
        best = tricks[0].effective
        assert best is not None
        assert best.opening == max(chosen, key=lambda opening: ranked[opening])
        assert [branch.opening for branch in tricks[0].branches] == sorted(
            chosen, key=lambda opening: ranked[opening]
        )


def test_turns_go_clockwise_from_the_leader_r8() -> None:
    """R8: the entitled seat first, then each seat clockwise from the lead that counts."""
    trick = Trick(2)
    assert trick.turn == 2
    trick = trick.add(Molodka(3, SPADES))
    assert trick.turn == 0
    for seat, awaited in ((0, 1), (1, 2), (2, None)):
        assert not trick.complete
        trick = trick.add(Discard(seat, 4, None, 3))
        assert trick.turn == awaited
    assert trick.complete


def test_best_set_and_taker_r11() -> None:
    """R11: the trick goes to the last set that beat; nobody has it before all have played."""
    trick = Trick(0)
    assert trick.best is None
    trick = trick.add(Lead(0, cards("6d")))
    assert trick.best == (0, cards("6d"))
    trick = trick.add(Beat(1, cards("8d"), 0)).add(Discard(2, 1, None, 0))
    assert trick.best == (1, cards("8d"))
    assert trick.taker is None
    assert trick.add(Beat(3, cards("Ad"), 0)).taker == 3
    assert trick.add(Discard(3, 1, None, 0)).taker == 1


def test_answers_stay_with_their_lead_r14() -> None:
    """R14: answers to a lead that went back are kept, and do not count as answers to the new one."""
    trick = Trick(0).add(Lead(0, cards("6d"))).add(Beat(1, cards("8d"), 0)).add(Molodka(3, CLUBS))
    assert trick.turn == 0
    assert trick.best == (3, CLUBS)
    assert trick.branches[0] == Branch(0, cards("6d"), False, (Beat(1, cards("8d"), 0),))
    assert [trick.has_played(seat) for seat in range(4)] == [True, True, False, True]
    assert list(trick.plays()) == [Lead(0, cards("6d")), Beat(1, cards("8d"), 0), Molodka(3, CLUBS)]


def test_play_of_a_seat() -> None:
    branch = Branch(3, cards("6d"), False, (Beat(0, cards("8d"), 3),))
    assert branch.play_of(3) == Lead(3, cards("6d"))
    assert branch.play_of(0) == Beat(0, cards("8d"), 3)
    assert branch.play_of(1) is None
    assert branch.play_of(2) is None
