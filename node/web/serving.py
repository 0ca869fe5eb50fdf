"""Serving the page beside the node, in one event loop, and showing the link to it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass

import uvicorn

from node.errors import PageUnavailable
from node.i18n import tr
from node.network.addresses import LOOPBACK, format_host_port, own_addresses
from node.storage.profile import Profile
from node.web.audience import Audience
from node.web.parlour import Parlour
from node.web.server import make_app
from node.web.settings import ParlourSettings

__all__ = ["PageLink", "new_secret", "open_browser", "serve_pages", "served"]

_SECRET_BYTES = 16


@dataclass(frozen=True, slots=True)
class PageLink:
    """A player's page: its link on this computer, and the one for other devices where it is shared.

    `there` is None too where this computer is in no network.
    """

    name: str
    here: str
    there: str | None


async def serve_pages(
    profiles: Sequence[Profile],
    settings: ParlourSettings,
    tell: Callable[[Sequence[PageLink]], None],
    *,
    share: bool,
) -> None:
    """Serve a page for each of these players until the program ends. Raises NodeError.

    `tell` is given the links. With `share` other devices on this network can open them.
    """
    audiences = [Audience() for _ in profiles]

    def changed() -> None:
        for audience in audiences:
            audience.changed()

    parlours = [Parlour(profile, settings, changed) for profile in profiles]
    secrets_of = [new_secret() for _ in profiles]
    seats = dict(zip(secrets_of, zip(parlours, audiences, strict=True), strict=True))
    async with served(seats, share=share) as port:
        links = []
        for parlour, profile, secret in zip(parlours, profiles, secrets_of, strict=True):
            parlour.neighbours = parlours
            here = f"http://{format_host_port(LOOPBACK, port)}/{secret}/"
            host = own_addresses()[0] if share else LOOPBACK
            # Without a network a computer has only the address that leads to itself: a phone's to the phone.
            shown = host != LOOPBACK
            parlour.phone_link = f"http://{format_host_port(host, port)}/{secret}/" if shown else None
            links.append(PageLink(profile.name, here, parlour.phone_link))
        tell(links)
        playing = [asyncio.create_task(parlour.run()) for parlour in parlours]
        try:
            await asyncio.gather(*playing)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


def new_secret() -> str:
    """The part of a link that nobody can guess."""
    return secrets.token_urlsafe(_SECRET_BYTES)


@contextlib.asynccontextmanager
async def served(seats: dict[str, tuple[Parlour, Audience]], *, share: bool = False) -> AsyncIterator[int]:
    """Serve the pages of these seats, by their secrets, while the context lasts; yields the port.

    On loopback, or with `share` for all of this network. Raises PageUnavailable.
    """
    with _listening("" if share else LOOPBACK) as listener:
        port: int = listener.getsockname()[1]

        def hosts() -> Iterator[str]:
            # Looked up each time: a laptop gets another address when it comes to another network.
            for name in (LOOPBACK, "localhost", *(own_addresses() if share else ())):
                yield format_host_port(name, port)

        server = _Server(make_app(seats, hosts))
        serving = asyncio.create_task(server.serve([listener]))
        try:
            yield port
        finally:
            server.should_exit = server.force_exit = True
            await serving


class _Server(uvicorn.Server):
    """Leaves signals and logging to the program that it is a part of."""

    def __init__(self, app: object) -> None:
        super().__init__(
            uvicorn.Config(
                app,  # type: ignore[arg-type]
                log_config=None,
                log_level="critical",
                access_log=False,
                lifespan="off",
                server_header=False,
                date_header=False,
                ws="websockets-sansio",
                ws_max_size=8_192,
                h11_max_incomplete_event_size=16_384,
                timeout_graceful_shutdown=1,
            )
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing: Ctrl+C belongs to the program."""
        yield


@contextlib.contextmanager
def _listening(host: str) -> Iterator[socket.socket]:
    try:
        listener = socket.create_server((host, 0))
    except OSError as error:
        raise PageUnavailable(
            tr("The page cannot be served on this computer: {reason}.", reason=error.strerror or error)
        ) from error
    with listener:
        yield listener


def open_browser(link: str) -> None:
    """Show the link in the user's browser; that there is none is no trouble."""
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(link)
