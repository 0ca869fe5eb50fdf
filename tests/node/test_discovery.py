"""Announcing and finding tables, by multicast DNS on the loopback interface only."""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from node.errors import DiscoveryUnavailable
from node.network import discovery
from node.network.discovery import SERVICE, Advertiser, Browser, TableAd, browse, find_table
from node.network.table_ad import read_service

LOOPBACK = ["127.0.0.1"]
LONG = 15.0
AD = TableAd(
    table_id=secrets.token_hex(16),
    name="Кухня",
    host_name="Анна",
    fingerprint="ab12-cd34",
    free_seats=3,
    state="open",
    addresses=("127.0.0.1", "::1"),
    port=47001,
)


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(60):
            await coroutine

    asyncio.run(limited())


def of_this_test(tables: Iterable[TableAd], *ids: str) -> tuple[TableAd, ...]:
    """Other programs on this machine may announce tables at the same time."""
    return tuple(ad for ad in tables if ad.table_id in ids)


class Watcher:
    """A browser, and a way to wait until the test's own table is as it should be."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self.browser = Browser(LOOPBACK, self.changed.set)

    async def until(
        self, condition: Callable[[tuple[TableAd, ...]], bool], table_id: str = AD.table_id
    ) -> None:
        while not condition(of_this_test(self.browser.tables, table_id)):
            await self.changed.wait()
            self.changed.clear()


def test_an_announced_table_is_found_follows_updates_and_says_goodbye() -> None:
    async def scenario() -> None:
        watcher = Watcher()
        async with watcher.browser:
            advertiser = Advertiser(AD, LOOPBACK)
            await advertiser.start()
            await watcher.until(lambda tables: tables == (AD,))
            fuller = dataclasses.replace(AD, free_seats=1)
            await advertiser.update(fuller)
            await watcher.until(lambda tables: tables == (fuller,))
            await advertiser.close()
            await watcher.until(lambda tables: not tables)
            await advertiser.close()

    run(scenario())


def test_tables_of_one_name_are_told_apart_and_found_by_name_id_or_free_seat() -> None:
    async def scenario() -> None:
        full = dataclasses.replace(AD, table_id=secrets.token_hex(16), free_seats=0)
        advertisers = [Advertiser(AD, LOOPBACK), Advertiser(full, LOOPBACK)]
        try:
            await asyncio.gather(*(advertiser.start() for advertiser in advertisers))
            by_name, by_id, free, missing = await asyncio.gather(
                find_table("кухня", LOOPBACK, LONG),
                find_table(full.table_id, LOOPBACK, LONG),
                find_table(None, LOOPBACK, LONG),
                find_table("Another", LOOPBACK, 0.3),
            )
            assert by_name in (AD, full)
            assert by_id == full
            assert free is not None and free.free_seats > 0
            assert missing is None
            heard = await browse(LOOPBACK, 1.5)
            assert set(of_this_test(heard, AD.table_id, full.table_id)) == {AD, full}
        finally:
            await asyncio.gather(*(advertiser.close() for advertiser in advertisers))

    run(scenario())


async def announce(
    engine: AsyncZeroconf,
    instance: str,
    properties: Mapping[bytes, bytes | None],
    port: int = 47001,
    addresses: Sequence[bytes] = (b"\x7f\0\0\1",),
) -> None:
    info = AsyncServiceInfo(
        SERVICE,
        f"{instance}.{SERVICE}",
        port=port,
        addresses=list(addresses),
        properties=dict(properties),
        server=f"{instance}.local.",
    )
    await (await engine.async_register_service(info))


def test_hostile_announcements_are_cut_cleaned_or_ignored() -> None:
    table_id = secrets.token_hex(16)
    good: dict[bytes, bytes | None] = {b"v": b"1", b"id": table_id.encode()}

    async def scenario() -> None:
        watcher = Watcher()
        engine = AsyncZeroconf(interfaces=LOOPBACK)
        async with watcher.browser:
            await asyncio.gather(
                announce(engine, "no-version", {b"id": b"a" * 32}),
                announce(engine, "later-version", good | {b"v": b"2"}),
                announce(engine, "no-id", {b"v": b"1"}),
                announce(engine, "no-values", {b"v": None, b"id": None}),
                announce(engine, "bad-id", good | {b"id": b"../../../etc/passwd\0\0\0\0\0\0\0\0\0\0\0\0\0"}),
                announce(engine, "port-zero", good, port=0),
                announce(engine, "nowhere", good, addresses=[b"\0\0\0\0", b"\xe0\0\0\1"]),
                announce(
                    engine,
                    "hostile",
                    good
                    | {
                        b"name": b"\x1b]0;owned\x07\x1b[2J\xff\xfe" + b"x" * 200,
                        b"host": "\u202eevil\n\r\tline".encode(),
                        b"key": b"\x9b31m" + b"k" * 200,
                        b"free": b"999",
                        b"state": b"open\0" + b"s" * 200,
                    },
                    addresses=[bytes([127, 0, 0, n]) for n in range(1, 30)],
                ),
            )
            await watcher.until(bool, table_id)
            (ad,) = of_this_test(watcher.browser.tables, table_id)
            assert ad.name.startswith("]0;owned[2J") and len(ad.name) == 24
            assert ad.host_name == "evil line"
            assert len(ad.fingerprint) == 64 and len(ad.state) == 16
            assert all(text.isprintable() for text in (ad.name, ad.host_name, ad.fingerprint, ad.state))
            assert ad.free_seats == 4
            assert len(ad.addresses) == 8
        await engine.async_close()

    run(scenario())


@given(
    st.dictionaries(
        st.sampled_from([b"v", b"id", b"name", b"host", b"key", b"free", b"state"]),
        st.none() | st.binary(max_size=80) | st.sampled_from([b"1", b"a" * 32, b"-1", "٣".encode()]),
    ),
    st.integers(0, 65535),
    st.lists(st.binary(min_size=4, max_size=4) | st.binary(min_size=16, max_size=16), max_size=12),
)
def test_whatever_an_announcement_holds_it_is_read_or_ignored(
    properties: dict[bytes, bytes | None], port: int, addresses: list[bytes]
) -> None:
    info = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", port=port, addresses=addresses, properties=properties)
    ad = read_service(info)
    if ad is not None:
        assert ad.port == port > 0
        assert 0 <= ad.free_seats <= 4
        assert 1 <= len(ad.addresses) <= 8
        assert all(text.isprintable() for text in (ad.name, ad.host_name, ad.fingerprint, ad.state))


def test_a_flood_of_false_tables_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "_MAX_TABLES", 2)

    async def scenario() -> None:
        ads = [dataclasses.replace(AD, table_id=f"{n:032x}") for n in range(4)]
        advertisers = [Advertiser(ad, LOOPBACK) for ad in ads]
        await asyncio.gather(*(advertiser.start() for advertiser in advertisers))
        assert len(await browse(LOOPBACK, 1.5)) == 2
        await asyncio.gather(*(advertiser.close() for advertiser in advertisers))

    run(scenario())


def test_the_adapters_are_looked_at_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "_RESCAN_SECONDS", 0.01)
    rescans = 0

    async def rescan(self: AsyncZeroconf) -> None:
        nonlocal rescans
        rescans += 1
        if rescans == 1:
            raise OSError("the adapter has just gone")
        enough.set()

    monkeypatch.setattr(AsyncZeroconf, "async_update_interfaces", rescan)
    enough: asyncio.Event

    async def scenario() -> None:
        nonlocal enough
        enough = asyncio.Event()
        async with Browser(LOOPBACK):
            await enough.wait()

    run(scenario())
    assert rescans >= 2


@pytest.mark.parametrize("error", [OSError(19, "No such device"), RuntimeError("No adapter found")])
def test_a_network_without_multicast_is_said_plainly(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(**_: object) -> AsyncZeroconf:
        raise error

    monkeypatch.setattr(discovery, "AsyncZeroconf", refuse)

    async def scenario() -> None:
        for attempt in (
            browse(LOOPBACK, 0.1),
            find_table(None, LOOPBACK, 0.1),
            Advertiser(AD, LOOPBACK).start(),
        ):
            with pytest.raises(DiscoveryUnavailable, match="address") as caught:
                await attempt
            assert caught.value.code == "discovery-unavailable"

    run(scenario())


def test_closing_what_was_never_started_does_no_harm() -> None:
    async def scenario() -> None:
        await Browser(LOOPBACK).close()
        advertiser = Advertiser(AD, LOOPBACK)
        await advertiser.update(dataclasses.replace(AD, free_seats=0))
        await advertiser.close()

    run(scenario())
