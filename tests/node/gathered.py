"""Four real nodes in one event loop, on loopback sockets, gathered at one table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from engine.options import Options
from node.live import LiveTable
from node.network.addresses import LOOPBACK
from node.node import Node
from node.seating.door import OpenLobby, join_table, open_lobby
from node.seating.guesting import Guest
from node.seating.hosting import Host
from node.storage.profile import Profile

CODE = "12345678"
TABLE_ID = bytes(range(16))
NAMES = ("Anna", "Boris", "Vera", "Gleb")


@contextlib.asynccontextmanager
async def node_of(folder: Path, name: str) -> AsyncIterator[Node]:
    """A node with a profile of its own, listening on loopback."""
    with Profile.open(folder / name, name=name) as profile:
        async with Node(profile, host=LOOPBACK) as node:
            yield node


@contextlib.asynccontextmanager
async def open_table(node: Node, options: Options | None = None) -> AsyncIterator[tuple[Host, OpenLobby]]:
    """A table that waits for guests on loopback, not announced."""
    host = Host(node, TABLE_ID, "Dacha", options or Options())
    async with open_lobby(node, host, listen=LOOPBACK, code=CODE) as lobby:
        yield host, lobby


async def sit_down(node: Node, port: int, wish: str = "") -> Guest:
    """Join the table on loopback."""
    return await join_table(node, CODE, address=(LOOPBACK, port), wish=wish)


@contextlib.asynccontextmanager
async def four_seated(
    folder: Path, options: Options | None = None
) -> AsyncIterator[tuple[list[Node], Host, list[Guest], list[LiveTable]]]:
    """Four nodes whose first match has begun."""
    async with contextlib.AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(node_of(folder, name)) for name in NAMES]
        host, lobby = await stack.enter_async_context(open_table(nodes[0], options))
        guests = [await sit_down(node, lobby.port) for node in nodes[1:]]
        begun = [nodes[0].guard(host.next_match())]
        begun += [node.guard(guest.next_match()) for node, guest in zip(nodes[1:], guests, strict=True)]
        yield nodes, host, guests, list(await asyncio.gather(*begun))
