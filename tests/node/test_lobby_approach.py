"""Walking up to a table that has several addresses, some of which lead elsewhere or nowhere."""

from __future__ import annotations

import asyncio
from itertools import permutations

import pytest

from node import errors
from node.lobby.approach import approached
from node.lobby.join import join_at, look_at
from node.lobby.talk import Talk
from tests.node.lobby_tables import BORIS, BORIS_SEED, CODE, HOST, TABLE, Table, fake_host, hello, run

NOBODY = (HOST, 1)


def test_the_table_is_found_at_any_of_its_addresses() -> None:
    async def scenario() -> None:
        table = Table(seats=20)
        hung = asyncio.Event()

        async def silent(_: Talk) -> None:
            await hung.wait()

        async def other_table(talk: Talk) -> None:
            await talk.send_frame(hello(table=bytes(16)))

        async with table.lobby, fake_host(silent) as deaf, fake_host(other_table) as other:
            places = [NOBODY, (HOST, deaf), (HOST, other), (HOST, table.lobby.port)]
            for order in list(permutations(places))[::5]:
                joined = await join_at(order, CODE, BORIS, BORIS_SEED, expected_table=TABLE)
                assert joined.lobby == (HOST, table.lobby.port)
            hung.set()

    run(scenario())


def test_what_answers_says_more_than_what_does_not() -> None:
    async def other_table(talk: Talk) -> None:
        await talk.send_frame(hello(table=bytes(16), name="Attic"))

    async def scenario() -> None:
        async with fake_host(other_table) as other:
            for order in ([NOBODY, (HOST, other)], [(HOST, other), NOBODY]):
                with pytest.raises(errors.TableNotFound, match="Attic"):
                    await look_at(order, TABLE)
        with pytest.raises(errors.LobbyUnreachable, match=r"127\.0\.0\.1:1"):
            await look_at([NOBODY])

    run(scenario())


def test_an_answer_that_settles_it_is_not_waited_past() -> None:
    async def another_version(talk: Talk) -> None:
        await talk.send_frame(hello(version=9))

    async def scenario() -> None:
        hung = asyncio.Event()
        async with fake_host(another_version) as newer, fake_host(lambda _: hung.wait()) as deaf:
            with pytest.raises(errors.VersionMismatch):
                await look_at([(HOST, deaf), (HOST, newer)], deadline=20)
            hung.set()

    run(scenario())


def test_addresses_that_all_stay_silent_are_named_when_time_is_up() -> None:
    async def scenario() -> None:
        hung = asyncio.Event()
        async with fake_host(lambda _: hung.wait()) as one, fake_host(lambda _: hung.wait()) as two:
            with pytest.raises(errors.LobbyTimeout, match=f"{HOST}:{one}, {HOST}:{two}"):
                await look_at([(HOST, one), (HOST, two)], deadline=0.4)
            hung.set()

    run(scenario())


def test_whoever_answers_second_is_hung_up_on() -> None:
    async def scenario() -> None:
        left = asyncio.Event()

        async def slow(talk: Talk) -> None:
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await talk.hear_any()
            left.set()

        table = Table()
        async with table.lobby, fake_host(slow) as other:
            async with approached([(HOST, other), (HOST, table.lobby.port)]) as found:
                assert found.hello.table_id == TABLE
                await left.wait()

    run(scenario())


def test_more_addresses_than_eight_are_not_tried() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            with pytest.raises(errors.LobbyUnreachable):
                await look_at([NOBODY] * 8 + [(HOST, table.lobby.port)])

    run(scenario())
