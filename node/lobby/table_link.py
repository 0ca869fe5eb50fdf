"""A link to a table: where it is, which one it is, and its code, in one line to copy or to scan.

    KOZEL:192.168.1.20+FD00::1/47001/UDGWUDY4S6ZRUGV3GQV3XVLYEA/12345678

addresses (numeric, the best first, `+` between them), port, table id (base32 without padding, RFC 4648)
and code. Only characters of the QR code's compact alphabet, none that a shell or a URI gives a meaning of
its own; capital and small letters mean the same.
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
from dataclasses import dataclass

from node.errors import TableLinkError
from node.i18n import tr
from node.lobby.messages import TABLE_ID_BYTES
from node.lobby.pake import CODE_DIGITS
from node.network.addresses import MAX_ADDRESSES, is_dialable

__all__ = ["MAX_LINK", "TableLink", "is_link", "parse_link"]

MAX_LINK = 400
"""Characters. Eight addresses of IPv6 fit."""

_SCHEME = "KOZEL:"
_TABLE_ID = re.compile(r"[A-Z2-7]{26}")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_CODE = re.compile(f"[0-9]{{{CODE_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class TableLink:
    """What a link says. `addresses` are 1 to 8 numeric ones, `table_id` is 16 bytes, `code` eight digits.

    Making one raises TableLinkError where it could not be followed.
    """

    addresses: tuple[str, ...]
    port: int
    table_id: bytes
    code: str

    def __post_init__(self) -> None:
        if not 1 <= self.port <= 65535:
            raise TableLinkError(tr("The link's port is not a number from 1 to 65535."))
        if not 1 <= len(self.addresses) <= MAX_ADDRESSES:
            raise TableLinkError(tr("A link holds one to {count} addresses.", count=MAX_ADDRESSES))
        for address in self.addresses:
            if "%" in address or not is_dialable(address, self.port):
                raise TableLinkError(
                    tr("“{address}” in the link is not the address of a computer.", address=address)
                )
        if len(self.table_id) != TABLE_ID_BYTES or not _CODE.fullmatch(self.code):
            raise TableLinkError(tr("The link is not whole. Copy it again."))

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """Where to dial: addresses with the port."""
        return tuple((address, self.port) for address in self.addresses)

    def __str__(self) -> str:
        """The link as text, which `parse_link` reads back."""
        table = base64.b32encode(self.table_id).decode().rstrip("=")
        return f"{_SCHEME}{'+'.join(self.addresses).upper()}/{self.port}/{table}/{self.code}"


def is_link(text: str) -> bool:
    """Tell whether `text` means to be a link: it begins as one."""
    return text.strip()[: len(_SCHEME)].upper() == _SCHEME


def parse_link(text: str) -> TableLink:
    """Read a link. Raises TableLinkError, which says what is wrong with it."""
    text = text.strip()
    # isascii: upper() makes ASCII letters of some others, such as the long s.
    if not is_link(text) or not text.isascii():
        raise TableLinkError(tr("This is no link to a table. One begins with KOZEL:"))
    if len(text) > MAX_LINK:
        raise TableLinkError(tr("The link is too long. Copy it again."))
    parts = text[len(_SCHEME) :].upper().split("/")
    if len(parts) != 4:
        raise TableLinkError(tr("The link is not whole: it has four parts. Copy it again."))
    addresses, port, table, code = parts
    if not _PORT.fullmatch(port):
        raise TableLinkError(tr("The link's port is not a number from 1 to 65535."))
    if not _CODE.fullmatch(code):
        raise TableLinkError(tr("The link does not end in a code of eight digits. Copy it again."))
    return TableLink(tuple(map(_address, addresses.split("+"))), int(port), _table_id(table), code)


def _address(text: str) -> str:
    """The usual form of an address; what is none stays as it is, and is refused later."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return text


def _table_id(text: str) -> bytes:
    if _TABLE_ID.fullmatch(text):
        try:
            table_id = base64.b32decode(text + "======")
        except binascii.Error:
            table_id = b""
        # Two spare bits: only one spelling of a table is a link to it.
        if base64.b32encode(table_id).decode().rstrip("=") == text:
            return table_id
    raise TableLinkError(tr("The link names no table. Copy it again."))
