"""A person steps through a replay in a real terminal, in each language and in two sizes."""

from __future__ import annotations

import os
import sys
import unicodedata
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals exist on POSIX systems only", allow_module_level=True)

import pexpect
import pyte

from node.i18n import LANGUAGES, speaking, tr
from tests.node.replays import damaged, not_begun, whole
from tests.parameters import first_few

AS_TEXT = (
    "import sys; from pathlib import Path; from node.commands.replay import replay_file;"
    "sys.exit(replay_file(Path(sys.argv[1]), deal=1, as_text=True))"
)


def composed(text: str) -> str:
    """The text with each mark in its place: the screen sorts the marks above a letter anew."""
    return unicodedata.normalize("NFC", text)


class Terminal:
    """The program in a terminal of its own, and what stands on its screen."""

    def __init__(
        self, folder: Path, data: bytes, *options: str, columns: int = 80, rows: int = 24, lang: str = "en"
    ) -> None:
        file = folder / "match.kozel"
        file.write_bytes(data)
        self._start(["-m", "node.cli", "--lang", lang, "replay", str(file), *options], folder, columns, rows)
        with speaking(lang):
            self.prompt = tr("Enter: next, b: back, h: help, q: quit > ")

    def _start(self, arguments: list[str], folder: Path, columns: int, rows: int) -> None:
        environment = {**os.environ, "KOZEL_HOME": str(folder), "TERM": "xterm", "PYTHONUTF8": "1"}
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        self.child = pexpect.spawn(
            sys.executable,
            arguments,
            cwd=str(Path(__file__).parents[2]),
            env=environment,
            encoding="utf-8",
            dimensions=(rows, columns),
            timeout=60,
        )
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)

    def shown(self) -> list[str]:
        """The screen when the next line is awaited."""
        self.child.expect_exact(self.prompt)
        self._stream.feed(self.child.before + self.child.after)
        return [composed(line.rstrip()) for line in self._screen.display]

    def type(self, line: str) -> list[str]:
        """The screen after a line was typed."""
        self.child.sendline(line)
        return self.shown()

    def end(self) -> tuple[int | None, str]:
        """The exit code, and what was written last."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus, self.child.before


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), pytest.param(60, 20, marks=pytest.mark.long)])
@pytest.mark.parametrize("lang", first_few(LANGUAGES, 2))
def test_a_match_is_stepped_through(lang: str, columns: int, rows: int, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, whole(), columns=columns, rows=rows, lang=lang)
    first = terminal.shown()
    with speaking(lang):
        place = "--- Deal {deal} of {deals}, trick {trick} of {tricks}, step {step} of {steps} ---"
        heading = tr(place, deal=1, deals=3, trick=1, tricks=6, step=1, steps=5)
        led = tr("{name} leads {cards}.", name="Player 2", cards="K♣")
        returned = tr("All cards played in this trick go back to their owners.")
    assert first[0] == composed(heading)
    assert any("6♦ 8♦ Q♦ 8♥" in line for line in first)
    assert composed(led) in terminal.type("")
    terminal.type("1.4")
    terminal.type("")
    molodka = terminal.type("")
    assert any("7♠ Q♠ K♠ A♠" in line for line in molodka)
    # A long sentence may be folded.
    assert composed(returned).replace(" ", "") in "".join(molodka).replace(" ", "")
    assert terminal.type("f") == first
    terminal.child.sendline("q")
    assert terminal.end()[0] == 0


def test_it_begins_at_the_deal_that_is_asked_for(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, whole(), "--deal", "2")
    assert terminal.shown()[0].startswith("--- Deal 2 of 3, trick 1 of ")
    terminal.child.sendline("q")
    assert terminal.end()[0] == 0


def test_a_damaged_log_is_played_as_far_as_it_is_sound(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, damaged())
    assert terminal.shown()[0].startswith("--- Deal 1 of ")
    assert any("damaged at byte" in line for line in terminal.type("l"))
    terminal.child.sendline("q")
    code, said = terminal.end()
    assert code == 2
    assert "damaged at byte" in said


def test_the_end_of_the_input_and_an_interrupt_leave(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, whole())
    terminal.shown()
    terminal.child.sendeof()
    assert terminal.end() == (0, "\r\n")
    terminal = Terminal(tmp_path, whole())
    terminal.shown()
    terminal.child.sendintr()
    code, said = terminal.end()
    assert code == 130
    assert "Traceback" not in said


def test_where_no_card_was_dealt_there_is_nothing_to_step_through(tmp_path: Path) -> None:
    code, said = Terminal(tmp_path, not_begun()).end()
    assert code == 0
    assert "NOT WHOLE" in said
    code, said = Terminal(tmp_path, not_begun(), "--deal", "1").end()
    assert code == 1
    assert "The match has 0 deals; there is no deal 1." in said


def test_text_is_text_on_a_terminal_too(tmp_path: Path) -> None:
    file = tmp_path / "match.kozel"
    file.write_bytes(whole())
    code, said = pexpect.run(
        f"{sys.executable} -c '{AS_TEXT}' {file}",
        cwd=str(Path(__file__).parents[2]),
        env={**os.environ, "PYTHONUTF8": "1"},
        encoding="utf-8",
        timeout=60,
        withexitstatus=True,
    )[::-1]
    assert code == 0
    assert said.startswith("Deal 1. Player 1 deals.")
    assert "Enter:" not in said
