"""Links to a table: what is written is read again, and what is not whole is refused in words."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.errors import TableLinkError
from node.lobby.table_link import MAX_LINK, TableLink, is_link, parse_link

TABLE = bytes(range(16))
LINK = TableLink(("192.168.1.20", "fd00::1"), 47001, TABLE, "01234567")
TEXT = "KOZEL:192.168.1.20+FD00::1/47001/AAAQEAYEAUDAOCAJBIFQYDIOB4/01234567"

addresses = st.one_of(
    st.ip_addresses(v=4).filter(lambda ip: not (ip.is_multicast or ip.is_unspecified)),
    st.ip_addresses(v=6).filter(lambda ip: not (ip.is_multicast or ip.is_unspecified)),
)


def test_a_link_has_this_form() -> None:
    assert str(LINK) == TEXT
    assert parse_link(TEXT) == LINK
    assert LINK.places == (("192.168.1.20", 47001), ("fd00::1", 47001))


@pytest.mark.parametrize("text", [TEXT.lower(), f"  {TEXT}\n", TEXT.replace("KOZEL", "Kozel")])
def test_letter_case_and_space_around_do_not_matter(text: str) -> None:
    assert is_link(text)
    assert parse_link(text) == LINK


@given(
    st.lists(addresses, min_size=1, max_size=8),
    st.integers(1, 65535),
    st.binary(min_size=16, max_size=16),
    st.integers(0, 10**8 - 1),
)
def test_every_link_is_read_as_it_was_written(
    hosts: list[IPv4Address | IPv6Address], port: int, table: bytes, code: int
) -> None:
    link = TableLink(tuple(map(str, hosts)), port, table, f"{code:08d}")
    assert parse_link(str(link)) == link
    assert len(str(link)) <= MAX_LINK
    # The alphanumeric mode of QR codes, without its space and percent sign.
    assert re.fullmatch(r"[0-9A-Z$*+\-./:]+", str(link))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begins with"),
        ("https://example.org", "begins with"),
        ("\u212aozel:1.2.3.4/1/x/1", "begins with"),  # The Kelvin sign is a K to some.
        ("KOZEL:" + "1" * MAX_LINK, "too long"),
        ("KOZEL:", "not whole"),
        (TEXT.rpartition("/")[0], "not whole"),
        (TEXT + "/", "not whole"),
        (TEXT[:-1], "eight digits"),
        (TEXT + "9", "eight digits"),
        (TEXT.replace("01234567", "0123456٧"), "begins with"),
        (TEXT.replace("47001", "0"), "port"),
        (TEXT.replace("47001", "65536"), "port"),
        (TEXT.replace("47001", "047001"), "port"),
        (TEXT.replace("47001", "-1"), "port"),
        (TEXT.replace("47001", "4 7"), "port"),
        (TEXT.replace("192.168.1.20", "anna.local"), "ANNA.LOCAL"),
        (TEXT.replace("192.168.1.20", "0.0.0.0"), "0.0.0.0"),
        (TEXT.replace("192.168.1.20", "224.0.0.1"), "224.0.0.1"),
        (TEXT.replace("192.168.1.20", ""), "address"),
        (TEXT.replace("FD00::1", "FE80::1%ETH0"), "address"),
        (TEXT.replace("192.168.1.20", "+".join(["10.0.0.1"] * 8)), "one to 8"),
        (TEXT.replace("AAAQ", "AAA1"), "names no table"),
        (TEXT.replace("OB4", "OB5"), "names no table"),  # The spare bits are not zero.
        (TEXT.replace("OB4/", "OB/"), "names no table"),
        (TEXT.replace("OB4/", "OB4=/"), "names no table"),
    ],
)
def test_what_is_no_whole_link_is_refused_in_words(text: str, reason: str) -> None:
    with pytest.raises(TableLinkError, match=re.escape(reason)) as caught:
        parse_link(text)
    assert caught.value.code == "table-link"


@given(st.text(max_size=80), st.integers(0, len(TEXT)))
def test_whatever_is_pasted_is_read_or_refused(junk: str, place: int) -> None:
    for text in (junk, "KOZEL:" + junk, TEXT[:place] + junk + TEXT[place:]):
        try:
            link = parse_link(text)
        except TableLinkError:
            continue
        assert parse_link(str(link)) == link


@pytest.mark.parametrize(
    ("hosts", "port", "table", "code"),
    [
        ((), 1, TABLE, "01234567"),
        (("10.0.0.1",) * 9, 1, TABLE, "01234567"),
        (("10.0.0.1",), 0, TABLE, "01234567"),
        (("10.0.0.1",), 1, TABLE[1:], "01234567"),
        (("10.0.0.1",), 1, TABLE, "1234 5678"),
    ],
)
def test_no_link_is_made_that_could_not_be_followed(
    hosts: tuple[str, ...], port: int, table: bytes, code: str
) -> None:
    with pytest.raises(TableLinkError):
        TableLink(hosts, port, table, code)
