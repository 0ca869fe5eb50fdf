"""Players that are programs. A bot sees its seat's view and the legal plays, and nothing else."""

from node.bots.bot import THINK_SECONDS, Bot
from node.bots.finding import BOTS, bot_class, make_bot

__all__ = ["BOTS", "THINK_SECONDS", "Bot", "bot_class", "make_bot"]
