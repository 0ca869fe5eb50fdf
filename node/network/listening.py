"""A socket on which a table waits for guests."""

from __future__ import annotations

import contextlib
import socket

USUAL_PORT = 47001
"""Tried first where no port is asked for, so that an address is good for more than one evening."""


def listening_socket(host: str, port: int | None) -> socket.socket:
    """Listen on a numeric address, or on all of both families (`*`) where the system can. Raises OSError.

    Port 0 is any free one; None is the usual one, or any if that is taken.
    """
    if port is None:
        with contextlib.suppress(OSError):
            return listening_socket(host, USUAL_PORT)
        port = 0
    if host == "*":
        if socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        return socket.create_server(("", port))
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
