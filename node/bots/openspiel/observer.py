"""What OpenSpiel's algorithms get to see of a deal, as numbers and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt
import pyspiel

from engine import SEATS, Seat, cards_text, format_action
from node.bots.openspiel.deal import Position, seen_actions
from node.bots.openspiel.facts import Facts, Marks, all_now, all_since, own_now, own_since

if TYPE_CHECKING:
    from node.bots.openspiel.game import KozelState

__all__ = ["KozelObserver"]

Array: TypeAlias = npt.NDArray[np.float32]


class KozelObserver:
    """An observer as OpenSpiel wants it.

    `tensor` holds zeros and ones, and `dict` its parts by name, in the same memory: `player`, the seat that
    looks, and the tables of :mod:`node.bots.openspiel.facts`. With perfect recall they hold all that was seen
    since the cards were dealt, without it what is to be seen now.
    """

    def __init__(
        self, iig_obs_type: pyspiel.IIGObservationType, params: Mapping[str, object] | None = None
    ) -> None:
        """Raises `ValueError` for parameters, and for what is not offered: the private cards of all players,
        or private cards alone with perfect recall."""
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        if iig_obs_type.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("no observer sees the private cards of all players")
        self._private = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public, self._recall = iig_obs_type.public_info, iig_obs_type.perfect_recall
        if self._recall and not self._public:
            raise ValueError("private cards alone are shown as they are now, without perfect recall")
        tables = self._tables(Position.first(), 0)
        self.tensor: Array = np.zeros(
            sum(len(marks.rows) * marks.width for marks in tables.values()), np.float32
        )
        self.dict: dict[str, Array] = {}
        start = 0
        for name, marks in tables.items():
            end = start + len(marks.rows) * marks.width
            self.dict[name] = self.tensor[start:end].reshape(len(marks.rows), marks.width)
            start = end

    def set_from(self, state: KozelState, player: Seat) -> None:
        """Write what that player sees of the state into `tensor`."""
        self.tensor.fill(0)
        for name, marks in self._tables(state.position, player).items():
            for row, columns in zip(self.dict[name], marks.rows, strict=True):
                row[list(columns)] = 1

    def string_from(self, state: KozelState, player: Seat) -> str:
        """What that player sees of the state; with perfect recall, in the engine's notation."""
        if not self._recall:
            tables = self._tables(state.position, player)
            return "\n".join(f"{name} {marks.text()}" for name, marks in tables.items())
        seen = map(format_action, seen_actions(state.position.view(player if self._private else None)))
        own = f"seat {player} hand {cards_text(state.position.hand(player)) or '-'} " if self._private else ""
        return "\n".join((f"{own}stock {len(state.position.stock)}", *seen))

    def _tables(self, position: Position, player: Seat) -> Facts:
        tables: Facts = {}
        if self._private:
            tables["player"] = Marks(((player,),), len(SEATS))
            tables |= own_since(position, player) if self._recall else own_now(position, player)
        if self._public and self._recall:
            tables |= all_since(position, player if self._private else None)
        elif self._public:
            tables |= all_now(position)
        return tables
