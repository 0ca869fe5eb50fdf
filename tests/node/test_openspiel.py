"""The game in OpenSpiel: that library's own tests, that it is the engine's game, that it leaks nothing."""

# ruff: noqa: E402 - the imports below need OpenSpiel.

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed here: it comes with the extra `openspiel`"
)

from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import sample_some_states

from engine import (
    DECK,
    SEATS,
    Beat,
    Card,
    Deal,
    Discard,
    Draw,
    IllegalAction,
    Indicate,
    Lead,
    Molodka,
    Options,
    OptionsError,
    Phase,
    Play,
    Seat,
    State,
    legal_actions,
    may_claim,
    parse_action,
    parse_card,
    player_view,
    replay,
    score_deal,
    team_of,
    turn,
)
from node.bots import make_bot
from node.bots.openspiel import GAME_NAME, KozelState
from node.bots.openspiel.deal import number_of_play, play_of_number, seen_actions
from node.bots.openspiel.facts import MOST_PLAYS
from tests.engine.strategies import deck_with_fours, shuffled

GAMES = ("python_kozel", "python_kozel(molodka=off)")
SEEDS = range(8)

Step = Card | Play
"""What takes a deal one step further."""


def game() -> Any:
    return pyspiel.load_game(GAME_NAME)


def take(state: KozelState, step: Step) -> None:
    """Apply a card or a play to the state, as the number that it has there."""
    state.apply_action(step.index if isinstance(step, Card) else state.action_of(step))


def any_step(state: KozelState, rng: random.Random, deck: Sequence[Card] = DECK) -> Step:
    """The next card of the deck while it is dealt; later any card, or any play, with claims preferred."""
    if not state.is_chance_node():
        plays = [state.play_of(action) for action in state.legal_actions()]
        claims = [play for play in plays if isinstance(play, Molodka)]
        return rng.choice(claims or plays)
    if len(state.position.dealt) < 16:
        return deck[len(state.position.dealt)]
    return DECK[rng.choice([outcome for outcome, _ in state.chance_outcomes()])]


def order_of_dealing(deck: Sequence[Card]) -> list[Card]:
    """A deck that holds one hand after another, in the order in which its cards are dealt."""
    return [deck[4 * seat + number] for number in range(4) for seat in SEATS]


def play_deal(seed: int, name: str = GAME_NAME) -> Iterator[tuple[KozelState, Step | None]]:
    """A random deal: each state, and the step taken from it; odd seeds give two seats four of a suit."""
    rng = random.Random(seed)
    deck = deck_with_fours(rng, rng.sample(SEATS, 2)) if seed % 2 else shuffled(rng)
    deck = tuple(order_of_dealing(deck))
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        step = any_step(state, rng, deck)
        yield state.clone(), step
        take(state, step)
    yield state, None


def finished(seed: int, name: str = GAME_NAME) -> KozelState:
    """The end of that random deal."""
    *_, (state, _) = play_deal(seed, name)
    return state


def seen(state: KozelState, player: Seat) -> tuple[object, ...]:
    """All that a player gets to see."""
    return (
        state.information_state_string(player),
        tuple(state.information_state_tensor(player)),
        state.observation_string(player),
        tuple(state.observation_tensor(player)),
    )


# OpenSpiel's own tests


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_simulates_whole_deals(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


class TestWholeDeals(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
    """The tests that OpenSpiel makes of each of its own games, on all states of some random deals."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.game_name, cls.game = GAME_NAME, game()
        cls.game_type = cls.game.get_type()
        cls.some_states = [state for seed in (0, 1) for state, _ in play_deal(seed)]


class TestFewSteps(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
    """The same tests, on the states that OpenSpiel chooses itself."""

    @classmethod
    def setUpClass(cls) -> None:
        random.seed(1)  # The sampling asks the shared generator.
        cls.game_name, cls.game = GAME_NAME, game()
        cls.game_type = cls.game.get_type()
        cls.some_states = sample_some_states.sample_some_states(cls.game, max_states=100)


def test_an_environment_for_reinforcement_learning_plays_a_deal() -> None:
    environment = rl_environment.Environment(game())
    rng = random.Random(1)
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([rng.choice(step.observations["legal_actions"][player])])
    assert step.rewards in ([two, -two, two, -two] for two in range(-6, 7, 2))


# The engine's game


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_legal_actions_are_those_of_the_engine(seed: int, name: str) -> None:
    for state, _ in play_deal(seed, name):
        match: State = state.position.match
        actions = state.legal_actions()
        if state.is_chance_node() or state.is_terminal():
            assert turn(match) is None
            continue
        player = state.current_player()
        assert player == turn(match)
        plays = legal_actions(player_view(match, player), player)
        assert [state.play_of(action) for action in actions] == sorted(plays, key=state.action_of)
        assert actions == sorted({state.action_of(play) for play in plays})
        assert len(actions) == len(plays)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_scores_the_same_deal_alike(seed: int, name: str) -> None:
    state = finished(seed, name)
    actions = [parse_action(line) for line in str(state).splitlines()[1:]]
    match = replay(Options(molodka="off" if "off" in name else "anytime"), actions)  # type: ignore[arg-type]
    assert match == state.position.match
    assert match.phase is Phase.DEAL_OVER
    defeat = score_deal(match.tricks).defeat_points
    assert state.returns() == [defeat[1 - team_of(seat)] - defeat[team_of(seat)] for seat in SEATS]


def test_the_deals_that_are_tested_hold_claims_and_all_kinds_of_results() -> None:
    states = [finished(seed) for seed in SEEDS]
    claims = [trick for state in states for trick in state.position.match.tricks if len(trick.branches) > 1]
    assert claims
    assert {abs(state.returns()[0]) for state in states} >= {2, 4}
    assert {state.returns()[0] > 0 for state in states} == {True, False}


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if seed % 2])
def test_a_claim_is_offered_on_the_own_turn_and_one_at_most_in_a_trick(seed: int) -> None:
    for state, _ in play_deal(seed):
        if state.is_chance_node() or state.is_terminal():
            continue
        player = state.current_player()
        offered = [action for action in state.legal_actions() if isinstance(state.play_of(action), Molodka)]
        assert len(offered) == may_claim(state.position.match, player)
    assert all(len(trick.branches) <= 2 for trick in finished(seed).position.match.tricks)


def test_without_molodka_none_is_offered() -> None:
    for seed in SEEDS:
        for state, _ in play_deal(seed, "python_kozel(molodka=off)"):
            if not state.is_chance_node():
                assert not any(isinstance(state.play_of(action), Molodka) for action in state.legal_actions())


def test_an_option_that_the_game_does_not_know_is_refused() -> None:
    with pytest.raises(OptionsError, match="sometimes"):
        pyspiel.load_game("python_kozel(molodka=sometimes)")


def test_the_longest_deal_has_as_many_plays_as_are_announced() -> None:
    state, plays = game().new_initial_state(), 0
    while not state.is_terminal():
        plays += not state.is_chance_node()
        state.apply_action(state.legal_actions()[0])  # A single card, the first.
    assert plays == MOST_PLAYS == game().max_game_length()
    assert len(state.history()) == game().max_history_length()


def test_chance_turns_up_each_card_of_the_stock_alike_the_indicator_too() -> None:
    left = 36
    indicator = None
    for state, step in play_deal(0):
        if not state.is_chance_node():
            continue
        cards = {DECK[outcome]: chance for outcome, chance in state.chance_outcomes()}
        assert len(cards) == left
        assert set(cards.values()) == {1 / left}
        if state.position.match.phase is Phase.INDICATING:
            indicator = step
        else:
            left -= 1
        if state.position.match.phase is Phase.DRAWING and not state.position.match.drawn:
            assert indicator in cards
    assert left == 0


@pytest.mark.parametrize("outcome", [-2, 36, 99])
def test_what_is_no_card_is_refused(outcome: int) -> None:
    state = game().new_initial_state()
    with pytest.raises(ValueError, match="no card"):
        state.apply_action(outcome)
    assert state.history() == []


def test_a_card_that_is_gone_is_refused() -> None:
    state = game().new_initial_state()
    state.apply_action(7)
    with pytest.raises(ValueError, match="not in the stock"):
        state.apply_action(7)
    assert state.history() == [7]


def test_every_other_action_is_refused_and_changes_nothing() -> None:
    refused = 0
    for state, _ in list(play_deal(1))[17:40]:
        if state.is_chance_node():
            continue
        before = str(state), state.history()
        for action in set(range(-1, 46)) - set(state.legal_actions()) - {pyspiel.INVALID_ACTION}:
            with pytest.raises((ValueError, IllegalAction)):
                state.apply_action(action)
            assert (str(state), state.history()) == before
            refused += 1
    assert refused > 100


def test_numbers_and_plays_are_two_names_of_one_thing() -> None:
    for state, _ in play_deal(1):
        if state.is_chance_node() or state.is_terminal():
            continue
        player = state.current_player()
        for action in state.legal_actions():
            play = play_of_number(state.position, player, action)
            assert number_of_play(play, state.position.hand(player)) == action
            assert parse_action(state.action_to_string(player, action)) == play


def test_a_bot_of_the_project_plays_in_openspiel() -> None:
    state, rng = game().new_initial_state(), random.Random(1)
    bot = make_bot("medium", rng)
    while not state.is_terminal():
        if state.is_chance_node():
            take(state, any_step(state, rng))
            continue
        seat = state.current_player()
        plays = [state.play_of(action) for action in state.legal_actions()]
        take(state, bot.choose(state.view(seat), seat, plays))
    assert sum(state.returns()) == 0


# What players see


def cards_seen(state: KozelState, player: Seat | None) -> set[Card]:
    """The cards that a player, or a spectator, has seen."""
    cards = set() if player is None else set(state.position.hand(player))
    for action in seen_actions(player_view(state.position.match, player)):
        match action:
            case Deal(_, hands):
                cards.update(card for hand in hands for card in hand or ())
            case Indicate(card) | Draw(_, card):
                cards.update(() if card is None else (card,))
            case Lead() | Molodka() | Beat() | Discard():
                cards.update(action.cards or ())
    return cards


def renamed(step: Step, names: dict[Card, Card]) -> Step:
    """The same step with other cards."""
    if isinstance(step, Card):
        return names[step]
    cards = tuple(names[card] for card in step.cards or ())
    return type(step)(**{name: getattr(step, name) for name in step.__slots__} | {"cards": cards})


@pytest.mark.parametrize("seed", SEEDS)
def test_a_player_sees_the_same_whatever_the_hidden_cards_are(seed: int) -> None:
    """Every card that a player has not seen may be any other one: nothing that the player gets shows it."""
    rng = random.Random(seed)
    moments = list(play_deal(seed))
    changed = 0
    for number in sorted(rng.sample(range(len(moments) - 1), 10)):
        state = moments[number][0]
        player = rng.choice(SEATS)
        hidden = [card for card in DECK if card not in cards_seen(state, player)]
        names = dict(zip(DECK, DECK, strict=True)) | dict(
            zip(hidden, rng.sample(hidden, len(hidden)), strict=True)
        )
        other = game().new_initial_state()
        for _, step in moments[:number]:
            assert step is not None
            take(other, renamed(step, names))
        assert seen(other, player) == seen(state, player)
        if state.current_player() == player:
            assert other.legal_actions() == state.legal_actions()
        changed += str(other) != str(state)
    assert changed


def late_states() -> list[KozelState]:
    """All that can come of a deal whose last cards, two in each hand, are still to be played."""
    for seed in range(100):
        for state, _ in play_deal(seed):
            trick = state.position.match.trick
            sizes = {len(state.position.hand(seat)) for seat in SEATS}
            if not state.is_chance_node() and not state.position.stock and sizes == {2} and trick is not None:
                found = [state]
                for reached in found:
                    found.extend(reached.child(action) for action in reached.legal_actions())
                return found
    raise AssertionError("no deal came to its last two cards")


def test_information_states_are_equal_when_the_views_are_and_only_then() -> None:
    """Tested where much is hidden alike: in all that can come of the last two cards of each seat."""
    states = late_states()
    for player in SEATS:
        pairs = set()
        for state in states:
            information = state.information_state_string(player)
            tensor = tuple(state.information_state_tensor(player))
            pairs.add((state.view(player), information, tensor))
        assert len(pairs) < len(states), "some states must look alike"
        for part in zip(*pairs, strict=True):
            assert len(set(part)) == len(pairs)


def test_observations_as_text_and_as_numbers_tell_the_same() -> None:
    states = [state for seed in SEEDS for state, _ in play_deal(seed)]
    for player in SEATS:
        pairs = {
            (state.observation_string(player), tuple(state.observation_tensor(player))) for state in states
        }
        assert len({text for text, _ in pairs}) == len({numbers for _, numbers in pairs}) == len(pairs)


def dealt(hands: str, *steps: str) -> KozelState:
    """A deal of these hands, seat by seat, and what follows: names of cards, or lines of notation."""
    state: KozelState = game().new_initial_state()
    for card in order_of_dealing([parse_card(hands[place : place + 2]) for place in range(0, 32, 2)]):
        text = state.action_to_string(card.index)
        take(state, card)
        assert text == f"{card} for {next(seat for seat in SEATS if card in state.position.hand(seat))}"
    for step in steps:
        take(state, parse_card(step) if len(step) == 2 else parse_action(step))  # type: ignore[arg-type]
    return state


def test_what_a_player_sees_after_a_claim() -> None:
    """Seat 0 has led, seat 1 discarded, seat 2 claimed: what they played is back (R14)."""
    state = dealt(
        "6d7d8d9h" + "6h7h8h9d" + "6c7c8c9c" + "6s7s8s9s",
        *("Ad", "lead 0 9h", "discard 1 6h on 0", "molodka 2 6c7c8c9c", "discard 3 6s7s8s9s on 2"),
    )
    assert state.observation_string(1).splitlines() == [
        "player 1",
        "hand 9d 6h 7h 8h",
        "discards - - -",
        "turn 0",
        "leader 0",
        "indicator Ad",
        "stock 20",
        "sizes 4 4 0 0",
        "shown 9h - - -",
        "table - - 6c7c8c9c -",
        "thrown 0 0 0 4",
        "best 2",
        "acted 0,1,2,3",
        "taken - -",
        "hidden 0 0",
    ]
    assert "hand - - - -\ndiscards 6s7s8s9s - -" in state.observation_string(3)
    assert state.information_state_string(1).splitlines() == [
        "seat 1 hand 9d6h7h8h stock 20",
        "deal 3 ???????? 9d6h7h8h ???????? ????????",
        "indicate Ad",
        "lead 0 9h",
        "discard 1 6h on 0",
        "molodka 2 6c7c8c9c",
        "discard 3 ???????? on 2",
    ]


def test_own_cards_of_finished_tricks_are_remembered() -> None:
    answers = ("beat 3 6d7d8d9d on 2", "discard 0 6c9h6h7h on 2", "discard 1 8hThJhQh on 2")
    hands = "6c9h6h7h" + "8hThJhQh" + "7c8c9cJc" + "6d7d8d9d"
    state = dealt(hands, *("Ad", "lead 0 6c", "discard 1 8h on 0", "molodka 2 7c8c9cJc"), *answers)
    assert "discards - - 8hJhQhTh" in state.observation_string(1)
    assert "taken - 7c8c9cJc6d7d8d9d\nhidden 0 8" in state.observation_string(1)


def test_perfect_recall_is_of_the_order_of_draws_too() -> None:
    """Seat 0 draws the same two cards in either order, which only its memory tells apart."""
    first = ("Ad", "lead 0 6c7c", "discard 1 8c9c on 0", "discard 2 TcJc on 0", "discard 3 QcKc on 0")
    hands = "6c7c6d7d" + "8c9c8d9d" + "TcJcTdJd" + "QcKcQdKd"
    one, other = (
        dealt(hands, *first, *draws)
        for draws in (("6h", "7h", "8h", "9h", "Ts"), ("Ts", "7h", "8h", "9h", "6h"))
    )
    assert one.observation_string(0) == other.observation_string(0)
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)
    assert seen(one, 1) == seen(other, 1)


def observer(public: bool, recall: bool, private: Any) -> Any:
    kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
    return game().make_py_observer(kind)


@pytest.mark.parametrize("recall", [True, False])
def test_what_is_public_is_the_same_for_all_and_what_a_spectator_sees(recall: bool) -> None:
    public = observer(True, recall, pyspiel.PrivateInfoType.NONE)
    for state, _ in play_deal(1):
        texts, numbers = set(), set()
        for player in SEATS:
            public.set_from(state, player)
            numbers.add(public.tensor.tobytes())
            texts.add(public.string_from(state, player))
        assert len(texts) == len(numbers) == 1
        hidden = set(DECK) - cards_seen(state, None)
        assert not any(str(card) in text for card in hidden for text in texts)


def test_own_cards_alone_can_be_asked_for() -> None:
    private = observer(False, False, pyspiel.PrivateInfoType.SINGLE_PLAYER)
    for state, _ in play_deal(1):
        for player in SEATS:
            private.set_from(state, player)
            hand = [DECK[row.argmax()] for row in private.dict["hand"] if row.any()]
            assert tuple(hand) == state.position.hand(player)
            assert private.tensor.sum() == 1 + len(hand) + private.dict["discards"].sum()


def test_observers_refuse_what_they_do_not_offer() -> None:
    with pytest.raises(ValueError, match="all players"):
        observer(True, False, pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="without perfect recall"):
        observer(False, True, pyspiel.PrivateInfoType.SINGLE_PLAYER)
    with pytest.raises(ValueError, match="no parameters"):
        game().make_py_observer(None, {"colour": "red"})
