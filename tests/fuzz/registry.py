"""All targets by name, and how a long run is shared out among them: the cheap ones get most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tests.fuzz.harness import Target
from tests.fuzz.targets.announcement import Announcement
from tests.fuzz.targets.claim import Claim
from tests.fuzz.targets.encoding import Encoding
from tests.fuzz.targets.envelope import Envelope
from tests.fuzz.targets.frames import Frames
from tests.fuzz.targets.gathering import Gathering
from tests.fuzz.targets.genesis import GenesisBytes
from tests.fuzz.targets.handshake import Handshake
from tests.fuzz.targets.lobby import Lobby
from tests.fuzz.targets.logfile import LogFile
from tests.fuzz.targets.phrase import Phrase
from tests.fuzz.targets.plays import Plays
from tests.fuzz.targets.spectator import Watching
from tests.fuzz.targets.typed import Typed

_KINDS: Final[Sequence[tuple[Callable[[], Target], str, int]]] = (
    (Encoding, Encoding.name, 400),
    (Envelope, Envelope.name, 100),
    (Frames, Frames.name, 20),
    (GenesisBytes, GenesisBytes.name, 150),
    (LogFile, LogFile.name, 30),
    (Announcement, Announcement.name, 100),
    (Lobby, Lobby.name, 150),
    (Handshake, Handshake.name, 3),
    (Gathering, Gathering.name, 60),
    (Claim, Claim.name, 60),
    (Phrase, Phrase.name, 60),
    (Watching, Watching.name, 20),
    (Plays, Plays.name, 50),
    (Typed, Typed.name, 10),
)
TARGETS: Final[Mapping[str, Callable[[], Target]]] = {name: kind for kind, name, _ in _KINDS}
SHARES: Final[Mapping[str, int]] = {name: share for _, name, share in _KINDS}
