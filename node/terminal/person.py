"""A person in a seat: sees the table, is asked when a decision is due, and can speak up at any time."""

from __future__ import annotations

import asyncio
from typing import Final

from engine import Play, turn
from node.errors import NodeError
from node.i18n import tr
from node.live import LiveTable
from node.seating.advising import Adviser, Consider, by_hard_bot
from node.terminal.choices import Group, groups_of, numbered, out_of_turn
from node.terminal.inbox import Inbox, Line, Signal
from node.terminal.leaving import PersonLeft
from node.terminal.missing import Missing
from node.terminal.narrator import Narrator
from node.terminal.render import decision_lines, hand_line, help_lines, last_trick_lines, table_lines
from node.terminal.screen import Screen
from node.terminal.typed import Command, Gone, Number, Unclear, Verb, Wish, parse_typed, play_wished
from node.words.advice import advice_sentence
from node.words.patience import Patience
from node.words.progress import current_stage
from node.words.refusals import refusal_sentence
from node.words.sheets import score_sheet
from node.words.wording import Wording
from protocol.errors import PlayRefused

__all__ = ["Person"]

_GLANCE_SECONDS: Final = 1.0
"""How often to look whether something takes long or somebody is missing."""
_TAKE_A_LOOK_SECONDS: Final = 1.0
"""A number that is typed so soon after a molodka has replaced the choices was meant for the old ones."""


class Person:
    """Plays by what is typed into `inbox`. Both `play` and `wants_another` raise PersonLeft."""

    def __init__(
        self,
        screen: Screen,
        inbox: Inbox,
        *,
        matches: int | None = None,
        consider: Consider = by_hard_bot,
    ) -> None:
        """`matches` None: ask after each whether to play another. `consider` thinks about hints."""
        self._screen = screen
        self._inbox = inbox
        self._left = matches
        self._adviser = Adviser(consider)

    async def play(self, live: LiveTable) -> None:
        """Play until the table is finished."""
        watch = asyncio.create_task(_watch(live, self._inbox))
        sitting = _Sitting(live, self._screen, self._inbox, self._adviser)
        try:
            await sitting.play()
        finally:
            watch.cancel()
            sitting.close()

    async def wants_another(self) -> bool:
        """Ask whether to play another match at this table."""
        if self._left is not None:
            self._left -= 1
            return self._left > 0
        while True:
            self._screen.ask(tr("Another match at this table? (y or n) "))
            heard = await _typed(self._inbox)
            self._screen.answered()
            word = heard.strip().lower()
            if word in ("y", "yes"):
                self._screen.say(tr("Waiting for the others to say yes too…"))
                return True
            if word in ("n", "no", "quit"):
                return False


async def _typed(inbox: Inbox) -> str:
    """The next line; changes do not matter. Raises PersonLeft."""
    while True:
        match await inbox.next():
            case Line(text):
                return text
            case Signal.ENDED:
                raise PersonLeft


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _watch(live: LiveTable, inbox: Inbox) -> None:
    """Pass every change on, the present state first, so that none is missed in between."""
    while True:
        inbox.note_change()
        await live.next_change()


class _Sitting:
    """One person at one match."""

    def __init__(self, live: LiveTable, screen: Screen, inbox: Inbox, adviser: Adviser) -> None:
        self._live = live
        self._adviser = adviser
        self._hints: set[asyncio.Task[None]] = set()
        self._screen = screen
        self._inbox = inbox
        self._narrator = Narrator(live, screen)
        self._wording: Wording = self._narrator.wording
        self._patience = Patience(self._wording)
        self._missing = Missing(live, self._wording)
        self._groups: tuple[Group, ...] = ()
        self._shown: object = None
        self._invited: object = None
        self._asked = False
        self._replaced_at = -_TAKE_A_LOOK_SECONDS

    async def play(self) -> None:
        """Tell, ask and listen, until nothing more will happen."""
        self._narrator.begin()
        while not self._live.table.finished:
            match await self._inbox.next(_GLANCE_SECONDS):
                case Line(text):
                    self._screen.answered()
                    self._asked = False
                    self._hear(text)
                case Signal.ENDED:
                    raise PersonLeft
                case Signal.CHANGED:
                    self._narrator.catch_up()
                    self._offer()
            self._be_patient()
        self._narrator.catch_up()
        self._narrator.end()

    def close(self) -> None:
        """No hint is told any more."""
        for hint in self._hints:
            hint.cancel()

    # What the screen says by itself

    @property
    def _mine(self) -> bool:
        """Whether the reader's ordinary play is awaited."""
        return turn(self._live.state) == self._live.seat

    def _offer(self) -> None:
        """Show the table when a decision is due and has not been asked for; offer a molodka once a trick."""
        state, legal = self._live.state, self._live.legal()
        self._groups = groups_of(state, legal)
        trick = (state.deal_number, len(state.tricks))
        if legal and self._mine:
            if self._shown != (trick, state.trick):
                self._shown = (trick, state.trick)
                if self._asked:
                    self._replaced_at = _now()
                width = self._screen.width
                self._screen.show(decision_lines(state, self._groups, self._wording, width))
                self._prompt()
            return
        if legal and self._invited != trick:
            self._invited = trick
            self._invite(legal)

    def _invite(self, legal: list[Play]) -> None:
        claim = out_of_turn(self._live.state, legal)
        if claim is not None:
            cards = self._wording.under(self._live.state).cards(claim.cards or ())
            self._screen.say(
                tr("You hold four of one suit: {cards}.", cards=cards),
                tr("You may lead them now, out of turn (molodka): type m and press Enter. Or just wait."),
            )

    def _be_patient(self) -> None:
        now, match = _now(), self._live.table.match
        lines = self._patience.notice(now, current_stage(match), turn(self._live.state), self._live.absent)
        lines += self._missing.look(now)
        if lines:
            self._screen.say(*lines)
            self._ask_again()

    def _prompt(self) -> None:
        self._asked = True
        self._screen.ask(tr("Your choice (a number, or help): "))

    # What the person says

    def _hear(self, text: str) -> None:
        match parse_typed(text):
            case None:
                self._ask_again()
            case Number(value):
                self._choose(value)
            case Wish() as wish:
                self._wish(wish)
            case Gone(name):
                self._declare_gone(name)
            case Unclear(words):
                self._reply(tr("“{text}” is not understood here. Type help.", text=words))
            case Command.CLAIM:
                self._claim()
            case Command.HINT:
                hint = asyncio.create_task(self._hint())
                self._hints.add(hint)
                hint.add_done_callback(self._hints.discard)
            case Command.QUIT:
                raise PersonLeft
            case Command() as command:
                self._screen.say(*self._answer(command))
                self._ask_again()

    def _answer(self, command: Command) -> list[str]:
        state = self._live.state
        match command:
            case Command.HAND:
                return [hand_line(state, self._wording)]
            case Command.SCORE:
                return score_sheet(state, self._wording)
            case Command.LAST:
                return last_trick_lines(state, self._wording)
            case Command.TABLE if self._groups:
                return decision_lines(state, self._groups, self._wording, self._screen.width)
            case Command.TABLE:
                return table_lines(state, self._wording)
            case _:
                return help_lines()

    def _choose(self, number: int) -> None:
        play = numbered(self._groups, number)
        if _now() < self._replaced_at + _TAKE_A_LOOK_SECONDS:
            self._reply(
                tr("The table has just changed, so that number was not taken. Look and choose again.")
            )
        elif play is not None:
            self._try(play)
        elif self._groups:
            last = self._groups[-1].choices[-1].number
            self._reply(
                tr("There is no choice {number}: they go from 1 to {last}.", number=number, last=last)
            )
        else:
            self._reply(tr("There is nothing to choose now: it is not your turn."))

    def _wish(self, wish: Wish) -> None:
        play = play_wished(wish, self._live.state, self._live.seat)
        if play is not None:
            self._try(play, guessed=wish.verb is Verb.ANY)
            return
        cards = " ".join(self._wording.card(card) for card in wish.cards)
        self._reply(tr("Say what to do with them: type “beat {cards}” or “discard {cards}”.", cards=cards))

    def _claim(self) -> None:
        claim = out_of_turn(self._live.state, self._live.legal())
        if claim is None:
            self._reply(
                tr("You cannot claim a molodka now: it takes four cards of one suit, before you play.")
            )
        else:
            self._try(claim)

    async def _hint(self) -> None:
        """Say what to play and why; the table goes on meanwhile, and then it is not said."""
        try:
            advice = await self._adviser.advise(self._live)
        except NodeError as error:
            self._reply(str(error))
            return
        if advice is not None:
            self._reply(advice_sentence(advice.considered, self._wording, advice.view, advice.seat))

    def _declare_gone(self, name: str) -> None:
        reason = self._missing.declare(name)
        if reason is not None:
            self._reply(reason)

    def _try(self, play: Play, *, guessed: bool = False) -> None:
        try:
            self._live.play(play)
        except PlayRefused as refused:
            reason = refusal_sentence(refused, self._wording.under(self._live.state))
            if guessed and refused.code == "does-not-beat":
                reason = f"{reason} " + tr("To give cards away, type “discard” before them.")
            self._reply(reason)

    def _reply(self, line: str) -> None:
        self._screen.say(line)
        self._ask_again()

    def _ask_again(self) -> None:
        if self._live.legal() and self._mine:
            self._prompt()
