"""How many may talk to a lobby at once, and who has to give way when more call."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter

MAX_CONVERSATIONS = 8


class Conversations:
    """The conversations in progress, the oldest first, at most `MAX_CONVERSATIONS`.

    Somebody who keeps all of them open must not keep the others out: a caller from elsewhere then takes
    the place of the oldest conversation of the address that holds the most.
    """

    def __init__(self) -> None:
        self._of: dict[asyncio.Task[None], str] = {}

    def make_room(self, address: str) -> bool:
        """Tell whether somebody at this address may talk now, after hanging up on another if need be."""
        if len(self._of) < MAX_CONVERSATIONS:
            return True
        caller = _origin(address)
        held = Counter(self._of.values())
        busiest, most = held.most_common(1)[0]
        if most <= held[caller] + 1:
            return False
        oldest = next(task for task, origin in self._of.items() if origin == busiest)
        # Its place is free at once; the task itself needs a moment to hang up.
        del self._of[oldest]
        oldest.cancel()
        return True

    def add(self, task: asyncio.Task[None], address: str) -> None:
        """A conversation has begun; it counts until its task is done."""
        self._of[task] = _origin(address)
        task.add_done_callback(lambda done: self._of.pop(done, None))

    async def end_all(self) -> None:
        """Hang up on everybody, and wait until that is done."""
        tasks = list(self._of)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _origin(address: str) -> str:
    """Return what counts as one caller: an IPv4 address, or the network (/64) of an IPv6 address."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    return str(ipaddress.ip_network((ip, 64), strict=False))
