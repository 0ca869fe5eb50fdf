"""Who is let in to a page, and what is not believed of what a page says."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from node.loops import run
from node.network.addresses import LOOPBACK
from node.web.server import PAGE_FOLDER
from tests.node.web.pages import Page, open_page


def got(page: Page, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(LOOPBACK, page.port, timeout=10)
    try:
        connection.request(
            method, path, headers={key.replace("_", "-"): value for key, value in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


async def get(
    page: Page, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    return await asyncio.to_thread(got, page, path, method, **headers)


def test_every_file_of_the_page_is_served_and_nothing_may_come_from_elsewhere(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page:
            for file in [*PAGE_FOLDER.iterdir(), None]:
                status, headers, body = await get(page, f"/{page.secret}/{file.name if file else ''}")
                assert status == 200
                assert body == (file or PAGE_FOLDER / "index.html").read_bytes()
                policy = headers["content-security-policy"]
                assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
                assert "unsafe" not in policy
                assert (headers["referrer-policy"], headers["x-content-type-options"]) == (
                    "no-referrer",
                    "nosniff",
                )
                assert headers["cache-control"] == "no-store"

    run(scene())


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/index.html", {}),
        ("/{secret}x/", {}),
        ("/{short}/", {}),
        ("/{secret}/", {"host": "evil.example"}),
        ("/{secret}/", {"host": "127.0.0.1:1"}),
        ("/{secret}/", {"host": ""}),
        ("/{secret}/", {"origin": "http://evil.example"}),
        ("/{secret}/words/ru.json", {"origin": "null"}),
    ],
)
def test_nobody_else_gets_the_page(path: str, headers: dict[str, str], tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page:
            where = path.format(secret=page.secret, short=page.secret[:-1])
            status, _, body = await get(page, where, **headers)
            assert status in (400, 403)
            assert b"<html" not in body

    run(scene())


def test_a_link_that_lost_its_last_stroke_still_leads_to_the_page(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page:
            status, headers, _ = await get(page, f"/{page.secret}")
            assert (status, headers["location"]) == (307, f"/{page.secret}/")

    run(scene())


@pytest.mark.parametrize("method", ["POST", "PUT", "OPTIONS"])
def test_a_page_is_only_read(method: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page:
            assert (await get(page, f"/{page.secret}/", method))[0] == 403

    run(scene())


@pytest.mark.parametrize(
    "path", ["../server.py", "..%2fserver.py", "%2e%2e/server.py", "words/../../x", "words/de.json"]
)
def test_nothing_outside_the_folder_is_served(path: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page:
            assert (await get(page, f"/{page.secret}/{path}"))[0] in (403, 404)

    run(scene())


@pytest.mark.parametrize(
    "origin", [None, "http://evil.example", "null", "https://{host}", "http://localhost:{port}"]
)
def test_a_socket_is_for_the_own_page_alone(origin: str | None, tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page:
            claimed = origin and origin.format(host=page.host, port=page.port)
            with pytest.raises(InvalidStatus):
                async with connect(f"ws://{page.host}/{page.secret}/socket", origin=claimed):  # type: ignore[arg-type]
                    pass

    run(scene())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "1",
        "{",
        "nonsense",
        "[" * 3000,
        json.dumps({"do": "x" * 600}),
        json.dumps({"do": 1}),
        '{"do": "no such thing"}',
    ],
)
def test_what_makes_no_sense_is_refused_in_words(text: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            await tab.until("hall")
            await tab.say(text)
            while None not in tab.answers:
                await tab.next()
            refused = tab.answers[None]
            assert refused is not None
            assert refused["words"]

    run(scene())


def test_a_flood_of_text_ends_the_conversation_and_no_other(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as other:
            with pytest.raises(ConnectionClosed):
                async with page.tab() as tab:
                    await tab.until("hall")
                    await tab.say("x" * 100_000)
                    while True:
                        await tab.next()
            await other.until("hall")
            assert await other.ask("name", name="Vera") is None
            assert other.shown["me"] == "Vera" or (await other.until("hall")) is not None

    run(scene())


def test_a_page_that_asks_whether_anybody_is_there_is_answered(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab() as tab:
            assert await tab.ask("ping") is None
            await tab.until("hall")
            assert await tab.ask("ping") is None

    run(scene())


def test_refusals_are_in_the_language_of_the_tab(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_page(tmp_path) as page, page.tab("ru") as russian, page.tab("en") as english:
            answers = [await tab.ask("join", where="nowhere", code="") for tab in (russian, english)]
            assert None not in answers
            first, second = (answer["words"] for answer in answers if answer)
            assert "has no port" in second
            assert re.search("[а-я]{3}", first)

    run(scene())
