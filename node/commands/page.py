"""`kozel play` and `kozel party`: pages for one player or for several, until the program is ended."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text
from zeroconf import InterfaceChoice

from node.errors import NodeError
from node.i18n import language, tr
from node.loops import run
from node.network.addresses import LOOPBACK
from node.network.discovery import Interfaces
from node.storage.profile import Profile
from node.web.qr import qr_text
from node.web.serving import PageLink, open_browser, serve_pages
from node.web.settings import ParlourSettings

__all__ = ["PageSettings", "party", "play_on_page"]


@dataclass(frozen=True, slots=True)
class PageSettings:
    """What the command line asks for. `interfaces` None: nothing is announced or looked for.

    `browser` opens the page here, `share` shows it to the devices on this network. `port` is where guests
    of a table connect, `listen` on which addresses.
    """

    profile: Path
    name: str | None = None
    browser: bool = True
    share: bool = False
    port: int | None = None
    listen: str = "*"
    interfaces: Interfaces | None = InterfaceChoice.All


def play_on_page(settings: PageSettings) -> int:
    """Serve the page of one player; the exit code. Ends with Ctrl+C."""
    return _serve([(settings.profile, settings.name)], settings)


def party(settings: PageSettings, players: int) -> int:
    """Serve a page for each of some players on this computer, whose phones are their screens.

    Their nodes talk on loopback alone; the first to open a table invites the others.
    """
    seats = [
        (settings.profile / "party" / str(number), tr("Player {number}", number=number))
        for number in range(1, players + 1)
    ]
    kept = [(folder, None if folder.exists() else name) for folder, name in seats]
    return _serve(kept, settings)


def _serve(players: Sequence[tuple[Path, str | None]], settings: PageSettings) -> int:
    alone = len(players) == 1
    parlours = ParlourSettings(
        settings.listen if alone else LOOPBACK,
        settings.interfaces if alone else None,
        settings.port if alone else 0,
        language(),
    )
    console = Console(highlight=False)

    def tell(links: Sequence[PageLink]) -> None:
        for number, link in enumerate(links, start=1):
            _show(console, link, None if alone else number)
        if settings.share and any(link.there is None for link in links):
            console.print(
                Text(
                    tr(
                        "This computer is in no network, so no phone can open these links: they are for this"
                        " computer alone. Connect it, for instance to a phone's hotspot, and start again."
                    )
                )
            )
        console.print(Text(tr("Whoever has a link plays in that seat. Ctrl+C ends the program.")))
        if settings.browser and alone:
            open_browser(links[0].here)

    try:
        with contextlib.ExitStack() as stack:
            profiles = [stack.enter_context(Profile.open(path, name=name)) for path, name in players]
            run(serve_pages(profiles, parlours, tell, share=settings.share))
    except KeyboardInterrupt:
        console.print(Text(tr("Goodbye. Every match is kept on this computer; see them with: kozel matches")))
    except NodeError as error:
        Console(stderr=True).print(Text(str(error)))
        return 1
    return 0


def _show(console: Console, link: PageLink, number: int | None) -> None:
    """Where a page is, as text and for a phone's camera."""
    if number is None:
        console.print(Text(tr("Your table is open in the browser. If no window appears, open this link:")))
    else:
        console.print(Text(tr("Seat {number}, {name}:", number=number, name=link.name)))
    console.out(link.here, highlight=False)
    if link.there is not None:
        console.print(Text(tr("On a phone in this network, scan this or type it:")))
        console.print(qr_text(link.there))
        console.out(link.there, highlight=False)
        console.print(
            Text(
                tr(
                    "The phone trusts this computer, which knows your cards, and everybody on this network"
                    " who could read along."
                )
            )
        )
