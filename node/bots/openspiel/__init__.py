"""The game for OpenSpiel, a library of algorithms for games: one deal, under the name `python_kozel`.

Importing this package registers the game. It needs the extra `openspiel`; without it the import raises
`ModuleNotFoundError`.

    import pyspiel
    import node.bots.openspiel

    game = pyspiel.load_game("python_kozel(molodka=off)")

- One game is one deal. Seat 3 deals and seat 0 leads: any other deal is this one with the seats renamed. The
  players are the seats 0 to 3.
- Each player gets the defeat points of the other team less those of the own team (R19), from -6 to 6, and
  nothing before the end.
- Chance deals the sixteen cards, shows the indicator and draws, one card at a time: the outcome is a card's
  place in `engine.DECK`, each card of the stock equally likely.
- An action is one play. Its number says the kind of play and which of the own cards; see
  :mod:`node.bots.openspiel.deal`. What is seen is listed in :mod:`node.bots.openspiel.facts`.
- The parameter `molodka` is the table option, `anytime` or `off` (R13). The other options reach beyond one
  deal.

OpenSpiel asks one player at a time, so a molodka is offered to a seat on its own turn only, beside its
answers. Waiting for that loses no right: a seat may claim until its own play, and turns come in the order in
which R15 prefers claims. So at most one claim is made in a trick, and none is lost. Left out are claims made
earlier, before the lead or before the seats in between have played: those seats then show nothing, the seat
entitled to lead may outdo the claim with four of its own, and a nearer claim may send it back (R15).
"""

from node.bots.openspiel.deal import NUM_ACTIONS, Position
from node.bots.openspiel.game import GAME_NAME, KozelGame, KozelState
from node.bots.openspiel.observer import KozelObserver

__all__ = ["GAME_NAME", "NUM_ACTIONS", "KozelGame", "KozelObserver", "KozelState", "Position"]
