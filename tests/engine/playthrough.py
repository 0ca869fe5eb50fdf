"""Golden playthroughs: deals with what every seat sees at every step, as text.

`python -m tests.engine.playthrough` writes them again; each comes from a seed or from a hand-written deal, so
the files change only when the game or this format changes. Read the difference before you accept it.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from engine import (
    SEATS,
    Action,
    Eggs,
    Hand,
    MolodkaRule,
    Options,
    Phase,
    State,
    apply,
    cards_text,
    format_action,
    holding,
    new_match,
    next_drawer,
    openings,
    parse_action,
    player_view,
    replay,
    turn,
)
from tests.engine.strategies import Player, greedy_play, random_match, random_play, shuffled

FOLDER = Path(__file__).parent / "playthroughs"


def text_of(title: str, options: Options, actions: Sequence[Action]) -> str:
    """The whole file: a header, then each action with the views that follow from it."""
    lines = [
        f"# {title}",
        "# Each action, what the public sees of the table, then each seat's view: the hands, and the plays",
        "# that count in the current trick. ?? is a hidden card, [ ] are cards that all have seen.",
        f"options target={options.target} eggs={options.eggs} molodka={options.molodka}",
    ]
    full = new_match(options)
    for action in actions:
        full = apply(full, action)
        lines += ["", f"> {format_action(action)}", *step(full)]
    return "\n".join(lines) + "\n"


def step(full: State) -> Iterator[str]:
    """What there is to see after an action."""
    yield f"  {table_text(player_view(full, None))}"
    for seat in SEATS:
        yield f"  seat {seat} sees {view_text(player_view(full, seat))}"
    if full.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER):
        yield from (f"  {format_action(opening)}" for opening in openings(full, None))
        yield f"  {full.results[-1]}"


def table_text(state: State) -> str:
    """What everybody sees."""
    awaited = next_drawer(state) if state.phase is Phase.DRAWING else turn(state)
    trump = "-" if state.trump is None else state.trump.letter
    return (
        f"{state.phase.value}, turn {'-' if awaited is None else awaited}, trump {trump}, "
        f"stock {state.stock}, "
        f"tricks {[trick.taker for trick in state.tricks]}, score {state.score[0]}:{state.score[1]}"
    )


def view_text(view: State) -> str:
    """The hands, and the plays on the lead that counts."""
    hands = " | ".join(hand_text(holding(view, seat)) for seat in SEATS)
    branch = None if view.trick is None else view.trick.effective
    plays = "" if branch is None else ", ".join(map(format_action, branch.plays()))
    return f"{hands} || {plays}".rstrip()


def hand_text(hand: Hand) -> str:
    """Cards that all have seen in brackets, then the others."""
    seen, own = sorted(hand.seen), sorted(hand.known - hand.seen)
    return (f"[{cards_text(seen)}]" if seen else "") + cards_text(own) + "??" * hand.unknown or "-"


def plain() -> tuple[Options, list[Action]]:
    """The first deal of random play in which nobody claims."""
    for seed in range(100):
        actions = random_match(seed, deals=1)
        if not any("molodka" in format_action(action) for action in actions):
            return Options(), actions
    raise AssertionError("no such deal among the seeds")


def scripted(first_lines: Sequence[str], hands: Sequence[str], options: Options) -> list[Action]:
    """A deal by seat 3 of these hands, which begins with these plays and goes on at random."""
    player = Player(Random(7), options, random_play)
    dealt = parse_action("deal 3 " + " ".join(hands))
    text = "".join(hands)
    stock = [
        card for card in shuffled(Random(7)) if str(card) not in {text[at : at + 2] for at in range(0, 32, 2)}
    ]
    for action in (dealt, parse_action(f"indicate {stock[4]}"), *map(parse_action, first_lines)):
        player.do(action)
    player.stock = stock
    player.finish_deal()
    return player.actions


def molodka_returns() -> tuple[Options, list[Action]]:
    """A molodka sends back a lead, a beat and a discard (R14)."""
    hands = ("6d7h8sKc", "8d7s6sJh", "Ad9hQsTh", "6c7c8c9c")
    return Options(), scripted(
        ("lead 0 6d", "beat 1 8d on 0", "discard 2 Qs on 0", "molodka 3 6c7c8c9c"), hands, Options()
    )


def two_claims() -> tuple[Options, list[Action]]:
    """The farther seat claims, then the nearer one, then the entitled seat takes its lead back (R15)."""
    hands = ("6d7d8d9d", "8s7sQsJs", "AdTd9hTh", "6c7c8c9c")
    lines = ("molodka 3 6c7c8c9c", "molodka 1 7s8sJsQs", "lead 0 6d7d8d9d")
    return Options(), scripted(lines, hands, Options())


def molodka_off() -> tuple[Options, list[Action]]:
    """Four of a suit are just four cards when the option is off."""
    options = Options(molodka=MolodkaRule.OFF)
    return options, scripted(("lead 0 6d",), ("6d7h8sKc", "8d7s6sJh", "Ad9hQsTh", "6c7c8c9c"), options)


def eggs() -> tuple[Options, list[Action]]:
    """A first deal of greedy play that ends 60:60, and the next, which counts twice (R20)."""
    options = Options(eggs=Eggs.DOUBLE)
    for seed in range(3000):
        if replay(options, random_match(seed, options, greedy_play, deals=1)).eggs:
            return options, random_match(seed, options, greedy_play, deals=2)
    raise AssertionError("no such deal among the seeds")


def short_match() -> tuple[Options, list[Action]]:
    """A whole match to six defeat points (R21)."""
    options = Options(target=6)
    return options, random_match(1, options, greedy_play)


PLAYTHROUGHS: dict[str, Callable[[], tuple[Options, list[Action]]]] = {
    "plain": plain,
    "molodka_returns": molodka_returns,
    "two_claims": two_claims,
    "molodka_off": molodka_off,
    "eggs": eggs,
    "short_match": short_match,
}


def playthrough(name: str) -> str:
    """The text that the file of that name should hold."""
    build = PLAYTHROUGHS[name]
    return text_of(f"{name}: {build.__doc__}", *build())


def actions_of(text: str) -> list[Action]:
    """The actions written in a playthrough."""
    return [parse_action(line[2:]) for line in text.splitlines() if line.startswith("> ")]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in PLAYTHROUGHS:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), "utf-8")
