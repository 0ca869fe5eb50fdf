"""Tables that announce themselves on the local network, by multicast DNS.

An announcement is a hint from anybody: it says where to ask, and nothing in it is believed. Who the host is
comes out when the code is checked at the lobby, and whether a table still exists when it answers: a host
that crashed stays announced for more than an hour.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from zeroconf import (
    BadTypeInNameException,
    InterfaceChoice,
    NotRunningException,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from node.errors import DiscoveryUnavailable
from node.i18n import tr
from node.names import clean_name
from node.network.table_ad import SERVICE, TableAd, read_service, to_service

__all__ = ["SERVICE", "Advertiser", "Browser", "Interfaces", "TableAd", "browse", "find_table"]

Interfaces = InterfaceChoice | Sequence[str]
"""All network adapters, or the addresses of those to use."""

_MAX_TABLES = 256
_REQUEST_MS = 3000
_RESCAN_SECONDS = 10.0


class _Multicast:
    """An open multicast DNS engine that follows network adapters as they come and go."""

    def __init__(self, engine: AsyncZeroconf) -> None:
        self.engine = engine
        self._rescan = asyncio.create_task(self._keep_rescanning(), name="discovery rescan")

    @classmethod
    async def opened(cls, interfaces: Interfaces) -> Self:
        """Open the sockets and wait until they are in use. Raises DiscoveryUnavailable."""
        chosen = interfaces if isinstance(interfaces, InterfaceChoice) else list(interfaces)
        try:
            engine = AsyncZeroconf(interfaces=chosen)
        except (OSError, RuntimeError) as error:
            raise _unavailable(error) from error
        try:
            await engine.zeroconf.async_wait_for_start()
        except BaseException as error:
            await engine.async_close()
            if isinstance(error, NotRunningException):
                raise _unavailable(error) from error
            raise
        return cls(engine)

    async def close(self) -> None:
        self._rescan.cancel()
        await asyncio.gather(self._rescan, return_exceptions=True)
        await self.engine.async_close()

    async def _keep_rescanning(self) -> None:
        while True:
            await asyncio.sleep(_RESCAN_SECONDS)
            # An adapter may vanish between being listed and being used; the next round sees it gone.
            with contextlib.suppress(OSError, RuntimeError):
                await self.engine.async_update_interfaces()


def _unavailable(error: Exception) -> DiscoveryUnavailable:
    return DiscoveryUnavailable(
        tr(
            "Tables cannot be announced or found on this network ({reason}). "
            "Type the host's address instead, or use its link.",
            reason=getattr(error, "strerror", None) or error or type(error).__name__,
        )
    )


class Advertiser:
    """Announces one table until closed."""

    def __init__(self, ad: TableAd, interfaces: Interfaces = InterfaceChoice.All) -> None:
        # Instance names must be unique on the network, and table names are not: the name goes into TXT.
        self._instance = f"kozel-{secrets.token_hex(6)}"
        self._ad = ad
        self._interfaces = interfaces
        self._multicast: _Multicast | None = None

    async def start(self) -> None:
        """Announce; returns when the announcement has gone out. Raises DiscoveryUnavailable."""
        multicast = await _Multicast.opened(self._interfaces)
        try:
            # Awaited twice: the first gives the task that sends, the second waits for it.
            await (await multicast.engine.async_register_service(to_service(self._ad, self._instance)))
        except BaseException:
            await multicast.close()
            raise
        self._multicast = multicast

    async def update(self, ad: TableAd) -> None:
        """Announce what has changed. Nothing is sent if nothing has, or before `start`."""
        if self._multicast is not None and ad != self._ad:
            info = to_service(ad, self._instance)
            await (await self._multicast.engine.async_update_service(info))
        self._ad = ad

    async def close(self) -> None:
        """Say goodbye, so that the table disappears from the others' lists. Closing twice does no harm."""
        multicast, self._multicast = self._multicast, None
        if multicast is None:
            return
        try:
            info = to_service(self._ad, self._instance)
            await (await multicast.engine.async_unregister_service(info))
        finally:
            await multicast.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


class Browser:
    """A list of the announced tables that keeps itself up to date until closed."""

    def __init__(
        self, interfaces: Interfaces = InterfaceChoice.All, on_change: Callable[[], None] = lambda: None
    ) -> None:
        """`on_change` is called in the event loop when `tables` has changed."""
        self._interfaces = interfaces
        self._on_change = on_change
        self._found: dict[str, TableAd] = {}
        self._requests: dict[str, asyncio.Task[None]] = {}
        self._multicast: _Multicast | None = None
        self._browser: AsyncServiceBrowser | None = None

    @property
    def tables(self) -> tuple[TableAd, ...]:
        """The tables announced now, by name. At most 256: a flood of false ones stays bounded."""
        return tuple(sorted(self._found.values(), key=lambda ad: (ad.name.casefold(), ad.table_id)))

    async def start(self) -> None:
        """Start looking. Raises DiscoveryUnavailable."""
        self._multicast = await _Multicast.opened(self._interfaces)
        self._browser = AsyncServiceBrowser(
            self._multicast.engine.zeroconf, SERVICE, handlers=[self._service_changed]
        )

    async def close(self) -> None:
        """Stop looking. Closing twice does no harm."""
        browser, self._browser = self._browser, None
        if browser is not None:
            await browser.async_cancel()
        requests = list(self._requests.values())
        for request in requests:
            request.cancel()
        await asyncio.gather(*requests, return_exceptions=True)
        multicast, self._multicast = self._multicast, None
        if multicast is not None:
            await multicast.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def _service_changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        request = self._requests.pop(name, None)
        if request is not None:
            request.cancel()
        if state_change is ServiceStateChange.Removed:
            self._set(name, None)
            return
        if name not in self._found and len(self._found) + len(self._requests) >= _MAX_TABLES:
            return
        try:
            info = AsyncServiceInfo(service_type, name)
        except BadTypeInNameException:
            return
        if info.load_from_cache(zeroconf):
            self._set(name, read_service(info))
        else:
            self._requests[name] = asyncio.create_task(
                self._request(zeroconf, info), name=f"discovery {name}"
            )

    async def _request(self, zeroconf: Zeroconf, info: AsyncServiceInfo) -> None:
        """Ask for the details that did not come with the name."""
        try:
            if await info.async_request(zeroconf, _REQUEST_MS):
                self._set(info.name, read_service(info))
        finally:
            if self._requests.get(info.name) is asyncio.current_task():
                del self._requests[info.name]

    def _set(self, name: str, ad: TableAd | None) -> None:
        if self._found.get(name) != ad:
            if ad is None:
                del self._found[name]
            else:
                self._found[name] = ad
            self._on_change()


async def browse(
    interfaces: Interfaces = InterfaceChoice.All,
    timeout: float = 2.0,  # noqa: ASYNC109 - how long to listen
) -> list[TableAd]:
    """Listen for `timeout` seconds and return the tables announced. Raises DiscoveryUnavailable."""
    async with Browser(interfaces) as browser:
        await asyncio.sleep(timeout)
        return list(browser.tables)


async def find_table(
    wanted: str | None,
    interfaces: Interfaces = InterfaceChoice.All,
    timeout: float = 5.0,  # noqa: ASYNC109 - not finding a table in time is an answer, not an error
) -> TableAd | None:
    """Return a table as soon as it is heard of, None after `timeout` seconds without.

    `wanted` is its name (letter case does not matter) or its id; None takes any with a free seat.
    Raises DiscoveryUnavailable.
    """
    changed = asyncio.Event()
    async with Browser(interfaces, changed.set) as browser:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while True:
                    for ad in browser.tables:
                        if _matches(ad, wanted):
                            return ad
                    await changed.wait()
                    changed.clear()
    return None


def _matches(ad: TableAd, wanted: str | None) -> bool:
    if wanted is None:
        return ad.free_seats > 0
    return ad.table_id == wanted or ad.name.casefold() == clean_name(wanted).casefold()
