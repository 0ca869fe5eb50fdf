"""A person at a table without cryptography: what is offered, what is understood, what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from engine import Beat, Discard, Lead, Molodka, parse_card
from node.terminal import person as person_module
from node.terminal.inbox import Inbox
from node.terminal.leaving import PersonLeft
from node.terminal.person import Person
from protocol.verdict import Verdict
from tests.node.terminal_tables import Felt, Paper, after, dealt

PROMPT = "Your choice (a number, or help): "


class Scene:
    """One person at one table; `type` and `happen` return what appears on the screen because of it."""

    def __init__(self, felt: Felt, paper: Paper) -> None:
        self.felt = felt
        self.inbox = Inbox()
        self._paper = paper
        self._read = 0
        live: Any = felt
        self.person = Person(paper.screen, self.inbox)
        self.task = asyncio.create_task(self.person.play(live))

    async def new(self) -> str:
        """What has appeared since the last time, once everything has come to rest."""
        for _ in range(30):
            await asyncio.sleep(0)
        text = self._paper.text[self._read :]
        self._read += len(text)
        return text

    async def type(self, line: str) -> str:
        self.inbox.put_line(line)
        return await self.new()

    async def happen(self, *lines: str) -> str:
        self.felt.happen(*lines)
        return await self.new()


def at(felt: Felt, act: Callable[[Scene], Awaitable[None]], *, width: int = 80) -> None:
    """Let a scene play at this table."""

    async def scene() -> None:
        opened = Scene(felt, Paper(width))
        try:
            await act(opened)
        finally:
            opened.task.cancel()
            await asyncio.gather(opened.task, return_exceptions=True)

    asyncio.run(scene())


def test_the_beginning_names_seats_and_check_words_and_asks() -> None:
    async def act(scene: Scene) -> None:
        text = await scene.new()
        assert "You are Olga. Your partner is Vera." in text
        assert "  0001 0203 0405 0607 0809 0a0b 0c0d 0e0f" in text
        assert "--- Deal 1: Gleb deals. Trump is hearts ♥, Q♥ was shown. ---" in text
        assert "Trick 1: you lead, 1 to 4 cards of one suit." in text
        assert text.endswith(PROMPT)

    at(Felt(dealt()), act)


def test_a_number_plays_that_choice() -> None:
    async def act(scene: Scene) -> None:
        assert "[1] 9♣" in await scene.new()
        text = await scene.type("1")
        assert text == "You lead 9♣.\n"
        assert scene.felt.played == [Lead(0, (parse_card("9c"),))]

    at(Felt(dealt()), act)


def test_cards_by_name() -> None:
    async def act(scene: Scene) -> None:
        await scene.new()
        assert await scene.type("jC 9c") == "You lead 9♣ J♣.\n"

    at(Felt(dealt()), act)


def test_an_answer_by_name_must_say_what_is_meant() -> None:
    felt = Felt(after(dealt(), "lead 0 9cJc"), seat=1)

    async def act(scene: Scene) -> None:
        await scene.new()
        assert "type “beat 10♣ K♣” or “discard 10♣ K♣”" in await scene.type("10c Kc")
        text = await scene.type("Kc 6d")
        assert text.startswith("You do not have 6♦.")
        text = await scene.type("8d 6h")
        assert text.startswith("8♦ 6♥ does not beat 9♣ J♣")
        assert "type “discard” before them" in text
        assert felt.played == []
        assert await scene.type("discard 8d 6h") == "You discard 8♦ 6♥, face down.\n"
        assert felt.played == [Discard(1, 2, tuple(sorted(map(parse_card, ("8d", "6h")))), 0)]

    at(felt, act)


def test_beating_by_name() -> None:
    felt = Felt(after(dealt(), "lead 0 9cJc"), seat=1)

    async def act(scene: Scene) -> None:
        await scene.new()
        assert await scene.type("beat 10c 6h") == "You beat with 10♣ 6♥.\n"
        assert isinstance(felt.played[0], Beat)

    at(felt, act)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("99", "There is no choice 99: they go from 1 to 5."),
        ("0", "There is no choice 0: they go from 1 to 5."),
        ("9c 7d", "All cards of a lead must be of one suit."),
        ("10h", "You do not have 10♥."),
        ("beat 9c", "Nothing has been led yet."),
        ("m", "You cannot claim a molodka now: it takes four cards of one suit, before you play."),
        ("wat", "“wat” is not understood here. Type help."),
    ],
)
def test_what_is_not_possible_is_refused_and_asked_again(line: str, answer: str) -> None:
    async def act(scene: Scene) -> None:
        await scene.new()
        assert await scene.type(line) == f"{answer}\n{PROMPT}"
        assert scene.felt.played == []
        assert await scene.type("1") == "You lead 9♣.\n"

    at(Felt(dealt()), act, width=120)


def test_words_show_things_and_ask_again() -> None:
    async def act(scene: Scene) -> None:
        await scene.new()
        assert await scene.type("hand") == f"Your hand:  9♣ J♣   7♦   A♠\n{PROMPT}"
        assert "No deal is finished yet." in await scene.type("score")
        assert "No trick has been taken" in await scene.type("last")
        assert "[1] 9♣" in await scene.type("table")
        assert "quit   leave the table" in await scene.type("help")
        assert await scene.type("") == PROMPT

    at(Felt(dealt()), act)


def test_while_others_play_nothing_is_asked_but_much_is_answered() -> None:
    async def act(scene: Scene) -> None:
        assert not (await scene.new()).endswith(PROMPT)
        assert await scene.type("1") == "There is nothing to choose now: it is not your turn.\n"
        assert await scene.type("hand") == "Your hand:  K♣ 10♣   8♦   trump 6♥\n"
        assert await scene.type("beat 10c") == "Nothing has been led yet.\n"
        assert "Trick 1: Olga leads." in await scene.type("table")
        assert (await scene.happen("lead 0 7d")).startswith("Olga leads 7♦.\n")

    at(Felt(dealt(), seat=1), act)


def test_a_molodka_is_offered_once_and_claimed_by_m() -> None:
    async def act(scene: Scene) -> None:
        offer = "You hold four of one suit: 6♣ 7♣ 8♣ Q♣."
        assert offer in await scene.new()
        text = await scene.happen("lead 0 9cJc")
        assert offer not in text
        assert text == "Olga leads 9♣ J♣.\n"
        text = await scene.type("m")
        assert text.startswith("Molodka! You lead out of turn: 6♣ 7♣ 8♣ Q♣.\n")
        assert "All cards played in this trick go back to their owners." in text
        assert isinstance(scene.felt.played[0], Molodka)

    at(Felt(dealt(), seat=2), act)


def test_a_molodka_stands_among_the_choices_of_an_ordinary_turn() -> None:
    felt = Felt(after(dealt(), "lead 0 7d", "beat 1 8d on 0"), seat=2)

    async def act(scene: Scene) -> None:
        text = await scene.new()
        assert "Molodka: lead four of one suit yourself (number, or m):\n  [1] 6♣ 7♣ 8♣ Q♣\n" in text
        assert "You hold four" not in text
        assert "Molodka! You lead" in await scene.type("1")

    at(felt, act)


def test_who_was_to_lead_can_take_a_molodka_back() -> None:
    hands = ("9cJcKcAc", "Th7h6h8d", "6s7s8sTs", "6c7c8cQc")
    felt = Felt(after(dealt(hands), "molodka 2 6s7s8sTs"), seat=0)

    async def act(scene: Scene) -> None:
        assert "You hold four of one suit: 9♣ J♣ K♣ A♣." in await scene.new()
        assert "You lead 9♣ J♣ K♣ A♣." in await scene.type("m")

    at(felt, act)


def test_a_molodka_of_another_gives_the_own_cards_back_and_a_new_choice() -> None:
    async def act(scene: Scene) -> None:
        await scene.new()
        await scene.type("9c Jc")
        text = await scene.happen("beat 1 KcTc on 0", "molodka 3 6s7s8sTs")
        assert "Molodka! Gleb leads out of turn: 6♠ 7♠ 8♠ 10♠." in text
        assert "Your 9♣ J♣ came back to your hand." in text
        assert "  You    to play now: need 4 cards\n" in text
        assert text.endswith(PROMPT)
        assert "You discard" in await scene.type("1")

    at(Felt(dealt()), act)


def test_a_number_meant_for_choices_that_were_just_replaced_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(person_module, "_now", lambda: now)

    async def act(scene: Scene) -> None:
        nonlocal now
        await scene.new()
        text = await scene.happen("molodka 3 6s7s8sTs")
        assert "need 4 cards" in text
        now += 0.5
        assert "so that number was not taken" in await scene.type("1")
        assert scene.felt.played == []
        now += 1
        await scene.type("1")
        assert len(scene.felt.played) == 1

    at(Felt(dealt()), act)


def test_nothing_can_be_played_while_a_lost_seat_is_handed_over() -> None:
    felt = Felt(dealt())
    felt.ready = False

    async def act(scene: Scene) -> None:
        assert not (await scene.new()).endswith(PROMPT)
        assert (await scene.type("lead 9c")).startswith("A player is gone: wait")
        felt.ready = True
        assert (await scene.happen()).endswith(PROMPT)

    at(felt, act)


def test_slow_computers_and_lost_ones_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(person_module, "_now", lambda: now)
    felt = Felt(dealt())
    felt.match.accepted[2] = None
    felt.ready = False

    async def act(scene: Scene) -> None:
        nonlocal now
        await scene.new()
        now += 2
        assert await scene.happen() == "Everybody agrees to the match… 3 of 4\n"
        now += 4
        assert await scene.happen() == "Waiting for Vera's computer…\n"
        scene.felt.absent = frozenset(scene.felt.peers)
        await scene.happen()
        now += 4
        assert (await scene.happen()).count("does not answer") == 3
        scene.felt.absent = frozenset()
        assert (await scene.happen()).count("is back.") == 3

    at(felt, act)


def test_notices_do_not_swallow_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(person_module, "_now", lambda: now)

    async def act(scene: Scene) -> None:
        nonlocal now
        await scene.new()
        scene.felt.absent = frozenset(scene.felt.peers)
        await scene.happen()
        now += 5
        assert (await scene.happen()).endswith(PROMPT)

    at(Felt(dealt()), act)


@pytest.mark.parametrize("word", ["quit", "exit", None])
def test_leaving(word: str | None) -> None:
    async def act(scene: Scene) -> None:
        await scene.new()
        if word is None:
            scene.inbox.end()
        else:
            scene.inbox.put_line(word)
        with pytest.raises(PersonLeft):
            await scene.task

    at(Felt(dealt()), act)


def test_a_proven_cheat_ends_the_match_with_a_reason() -> None:
    async def act(scene: Scene) -> None:
        await scene.new()
        scene.felt.end(Verdict(3, "bad-share", (b"x" * 32,), "", (9, 3, b"")))
        text = await scene.new()
        assert "a cheat is proven" in text
        assert "Gleb's computer gave a false key to a card." in text
        assert "kozel export 000102030405" in text
        assert scene.task.done()

    at(Felt(dealt()), act)


async def _asked(lines: list[str], matches: int | None = None) -> tuple[list[bool], str]:
    paper, inbox = Paper(), Inbox()
    person = Person(paper.screen, inbox, matches=matches)
    for line in lines:
        inbox.put_line(line)
    inbox.note_change()
    answers = [await person.wants_another() for _ in range(matches or 1)]
    return answers, paper.text


@pytest.mark.parametrize(
    ("lines", "answer"),
    [(["y"], True), (["YES"], True), (["n"], False), (["maybe", "", "no"], False), (["quit"], False)],
)
def test_another_match(lines: list[str], answer: bool) -> None:
    answers, text = asyncio.run(_asked(lines))
    assert answers == [answer]
    assert text.count("Another match at this table? (y or n)") == len(lines)


def test_a_number_of_matches_is_not_asked_about() -> None:
    answers, text = asyncio.run(_asked([], matches=3))
    assert answers == [True, True, False]
    assert text == ""


def test_leaving_at_the_question() -> None:
    async def scene() -> None:
        inbox = Inbox()
        inbox.end()
        with pytest.raises(PersonLeft):
            await Person(Paper().screen, inbox).wants_another()

    asyncio.run(scene())
