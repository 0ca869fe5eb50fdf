"""Everything that can go wrong in a node, as one tree of exceptions.

::

    NodeError
    ├── ProfileError
    │   ├── ProfileInUse
    │   ├── ProfileCloned
    │   ├── ProfileNotWritable
    │   ├── KeyDamaged
    │   ├── PassphraseNeeded
    │   └── WrongPassphrase
    ├── StoreError
    │   ├── StoreNotWritable
    │   ├── DiskFull
    │   ├── StoreDamaged
    │   ├── NotAStore
    │   ├── StoreTooNew
    │   ├── StoreInUse
    │   ├── StoreConflict
    │   └── UnknownMatch
    ├── AddressError
    │   └── TableLinkError
    ├── LinkError
    │   └── PortUnavailable
    ├── ExportFailed
    ├── TableClosed
    ├── DemoFailed
    ├── BotError
    │   ├── BotNotFound
    │   ├── BotUnusable
    │   └── BotFailed
    ├── LogUnreadable
    ├── MatchNotKept
    ├── PlayerNotFound
    ├── AuditFailed
    ├── ImportFailed
    ├── PictureFailed
    ├── CannotGoOn
    ├── WishRefused
    ├── PageUnavailable
    ├── DiscoveryUnavailable
    └── LobbyError
        ├── LobbyUnreachable
        ├── LobbyTimeout
        ├── LobbyClosed
        ├── LobbyFull
        ├── LobbyBusy
        ├── NotATable
        ├── TableNotFound
        ├── VersionMismatch
        ├── WrongCode
        ├── CodeNeeded
        ├── HostUnproven
        └── JoinRefused

`str(error)` is a plain sentence in the reader's language: what is wrong, where, and what to do.
`error.code` never changes with language or release, so programs can act on it. Docstrings are the
same explanation without the particulars.
"""

from __future__ import annotations

from typing import ClassVar


class NodeError(Exception):
    """Something that this computer's part of the game could not do."""

    code: ClassVar[str] = "node"


class ProfileError(NodeError):
    """The folder with your name and keys cannot be used."""

    code = "profile"


class ProfileInUse(ProfileError):
    """Another running program has this profile open. One profile plays in one program at a time."""

    code = "profile-in-use"


class ProfileCloned(ProfileError):
    """Another program plays with a copy of this profile. Use each profile in one place only."""

    code = "profile-cloned"


class ProfileNotWritable(ProfileError):
    """The profile's folder cannot be created or written. Choose another folder or change its rights."""

    code = "profile-not-writable"


class KeyDamaged(ProfileError):
    """A key file of the profile is missing or is not what was once written there.

    Restore it from a copy. Without it the seat in unfinished matches cannot be taken again.
    """

    code = "key-damaged"


class PassphraseNeeded(ProfileError):
    """The identity key is protected by a passphrase and none was given."""

    code = "passphrase-needed"


class WrongPassphrase(ProfileError):
    """The passphrase does not open the identity key."""

    code = "wrong-passphrase"


class StoreError(NodeError):
    """The file that keeps your matches could not be read or written."""

    code = "store"


class StoreNotWritable(StoreError):
    """The file that keeps your matches cannot be created or written in its folder."""

    code = "store-not-writable"


class DiskFull(StoreError):
    """The disk is full. Nothing was lost: make room and go on."""

    code = "disk-full"


class StoreDamaged(StoreError):
    """The file that keeps your matches is damaged. Restore it from a copy."""

    code = "store-damaged"


class NotAStore(StoreError):
    """The file is something else and was left alone."""

    code = "not-a-store"


class StoreTooNew(StoreError):
    """The file was written by a newer release. Update the program."""

    code = "store-too-new"


class StoreInUse(StoreError):
    """Another program has the file open."""

    code = "store-in-use"


class StoreConflict(StoreError):
    """A secret or a match is already kept under this name with other contents; it was not replaced."""

    code = "store-conflict"


class UnknownMatch(StoreError):
    """The store does not know the match that a record belongs to."""

    code = "unknown-match"


class AddressError(NodeError):
    """The text is not an address. Write a computer and a port, for example 192.168.1.20:47001."""

    code = "address"


class TableLinkError(AddressError):
    """The text is not a whole link to a table. Copy it again, or type the address and the code."""

    code = "table-link"


class LinkError(NodeError):
    """The connection to the other players could not be opened."""

    code = "link"


class PortUnavailable(LinkError):
    """The port is taken by another program, or this computer does not have the address."""

    code = "port-unavailable"


class DiscoveryUnavailable(NodeError):
    """Tables cannot be looked for on this network. Type the host's address instead."""

    code = "discovery-unavailable"


class ExportFailed(NodeError):
    """The log could not be written there. Choose another folder or make room."""

    code = "export-failed"


class TableClosed(NodeError):
    """The table was closed before the match began."""

    code = "table-closed"


class DemoFailed(NodeError):
    """The demonstration could not be played to its end."""

    code = "demo-failed"


class BotError(NodeError):
    """Something is wrong with a bot."""

    code = "bot"


class BotNotFound(BotError):
    """There is no bot of that name. Choose one that is listed, or write module:Class."""

    code = "bot-not-found"


class BotUnusable(BotError):
    """The bot could not be loaded, or is not a bot. Its author has to mend it."""

    code = "bot-unusable"


class BotFailed(BotError):
    """The bot did not choose a legal play. Its author has to mend it."""

    code = "bot-failed"


class LogUnreadable(NodeError):
    """The log file cannot be read. Check its name, or ask for another copy."""

    code = "log-unreadable"


class MatchNotKept(NodeError):
    """This computer does not keep such a match."""

    code = "match-not-kept"


class PlayerNotFound(NodeError):
    """The logs on this computer know nobody of that name or key, or several. Write more of the key."""

    code = "player-not-found"


class AuditFailed(NodeError):
    """A log could not be checked to its end on this computer. Nothing is said against it; try again."""

    code = "audit-failed"


class ImportFailed(NodeError):
    """The profile's folder for logs of others cannot be written. Make room, or change its rights."""

    code = "import-failed"


class PictureFailed(NodeError):
    """The picture could not be written there. Choose another folder or make room."""

    code = "picture-failed"


class CannotGoOn(NodeError):
    """The match cannot be gone on with in this way: it does not rest between two deals, or others say so."""

    code = "cannot-go-on"


class WishRefused(NodeError):
    """The page asked for something that is not possible now. `reason` is the code of a play's refusal."""

    code = "not-now"

    def __init__(self, sentence: str, reason: str | None = None) -> None:
        super().__init__(sentence)
        self.reason = reason or self.code


class PageUnavailable(NodeError):
    """The page cannot be served on this computer."""

    code = "page-unavailable"


class LobbyError(NodeError):
    """You could not be seated at the table."""

    code = "lobby"


class LobbyUnreachable(LobbyError):
    """Nobody answers at that address. Check the address and that both computers are on one network."""

    code = "lobby-unreachable"


class LobbyTimeout(LobbyError):
    """The table did not answer in time. Try again."""

    code = "lobby-timeout"


class LobbyClosed(LobbyError):
    """The table closed the connection. Ask the host whether it still waits for players."""

    code = "lobby-closed"


class LobbyFull(LobbyError):
    """All seats at the table are taken."""

    code = "lobby-full"


class LobbyBusy(LobbyError):
    """Too many people are joining at this moment. Try again in a few seconds."""

    code = "lobby-busy"


class NotATable(LobbyError):
    """Something answers at that address, but it does not speak as a table does."""

    code = "not-a-table"


class TableNotFound(LobbyError):
    """Another table answers at that address. The one you look for is gone or has moved."""

    code = "table-not-found"


class VersionMismatch(LobbyError):
    """The table runs another version of the program. Update the older one."""

    code = "version-mismatch"


class WrongCode(LobbyError):
    """The code is not the one on the host's screen. Look again: it may have changed."""

    code = "wrong-code"


class CodeNeeded(LobbyError):
    """The host does not let you in without the code. Look at its screen and type it."""

    code = "code-needed"


class HostUnproven(LobbyError):
    """The other side could not prove that it is the host it seems to be. Do not go on; ask the host."""

    code = "host-unproven"


class JoinRefused(LobbyError):
    """The host did not let you in, and says why."""

    code = "join-refused"
