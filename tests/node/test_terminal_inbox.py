from __future__ import annotations

import asyncio
import os

from node.terminal.inbox import Inbox, Line, Signal


def test_lines_come_in_order_and_changes_are_told_once() -> None:
    async def scene() -> None:
        inbox = Inbox()
        inbox.put_line("a")
        inbox.note_change()
        inbox.note_change()
        inbox.put_line("b")
        heard = [await inbox.next() for _ in range(3)]
        assert heard == [Signal.CHANGED, Line("a"), Line("b")]
        assert await inbox.next(0.01) is Signal.QUIET

    asyncio.run(scene())


def test_the_end_comes_after_what_was_typed_and_stays() -> None:
    async def scene() -> None:
        inbox = Inbox()
        inbox.put_line("last words")
        inbox.end()
        assert [await inbox.next() for _ in range(3)] == [Line("last words"), Signal.ENDED, Signal.ENDED]

    asyncio.run(scene())


def test_a_reader_who_waits_is_woken() -> None:
    async def scene() -> None:
        inbox = Inbox()
        reader = asyncio.create_task(inbox.next())
        await asyncio.sleep(0)
        inbox.note_change()
        assert await reader is Signal.CHANGED

    asyncio.run(scene())


def test_lines_are_read_from_a_descriptor_whole_and_bounded() -> None:
    async def scene() -> None:
        read, write = os.pipe()
        inbox = Inbox()
        inbox.listen(read)
        for chunk in (b"beat 10", b"c\n\n", b"\xff\xe2\x99\xa3\r\n", b"x" * 5000, b"\nquit\n"):
            os.write(write, chunk)
        os.close(write)
        heard = [await inbox.next() for _ in range(6)]
        os.close(read)
        assert heard[:3] == [Line("beat 10c"), Line(""), Line("\ufffd♣\r")]
        assert isinstance(heard[3], Line)
        assert len(heard[3].text) <= 2048
        assert heard[4:] == [Line("quit"), Signal.ENDED]

    asyncio.run(scene())


def test_a_descriptor_that_is_not_there_is_an_end() -> None:
    async def scene() -> None:
        read, write = os.pipe()
        os.close(read)
        os.close(write)
        inbox = Inbox()
        inbox.listen(read)
        assert await inbox.next() is Signal.ENDED

    asyncio.run(scene())
