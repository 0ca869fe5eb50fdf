"""The classes that OpenSpiel asks for: the game and its states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyspiel

from engine import (
    DECK,
    SEATS,
    STOCK_SIZE,
    Card,
    MolodkaRule,
    Options,
    Play,
    Seat,
    State,
    cards_text,
    format_action,
    team_of,
)
from node.bots.openspiel.deal import NUM_ACTIONS, Position, number_of_play, play_of_number, seen_actions
from node.bots.openspiel.facts import MOST_PLAYS
from node.bots.openspiel.observer import KozelObserver

__all__ = ["GAME_NAME", "KozelGame", "KozelState"]

GAME_NAME: Final = "python_kozel"

_CHANCES: Final = len(DECK) - STOCK_SIZE + 1 + STOCK_SIZE
"""Cards turned up by chance in a deal: those dealt, the indicator, and those drawn."""

_MOST_DEFEAT_POINTS: Final = 6.0

_TYPE: Final = pyspiel.GameType(
    short_name=GAME_NAME,
    long_name="Kozel (Goat) with four cards, one deal",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(SEATS),
    min_num_players=len(SEATS),
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"molodka": MolodkaRule.ANYTIME.value},
)

_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=NUM_ACTIONS,
    max_chance_outcomes=len(DECK),
    num_players=len(SEATS),
    min_utility=-_MOST_DEFEAT_POINTS,
    max_utility=_MOST_DEFEAT_POINTS,
    utility_sum=0.0,
    max_game_length=MOST_PLAYS,
)


class KozelGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types.
    """One deal of the game."""

    def __init__(self, params: Mapping[str, str] | None = None) -> None:
        """`params` may hold `molodka`; raises `engine.OptionsError` for a value that it cannot have."""
        super().__init__(_TYPE, _INFO, params or {})
        molodka = (params or {}).get("molodka", MolodkaRule.ANYTIME.value)
        self.options = Options(molodka=molodka)  # type: ignore[arg-type]  # Turned into the enumeration there.

    def new_initial_state(self) -> KozelState:
        """Before the first card is dealt."""
        return KozelState(self)

    def max_chance_nodes_in_history(self) -> int:
        """How many cards chance turns up in a deal."""
        return _CHANCES

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> KozelObserver:
        """An observer of that type; without one, of what a player sees now."""
        return KozelObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class KozelState(pyspiel.State):  # type: ignore[misc]
    """A moment of a deal. All that changes is in `position`, which is replaced at each step."""

    def __init__(self, game: KozelGame) -> None:
        """Made by :meth:`KozelGame.new_initial_state` only."""
        super().__init__(game)
        self.position = Position.first(game.options)

    def view(self, player: Seat) -> State:
        """The deal as :func:`engine.player_view` shows it to a player, as a bot gets it."""
        return self.position.view(player)

    def play_of(self, action: int) -> Play:
        """The engine's play behind an action of the current player; raises `ValueError` if there is none."""
        return play_of_number(self.position, self.current_player(), action)

    def action_of(self, play: Play) -> int:
        """The action behind a play of the current player."""
        return number_of_play(play, self.position.hand(play.seat))

    # What OpenSpiel calls.

    def current_player(self) -> int:
        """The seat that plays now, or OpenSpiel's number for chance or for the end."""
        if self.position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        turn = self.position.turn
        return int(pyspiel.PlayerId.CHANCE) if turn is None else turn

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """For each seat, the defeat points of the other team less those of its own; 0 before the end."""
        if not self.position.over:
            return [0.0] * len(SEATS)
        points = self.position.match.results[-1].defeat_points
        return [float(points[1 - team_of(seat)] - points[team_of(seat)]) for seat in SEATS]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may come next, with their chances."""
        stock = self.position.stock
        return [(card.index, 1 / len(stock)) for card in stock]

    def _legal_actions(self, _player: int) -> list[int]:
        return sorted(self.action_of(play) for play in self.position.legal())

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.position = self.position.turned_up(_card(action))
        else:
            self.position = self.position.played(self.play_of(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return format_action(play_of_number(self.position, player, action))
        card, receiver = _card(action), self.position.receiver
        return f"indicate {card}" if receiver is None else f"{card} for {receiver}"

    def __str__(self) -> str:
        """The cards in the order in which they were dealt, then the deal in the engine's notation."""
        actions = map(format_action, seen_actions(self.position.match))
        return "\n".join((f"dealt {cards_text(self.position.dealt)}", *actions))


def _card(outcome: int) -> Card:
    if not 0 <= outcome < len(DECK):
        raise ValueError(f"{outcome} is no card: 0 to {len(DECK) - 1} was expected")
    return DECK[outcome]


pyspiel.register_game(_TYPE, KozelGame)
