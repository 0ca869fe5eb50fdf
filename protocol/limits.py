"""Every limit of the protocol in one place (§11): a value above one of these is refused unread."""

from __future__ import annotations

VERSION = 1
"""Version of genesis, events and frames; a node speaks exactly one."""

MAX_EVENT_BYTES = 16_384
"""One encoded event. The largest honest one, a shuffle of 36 cards, has about 7.3 kB."""

MAX_FRAME_BYTES = 65_536
"""One frame between two nodes."""

MAX_GENESIS_BYTES = 2_048
MAX_ARRAY = 64
"""Elements of any one array."""

MAX_DEPTH = 6
"""Arrays inside arrays."""

MAX_SEQ = 1_000_000
MAX_DEALS = 10_000
MAX_NAME_BYTES = 96
MAX_KIND_BYTES = 24

MAX_PENDING_EVENTS = 256
"""Events held per replica while what they refer to is still missing."""

MAX_FORKS = 8
"""Equivocations of one seat kept as evidence; one is enough for a verdict."""

MAX_FORKS_TAKEN = 64
"""Equivocations of one seat looked at; those kept are the ones of them that count most."""

MAX_AFTER_FAULT = MAX_PENDING_EVENTS + MAX_ARRAY
"""Events of one seat kept after its fault: as many as one frame can add before the fault is judged."""

GRACE_SECONDS = range(10, 3601)
"""How long a table may wait for a silent player before it asks whether to go on without (§3.1)."""

MAX_SPECTATORS = 8
"""How many people may watch one table at once (§9.10)."""

DEFAULT_GRACE = 90
"""How long it waits where nobody chooses, in seconds."""
