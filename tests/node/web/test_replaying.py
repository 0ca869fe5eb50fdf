"""Replays: what of a log is shown with all cards open, what is not, and what is said of bad files."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from engine import SEATS
from node.errors import LogUnreadable
from node.i18n import speaking
from node.loops import run
from node.network.addresses import LOOPBACK
from node.seating.bot_seats import PAUSE_VARIABLE
from node.storage.profile import Profile
from node.storage.store import STORE_NAME, Record, Store
from node.web import replaying
from node.web.parlour import Parlour
from node.web.replaying import replay_picture
from protocol.audit import audit_log
from protocol.bodies import Result
from tests.node.web.pages import Page, open_page
from tests.protocol.cheats import Cheat
from tests.protocol.matches import Played, audit, log_file, rich, short

CARD = re.compile(r'"[6-9TJQKA][cdhs]"|[♣♦♥♠]')
CYRILLIC = re.compile("[а-я]{3}")

Answer = tuple[int, dict[str, Any]]


def cheated(match: Played) -> bytes:
    """Seat 2 signs a false result of the second deal."""
    place = match.index("result", next(n for n, e in enumerate(_results(match)) if e == (2, 1)))
    past = [event.signed for event in match.events[:place]]
    cheat = Cheat(match, 2)
    cheat.take(past)
    return log_file(match.setup.genesis, [*past, cheat.say(Result(1, bytes(32))).signed])


def _results(match: Played) -> list[tuple[int, int]]:
    """Author and deal of each signed result."""
    seen = [0, 0, 0, 0]
    found = []
    for event in match.events:
        if event.kind == "result":
            found.append((event.author, seen[event.author]))
            seen[event.author] += 1
    return found


def broken_off(match: Played) -> bytes:
    """The log ends in the middle of the second deal."""
    return match.file((match.index("result", 3) + match.index("result", 4)) // 2)


# The picture


def test_of_an_unfinished_deal_nothing_is_shown() -> None:
    whole = replay_picture(audit(rich().file()))
    picture = replay_picture(audit(broken_off(rich())))
    assert picture["finding"] == "incomplete"
    assert picture["conclusion"][0].startswith("NOT WHOLE")
    assert picture["hidden"] == "Deal 2 is not finished: its cards stay hidden."
    assert picture["deals"] == whole["deals"][:1]
    assert not CARD.search(json.dumps({**picture, "deals": []}, ensure_ascii=False))


def test_a_cheat_is_named_and_what_was_before_is_shown() -> None:
    picture = replay_picture(audit(cheated(rich())))
    assert picture["finding"] == "cheat"
    said = "CHEAT: Player 2's computer signed points that the cards do not add up to."
    assert picture["conclusion"][0] == said
    assert picture["deals"][0] == replay_picture(audit(rich().file()))["deals"][0]


def test_a_damaged_log_is_shown_as_far_as_it_goes() -> None:
    data = bytearray(rich().file())
    data[-len(data) // 10] ^= 1
    picture = replay_picture(audit(bytes(data)))
    assert picture["finding"] == "damaged"
    assert picture["problems"]
    assert len(picture["deals"]) in (1, 2)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04" + bytes(200), b"KOZELLOG\x00\x02" + bytes(50)])
def test_what_is_no_log_has_no_picture(data: bytes) -> None:
    with pytest.raises(LogUnreadable, match="not the log of a Kozel match"):
        replay_picture(audit(data))


# The server


def asked(page: Page, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
    connection = http.client.HTTPConnection(LOOPBACK, page.port, timeout=60)
    try:
        connection.request(method, f"/{page.secret}/{path}", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        is_json = answer.headers["content-type"] == "application/json"
        return answer.status, json.loads(text) if is_json else {}
    finally:
        connection.close()


async def post(page: Page, body: Any, path: str = "replay?lang=en", origin: str | None = "{host}") -> Answer:
    """Hand a file over, as the page does."""
    headers = {} if origin is None else {"origin": "http://" + origin.format(host=page.host)}
    return await asyncio.to_thread(asked, page, "POST", path, body, headers)


async def get(page: Page, path: str) -> Answer:
    return await asyncio.to_thread(asked, page, "GET", path, None, {})


def on_page(folder: Path, scene: Callable[[Page], Any]) -> Any:
    async def whole() -> Any:
        async with open_page(folder) as page:
            return await scene(page)

    return run(whole())


def test_a_file_is_replayed_in_the_language_of_the_page(tmp_path: Path) -> None:
    status, picture = on_page(tmp_path, lambda page: post(page, short().file(), "replay?lang=ru"))
    assert status == 200
    with speaking("ru"):
        assert picture == json.loads(json.dumps(replay_picture(audit(short().file()))))
    assert CYRILLIC.search(picture["conclusion"][0])
    assert CYRILLIC.search(picture["deals"][0]["steps"][0]["text"])


@pytest.mark.parametrize("origin", [None, "evil.example", "{host}.evil.example", "localhost:1"])
def test_only_the_own_page_may_hand_over_a_file(origin: str | None, tmp_path: Path) -> None:
    assert on_page(tmp_path, lambda page: post(page, b"x", origin=origin))[0] == 403


@pytest.mark.parametrize("path", ["", "replay/", "replay/x", "socket", "words/ru.json", "index.html"])
def test_nothing_else_takes_a_file(path: str, tmp_path: Path) -> None:
    assert on_page(tmp_path, lambda page: post(page, b"x", path))[0] == 403


def test_a_bad_file_is_refused_in_the_language_of_the_page(tmp_path: Path) -> None:
    async def scene(page: Page) -> list[Answer]:
        return [await post(page, b"no log", f"replay?lang={code}") for code in ("en", "ru", "de")]

    english, russian, other = on_page(tmp_path, scene)
    assert english == (422, {"error": english[1]["error"]}) == other
    assert english[1]["error"].startswith("This is not the log of a Kozel match")
    assert russian[0] == 422
    assert CYRILLIC.search(russian[1]["error"])


def test_a_file_that_says_it_is_too_large_is_not_waited_for(tmp_path: Path) -> None:
    async def scene(page: Page) -> bytes:
        reader, writer = await asyncio.open_connection(LOOPBACK, page.port)
        length = replaying.MAX_LOG_BYTES + 1
        head = f"POST /{page.secret}/replay HTTP/1.1\r\nHost: {page.host}\r\nOrigin: http://{page.host}\r\n"
        writer.write(f"{head}Content-Length: {length}\r\n\r\n".encode())
        try:
            return await reader.readline()
        finally:
            writer.close()

    assert b" 413 " in on_page(tmp_path, scene)


def test_a_file_that_turns_out_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "MAX_LOG_BYTES", 1024 * 1024)

    def pieces(size: int) -> Iterable[bytes]:
        yield from (b"x" * 4096 for _ in range(size // 4096))

    async def scene(page: Page) -> list[Answer]:
        return [await post(page, pieces(size)) for size in (1024 * 1024, 1024 * 1024 + 4096)]

    allowed, refused = on_page(tmp_path, scene)
    assert allowed[0] == 422
    assert refused == (413, {"error": "The file is larger than 1 MB: no match has such a log."})


def test_files_are_checked_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    most: list[int] = []

    def watched(stream: BinaryIO, progress: Callable[[int], None]) -> Any:
        inside.append(1)
        most.append(len(inside))
        try:
            return audit_log(stream, progress)
        finally:
            inside.pop()

    monkeypatch.setattr(replaying, "audit_log", watched)

    async def scene(page: Page) -> list[Answer]:
        return await asyncio.gather(*(post(page, short().file()) for _ in range(3)))

    assert [status for status, _ in on_page(tmp_path, scene)] == [200] * 3
    assert most == [1, 1, 1]


def test_a_check_ends_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever closes the program would wait for the end of a long file."""
    ended: list[str] = []

    async def scene(page: Page) -> None:
        loop, begun = asyncio.get_running_loop(), asyncio.Event()

        def endless(_stream: BinaryIO, progress: Callable[[int], None]) -> None:
            loop.call_soon_threadsafe(begun.set)
            try:
                while True:
                    progress(0)
            finally:
                ended.append(threading.current_thread().name)

        monkeypatch.setattr(replaying, "audit_log", endless)
        _, writer = await asyncio.open_connection(LOOPBACK, page.port)
        head = f"POST /{page.secret}/replay HTTP/1.1\r\nHost: {page.host}\r\nOrigin: http://{page.host}\r\n"
        writer.write(f"{head}Content-Length: 1\r\n\r\nx".encode())
        await begun.wait()
        writer.close()

    on_page(tmp_path, scene)
    assert len(ended) == 1


# Matches of this computer


def keep(folder: Path, match: Played, seat: int, count: int | None = None) -> str:
    """Put a match on the disk of the page's player; returns its id."""
    genesis = match.setup.genesis
    with Profile.open(folder / "Olga", name="Olga") as profile, Store(profile.path / STORE_NAME) as store:
        store.add_match(genesis.match_id, genesis.encode(), seat, bytes(32), 1e9)
        events = match.events[:count]
        store.append(
            genesis.match_id,
            [Record(e.author, e.seq, e.id, e.signed.data, e.signed.signature) for e in events],
        )
        store.set_summary(genesis.match_id, True, "{}")
    return genesis.match_id.hex()


async def hall_and_get(page: Page, path: str) -> Answer:
    """Ask when the page's player stands in the hall, with the store open."""
    async with page.tab() as tab:
        await tab.until("hall")
        return await get(page, path)


@pytest.mark.parametrize("seat", SEATS)
def test_an_own_match_is_seen_from_the_own_seat(seat: int, tmp_path: Path) -> None:
    name = keep(tmp_path, short(), seat)

    async def scene(page: Page) -> list[Answer]:
        return [await hall_and_get(page, f"replay/{name}.json"), await post(page, short().file())]

    (status, own), (_, file) = on_page(tmp_path, scene)
    assert status == 200
    assert own == file == {**replay_picture(audit(short().file())), "seat": seat}


@pytest.mark.parametrize("name", ["ff" * 32, "zz", "%00", "a" * 5000])
def test_a_match_that_is_not_kept_is_not_found(name: str, tmp_path: Path) -> None:
    status, answer = on_page(tmp_path, lambda page: hall_and_get(page, f"replay/{name}.json?lang=en"))
    assert (status, answer) == (404, {"error": "This match is not kept on this computer."})


def test_between_two_tables_it_is_said_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Parlour, "store", None)
    status, answer = on_page(tmp_path, lambda page: get(page, f"replay/{'ff' * 32}.json"))
    assert status == 503
    assert answer["error"].endswith("Try again in a moment.")


def test_of_a_match_that_is_being_played_only_finished_deals_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PAUSE_VARIABLE, "0")

    async def scene(page: Page) -> Answer:
        async with page.tab() as tab:
            await tab.until("hall")
            await tab.ask("host", bots=3)
            table = await tab.until("table", phase="playing")
            return await get(page, f"replay/{table['match']}.json?lang=en")

    status, picture = on_page(tmp_path, scene)
    assert status == 200
    assert picture["deals"] == []
    assert picture["hidden"] == "Deal 1 is not finished: its cards stay hidden."
    assert picture["finding"] == "incomplete"
    assert not CARD.search(json.dumps(picture, ensure_ascii=False))


def test_of_a_match_that_was_broken_off_nothing_more_is_shown(tmp_path: Path) -> None:
    match = rich()
    count = (match.index("result", 3) + match.index("result", 4)) // 2
    name = keep(tmp_path, match, 1, count)
    _, picture = on_page(tmp_path, lambda page: hall_and_get(page, f"replay/{name}.json"))
    assert len(picture["deals"]) == 1
    assert picture["hidden"]
    assert not CARD.search(json.dumps({**picture, "deals": []}, ensure_ascii=False))
