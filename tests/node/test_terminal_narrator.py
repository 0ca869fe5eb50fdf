from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from node.terminal.narrator import Commentator, Narrator
from protocol.facts import Loss
from protocol.verdict import Verdict
from tests.node.terminal_tables import Felt, Paper, dealt


def test_everything_is_said_once() -> None:
    felt, paper = Felt(dealt(), seat=1), Paper()
    live: Any = felt
    narrator = Narrator(live, paper.screen)
    narrator.begin()
    narrator.catch_up()
    narrator.catch_up()
    felt.happen("lead 0 7d")
    narrator.catch_up()
    narrator.catch_up()
    text = paper.text
    assert text.index("=== The match begins ===") < text.index("--- Deal 1") < text.index("Olga leads 7♦.")
    assert text.count("--- Deal 1") == text.count("Olga leads 7♦.") == 1


def test_a_commentator_follows_a_bot_and_says_how_it_ends() -> None:
    felt, paper = Felt(dealt(), seat=1), Paper()
    live: Any = felt

    async def scene() -> None:
        commentator = Commentator(paper.screen)
        commentator.match_begun(live)
        await asyncio.sleep(0)
        felt.happen("lead 0 7d")
        for _ in range(5):
            await asyncio.sleep(0)
        assert "Olga leads 7♦." in paper.text
        felt.happen("discard 1 6h on 0")
        felt.end(Verdict(0, "bad-coin", (), "", (0, 0, b"")))
        commentator.match_over(live)
        assert "You discard 6♥, face down." in paper.text
        assert "Olga's computer changed its mind" in paper.text

    asyncio.run(scene())


def test_whoever_watches_a_bot_hears_that_the_deal_goes_on_without_a_seat() -> None:
    felt, paper = Felt(dealt(), seat=1), Paper()
    live: Any = felt

    async def scene() -> None:
        commentator = Commentator(paper.screen)
        commentator.match_begun(live)
        await asyncio.sleep(0)
        felt.match.current = replace(felt.match.current, loss=Loss(2, 1, bytes(32), 0, ()))
        felt.happen("lead 0 7d")
        for _ in range(5):
            await asyncio.sleep(0)
        assert paper.text.count("cards lie open now") == 1
        felt.end()
        commentator.match_over(live)

    asyncio.run(scene())
