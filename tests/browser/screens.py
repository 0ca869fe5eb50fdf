"""The main screens of the page, each in a situation that shows much of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine import DealResult, player_view
from node.web.picture import game_picture
from node.web.qr import qr_rows
from tests.browser.staged import Stage
from tests.engine.tables import table
from tests.node.terminal_tables import Felt

__all__ = ["SCREENS", "Screen"]

HANDS = ["6c7c8cAh", "9cTcKd6h", "6d7d8d9d", "6s7s8sAc"]
HINT = {
    "sentence": "Beat with 9♣: your side takes this trick in 83 of 100 likely deals of the hidden cards, and"
    " the deal ends about 9 points better for you than with the next best play.",
    "kind": "beat",
    "cards": ["9c"],
    "details": [
        "From 420 likely deals of the hidden cards: how often your side takes the trick, and what it has at"
        " the end of the deal.",
        "Beat with 9♣: takes 83 of 100, 66 points, defeat points +0.8",
        "Discard K♦: takes 41 of 100, 57 points, defeat points -0.3",
    ],
}
LINK = "KOZEL:192.168.1.20/47001/UDGWUDY4S6ZRUGV3GQV3XVLYEA/12345678"


@dataclass(frozen=True)
class Screen:
    """A screen: how to show it, and what is there when it is drawn."""

    name: str
    show: Callable[[Stage], None]
    ready: str


def _hall(stage: Stage) -> None:
    where = {"recent": None, "known": False}
    tables = [
        {"number": 0, "where": "192.168.1.20:47001", "name": "Dacha", "host": "Anna", "free": 2, **where},
        {"number": 1, "where": "192.168.1.31:47001", "name": "Hostel", "host": "Boris", "free": 0, **where},
        {"number": 2, "where": "192.168.1.7:47001", "name": "Kitchen", "host": "Vera", "free": None, **where},
        {"number": 3, "where": "192.168.1.44:47001", "name": "Attic", "host": "Gleb", "free": 0, **where},
    ]
    tables[-1]["playing"] = True
    match = {"players": ["Olga", "Anna", "Vera", "Gleb"], "seat": 0, "score": [4, 8], "deals": 3}
    finished = [{**match, "match": "00" * 32, "begun": 1_790_000_000.0}]
    broken = [{**finished[0], "match": "01" * 32, "goesOn": True}]
    stage.send(
        "hall",
        {
            "invitations": [],
            "looked": True,
            "trouble": None,
            "tables": tables,
            "openMatches": broken,
            "finished": finished,
        },
    )


GATHERING = {
    "table": "Dacha",
    "seats": ["Olga", "Anna", None, "Gleb"],
    "levels": [None, None, None, "hard"],
    "hosting": True,
    "seat": 0,
    "hostSeat": 0,
    "wishes": [None, 3, None, None],
    "story": [],
    "keptFor": [None] * 4,
    "bots": True,
    "held": True,
    "code": "12345678",
    "link": LINK,
    "addresses": ["192.168.1.20:47001"],
    "qr": qr_rows(LINK),
    "onlookers": {"names": ["Dasha"], "delay": 120, "link": LINK, "code": "12345678"},
}
"""A host's picture of a table at which one seat is free and Anna would like another."""


def _gathering(stage: Stage) -> None:
    stage.send("gathering", GATHERING)


def _guest(stage: Stage) -> None:
    invitation: dict[str, Any] = {"code": None, "link": None, "addresses": [], "qr": None}
    guest = {
        "onlookers": None,
        "hosting": False,
        "seat": 1,
        "held": False,
        "bots": False,
        "levels": [None] * 4,
    }
    stage.send("gathering", {**GATHERING, **invitation, **guest})


def _going_on(stage: Stage) -> None:
    story = [
        "The match goes on after 3 deals that were played.",
        "Defeat points: Olga and Vera 4, Anna and Gleb 8.",
        "Seats are kept for Anna, Vera, Gleb. Whoever else comes takes the one that stays free.",
    ]
    kept = {"story": story, "keptFor": ["Olga", "Anna", "Vera", "Gleb"], "held": False, "wishes": [None] * 4}
    stage.send("gathering", {**GATHERING, **kept})


def _felt() -> Felt:
    state = table(HANDS, stock=4)
    results = (
        DealResult((71, 49), (5, 2), (0, 2), eggs=False),
        DealResult((60, 60), (4, 3), (0, 0), eggs=True),
        DealResult((28, 92), (2, 5), (4, 0), eggs=False),
    )
    felt = Felt(replace(state, results=results, score=(4, 2), deal_number=3), seat=1)
    felt.happen("lead 0 6c")
    return felt


def _table(stage: Stage) -> None:
    stage.show(_felt())


def _lifted(stage: Stage) -> None:
    stage.show(_felt(), absent=[2], overdue=[2])
    stage.page.locator("[data-card='9c']").click()


def _molodka(stage: Stage) -> None:
    felt = Felt(table(HANDS, stock=4), seat=2)
    felt.happen("lead 0 6c", "discard 1 6h on 0")
    stage.show(felt)


def _hint(stage: Stage) -> None:
    stage.page.evaluate("localStorage.setItem('kozel', JSON.stringify({ hints: 'on' }))")
    stage.page.reload()
    stage.answer = lambda _wish: HINT
    _lifted(stage)
    stage.page.keyboard.press("h")


def _end(stage: Stage) -> None:
    stage.show(_felt(), over=True, goat=0, askedAgain=True, legal=[])


def _watched(**changes: Any) -> dict[str, Any]:
    """What everybody sees after a molodka: the lead that was interrupted went back open."""
    felt = _felt()
    felt.happen("discard 1 6h on 0", "molodka 2 6d7d8d9d")
    match = {
        "match": "02" * 32,
        "checkWords": "anchor-apple-azure-basil",
        "table": "Dacha",
        "forShow": False,
        "seat": None,
        "names": list(felt.names),
        **game_picture(player_view(felt.full, None)),
        "stage": None,
        "gone": [None] * 4,
        "lost": None,
        "verdict": None,
        "checked": [
            "Checked so far: 812 signatures, 24 shuffles, 630 keys to cards, 96 plays. All is right."
        ],
        "over": False,
    }
    return {"table": "Dacha", "host": "Olga", "match": {**match, **changes}}


STORY = [
    "--- Deal 4: Olga deals. Trump is hearts ♥, Q♥ was shown. ---",
    "Olga leads 6♣.",
    "Boris discards 1 card.",
    "Molodka! Vera leads out of turn: 6♦ 7♦ 8♦ 9♦.",
    "All cards played in this trick go back to their owners.",
]


def _watching(stage: Stage) -> None:
    stage.send("watching", _watched(), STORY)


def _watching_cheat(stage: Stage) -> None:
    sentence = "Boris's computer told different players different things, and signed both."
    verdict = {"culprit": 1, "sentence": sentence}
    stage.send("watching", _watched(verdict=verdict, over=True, checked=[]), STORY)


def _watched_before(stage: Stage) -> None:
    stage.send("watching", {"table": "Dacha", "host": "Olga", "match": None})


def _watched_end(stage: Stage) -> None:
    stage.send("watching", _watched(over=True, goat=0, trick=None, turn=None), STORY)


def _hosted(stage: Stage) -> None:
    stage.show(_felt(), onlookers=GATHERING["onlookers"])
    stage.page.locator(".onlookers summary").click()


SCREENS = (
    Screen("hall", _hall, ".entry"),
    Screen("gathering", _gathering, ".qr"),
    Screen("guest", _guest, ".wishes p"),
    Screen("going-on", _going_on, ".seat.free"),
    Screen("table", _table, ".own"),
    Screen("lifted", _lifted, ".own.lifted"),
    Screen("hint", _hint, ".hint"),
    Screen("molodka", _molodka, ".claim"),
    Screen("sheet", _end, ".end .goat"),
    Screen("hosted", _hosted, ".onlookers .link"),
    Screen("watching", _watching, ".watching .backs"),
    Screen("watching-before", _watched_before, ".watched .quiet"),
    Screen("watching-cheat", _watching_cheat, ".message.alarm"),
    Screen("watching-end", _watched_end, ".end .goat"),
)
