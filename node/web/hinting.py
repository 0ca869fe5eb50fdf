"""`Hint`: what to play now and why, told in one plain sentence, with the figures for who asks."""

from __future__ import annotations

from node.live import LiveTable
from node.seating.advising import Adviser
from node.web.picture import Json, legal_picture
from node.words.advice import advice_details, advice_sentence
from node.words.wording import Wording, distinct

__all__ = ["hint_picture"]


async def hint_picture(adviser: Adviser, live: LiveTable) -> Json | None:
    """What the page shows: the `sentence`, the `kind` and `cards` of the play, and `details`.

    None where the table has changed meanwhile. Raises WishRefused and BotFailed, as the adviser does.
    """
    advice = await adviser.advise(live)
    if advice is None:
        return None
    wording = Wording(distinct(live.names), live.seat)
    return {
        "sentence": advice_sentence(advice.considered, wording, advice.view, advice.seat),
        "details": advice_details(advice.considered, wording, advice.view),
        **legal_picture(advice.best),
    }
