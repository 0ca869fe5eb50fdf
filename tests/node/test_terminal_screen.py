from __future__ import annotations

from tests.node.terminal_tables import Paper


def test_lines_are_written_as_they_stand() -> None:
    paper = Paper()
    paper.screen.say("[bold]Anna[/bold] :smile:", "Your hand:  6♣")
    assert paper.text == "[bold]Anna[/bold] :smile:\nYour hand:  6♣\n"


def test_a_line_does_not_run_into_an_open_prompt() -> None:
    paper = Paper()
    paper.screen.ask("Your choice: ")
    paper.screen.say("Molodka!")
    paper.screen.ask("Your choice: ")
    assert paper.text == "Your choice: \nMolodka!\nYour choice: "


def test_after_an_answer_on_a_terminal_the_line_is_ended_already() -> None:
    paper = Paper(echoed=True)
    paper.screen.ask("Your choice: ")
    paper.screen.answered()
    paper.screen.say("You lead 6♣.")
    assert paper.text == "Your choice: You lead 6♣.\n"


def test_after_an_answer_from_a_pipe_it_is_not() -> None:
    paper = Paper(echoed=False)
    paper.screen.ask("Your choice: ")
    paper.screen.answered()
    paper.screen.say("You lead 6♣.")
    assert paper.text == "Your choice: \nYou lead 6♣.\n"


def test_suits_are_signs_only_where_they_can_be_shown() -> None:
    assert Paper().screen.symbols
    assert not Paper(encoding="ascii").screen.symbols


def test_what_cannot_be_shown_does_not_stop_the_game() -> None:
    paper = Paper(encoding="ascii")
    paper.screen.say("Waiting for Вера…")
    assert paper.text == "Waiting for ?????\n"


def test_long_lines_are_broken_between_words() -> None:
    paper = Paper(width=20)
    paper.screen.say("one two three four five six")
    assert [line.rstrip() for line in paper.text.splitlines()] == ["one two three four", "five six"]


def test_the_rule_above_a_block_fits_the_screen() -> None:
    paper = Paper(width=30)
    paper.screen.show(["x"])
    assert paper.text == f"\n{'-' * 30}\nx\n"
