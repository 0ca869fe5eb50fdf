"""What the table shows and lets do, in situations that are set up by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.staged import Stage
from tests.engine.tables import table
from tests.node.terminal_tables import Felt

pytestmark = pytest.mark.browser

Serve = Callable[..., str]

HANDS = ["6c7c8cAh", "9cTcKd6h", "6d7d8d9d", "6s7s8sAc"]


@pytest.fixture
def staged(serve: Serve, visit: OpenPage) -> Callable[..., Stage]:
    """The page with nothing on it yet but what the test will show."""

    def made(*, clock: bool = False, **options: object) -> Stage:
        stages: list[Stage] = []

        def prepare(page: Page) -> None:
            if clock:
                page.clock.install()
            stages.append(Stage(page))

        visit(serve("Olga"), prepare=prepare, **options)
        return stages[0]

    return made


def shown(stage: Stage, felt: Felt) -> Page:
    stage.show(felt)
    expect(stage.page.locator(".own").first).to_be_visible()
    return stage.page


def places(page: Page) -> list[tuple[str, float, float]]:
    """The names at the table with the middle of each on the screen, clockwise from the reader."""
    found = []
    for place in range(4):
        plate = page.locator(f".player.place-{place} .name")
        box = plate.bounding_box()
        assert box is not None
        found.append((plate.inner_text(), box["x"] + box["width"] / 2, box["y"]))
    return found


@pytest.mark.parametrize("language", ["en", "ru", "ar"])
def test_the_next_to_play_sits_on_the_left_in_every_language(
    staged: Callable[..., Stage], language: str
) -> None:
    page = shown(staged(locale=language), Felt(table(HANDS, stock=4), seat=1))
    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("document.documentElement.dir") == ("rtl" if language == "ar" else "ltr")
    (_, x0, y0), (left, x1, y1), (top, x2, y2), (right, x3, y3) = places(page)
    names = Felt(table(HANDS, stock=4), seat=1).names
    assert (left, top, right) == (names[2], names[3], names[0])
    assert x1 < x0 < x3
    assert x1 < x2 < x3
    assert y2 < min(y1, y3) <= max(y1, y3) < y0


def test_both_beat_and_discard_are_offered(staged: Callable[..., Stage]) -> None:
    felt = Felt(table(HANDS, stock=4), seat=1)
    felt.happen("lead 0 6c")
    stage = staged()
    page = shown(stage, felt)
    page.locator("[data-card='9c']").click()
    kinds = page.locator(".act.main").evaluate_all("acts => acts.map(act => act.dataset.kind)")
    assert kinds == ["beat", "discard"]
    page.locator("[data-card='9c']").click()
    page.locator("[data-card='Kd']").click()
    assert page.locator(".act.main").evaluate_all("acts => acts.map(act => act.dataset.kind)") == ["discard"]
    page.get_by_role("button", name="Discard 1 card").click()
    expect(page.locator(".own.lifted")).to_have_count(0)
    assert stage.asked[-1] | {"id": 0} == {"id": 0, "do": "play", "kind": "discard", "cards": ["Kd"]}


def test_why_a_play_is_not_possible_stands_on_the_page(staged: Callable[..., Stage]) -> None:
    felt = Felt(table(HANDS, stock=4), seat=1)
    felt.happen("lead 0 6c")
    stage = staged()
    stage.refuse = lambda _wish: {"code": "does-not-beat", "words": "K♦ does not beat 6♣."}
    page = shown(stage, felt)
    page.locator("[data-card='Kd']").click()
    page.locator("[data-kind='beat']").click()
    expect(page.locator("#notices")).to_have_text("K♦ does not beat 6♣.")
    expect(page.locator(".own.lifted")).to_have_count(1)
    assert stage.asked[-1]["kind"] == "beat"


def test_a_molodka_can_be_claimed_and_the_cards_go_back(staged: Callable[..., Stage]) -> None:
    felt = Felt(table(HANDS, stock=4), seat=2)
    felt.happen("lead 0 6c")
    stage = staged()
    page = shown(stage, felt)
    expect(page.locator(".played.place-2 .card")).to_have_count(1)
    page.get_by_role("button", name="Molodka!").click()
    assert stage.asked[-1] | {"id": 0} == {
        "id": 0,
        "do": "play",
        "kind": "molodka",
        "cards": ["6d", "7d", "8d", "9d"],
    }
    felt.happen("molodka 2 6d7d8d9d")
    stage.show(felt)
    expect(page.locator(".played.place-0:not(.ghost) .card")).to_have_count(4)
    expect(page.locator(".played.place-2:not(.ghost) .card")).to_have_count(0)
    expect(page.locator(".latest")).to_have_text("All cards played in this trick go back to their owners.")
    story = page.locator("#story")
    expect(story).to_contain_text("You lead out of turn")
    expect(story).to_contain_text("All cards played in this trick go back to their owners.")


def test_who_took_the_last_trick_and_its_open_cards_alone(staged: Callable[..., Stage]) -> None:
    felt = Felt(table(HANDS, stock=4), seat=1)
    felt.happen("lead 0 6c", "beat 1 9c on 0", "discard 2 6d on 0")
    page = shown(stage := staged(), felt)
    felt.happen("discard 3 6s on 0")
    stage.show(felt)
    expect(page.locator(".need")).to_have_text("You take the trick.")
    page.get_by_text("Last trick").click()
    rows = page.locator(".last .line")
    expect(rows).to_have_count(4)
    assert rows.locator(".card.back").count() == 2
    page.locator(".felt").click(position={"x": 5, "y": 300})
    expect(page.locator(".need")).not_to_have_text("You take the trick.")


def test_a_proven_cheat_is_shown_with_the_culprit(staged: Callable[..., Stage]) -> None:
    felt = Felt(table(HANDS, stock=4), seat=1)
    stage = staged()
    page = shown(stage, felt)
    sentence = "Olga's computer did not shuffle honestly."
    stage.show(felt, over=True, verdict={"culprit": 0, "sentence": sentence})
    expect(page.locator(".message.alarm").last).to_have_text(sentence)
    expect(page.locator(".end")).to_be_visible()


def test_who_is_gone_can_be_played_without(staged: Callable[..., Stage]) -> None:
    felt = Felt(table(HANDS, stock=4), seat=1)
    stage = staged()
    page = shown(stage, felt)
    stage.show(felt, absent=[2], overdue=[2])
    page.get_by_role("button", name="Play on without").click()
    assert stage.asked[-1] | {"id": 0} == {"id": 0, "do": "gone", "seat": 2}


def test_the_clock_reminds_and_forces_nothing(staged: Callable[..., Stage]) -> None:
    felt = Felt(table(HANDS, stock=4), seat=0)
    stage = staged(clock=True)
    page = shown(stage, felt)
    expect(page.locator(".clock")).to_be_empty()
    page.clock.run_for(20_000)
    expect(page.locator(".clock")).to_have_text("It is your turn: 20 s.")
    page.clock.run_for(40_000)
    expect(page.locator(".clock")).to_contain_text("or let a bot play for you")
    assert stage.asked == []
    page.get_by_role("button", name="Let a bot play for me").click()
    assert stage.asked[-1] | {"id": 0} == {"id": 0, "do": "stand-in", "on": True}


def test_what_is_said_stands_beside_its_speaker_for_a_while(staged: Callable[..., Stage]) -> None:
    felt = Felt(table(HANDS, stock=4), seat=1)
    stage = staged()
    page = shown(stage, felt)
    stage.show(felt, said=[{"seat": 3, "count": 1, "text": "Well played!"}])
    expect(page.locator(".bubble.place-2")).to_have_text("Well played!")
    expect(page.locator(".bubble.place-2")).to_be_empty(timeout=8_000)
    page.get_by_text("Say something").click()
    page.get_by_role("button", name="👏").click()
    assert stage.asked[-1] | {"id": 0} == {"id": 0, "do": "say", "phrase": 2}
