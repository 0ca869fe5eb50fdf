"""A person plays a whole deal in a real terminal, beside three real bot processes, by typing."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals exist on POSIX systems only", allow_module_level=True)

import pexpect

PROMPT = r"Your choice \(a number, or help\): "
OVER = r"--- Deal 1 is over ---"


@pytest.fixture
def game(tmp_path: Path) -> Iterator[pexpect.spawn]:
    environment = {
        **os.environ,
        "KOZEL_HOME": str(tmp_path),
        "KOZEL_BOT_PAUSE": "0",
        "TERM": "xterm",
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
    }
    child = pexpect.spawn(
        sys.executable,
        ["-m", "node.cli", "play", "--terminal", "--bots", "3", "--name", "Olga"],
        cwd=str(Path(__file__).parents[2]),
        env=environment,
        encoding="utf-8",
        dimensions=(24, 80),
        timeout=40,
    )
    yield child
    child.close(force=True)


def shown(game: pexpect.spawn) -> str:
    """What has appeared since the last expectation, without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", game.before).replace("\r\n", "\n")


def own_first_cards(screen: str, count: int) -> str:
    """So many cards of the hand as a person would type them: with letters for the suits."""
    hand = re.search(r"Your hand: .*", screen)
    assert hand is not None, screen
    cards = re.findall(r"(10|[6-9JQKA])([♣♦♥♠])", hand[0])[:count]
    assert len(cards) == count
    letters = dict(zip("♣♦♥♠", "cdhs", strict=True))
    return " ".join(rank + letters[suit] for rank, suit in cards)


def needed(screen: str) -> int | None:
    """How many cards are asked for; None when the person leads."""
    found = re.search(r"to play now: need (\d)", screen)
    return int(found[1]) if found else None


def test_a_person_plays_a_whole_deal_and_leaves(game: pexpect.spawn) -> None:
    game.expect("You are Olga")
    game.expect("All four should see the same check words")
    game.expect(PROMPT)
    screen = shown(game)
    assert "Trump: " in screen
    assert "Stock: " in screen

    game.sendline("999")
    game.expect(r"There is no choice 999")
    game.expect(PROMPT)
    game.sendline("pass")
    game.expect(r"“pass” is not understood")
    game.expect(PROMPT)

    by_name = 0
    while True:
        count = needed(screen)
        if not by_name:
            cards = own_first_cards(screen, count or 1)
            game.sendline(cards if count is None else f"discard {cards}")
            game.expect("You (lead|discard) ")
            by_name += 1
        else:
            game.sendline("1")
        if game.expect([PROMPT, OVER]) == 1:
            break
        screen = shown(game)

    game.expect(r"You and \w+: \d+ points, .*Defeat points: you \d, they \d")
    assert by_name == 1
    game.sendline("quit")
    game.expect("Goodbye. Every match is kept")
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 0


def test_an_interrupt_leaves_politely(game: pexpect.spawn) -> None:
    game.expect("Three bots come to your table")
    game.sendintr()
    game.expect("Goodbye. Every match is kept")
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 130
    assert "Traceback" not in shown(game)
