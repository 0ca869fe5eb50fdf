"""Own addresses and typed ones."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.errors import AddressError
from node.network.addresses import (
    LOOPBACK,
    MAX_ADDRESSES,
    AdapterAddress,
    format_host_port,
    is_dialable,
    own_addresses,
    parse_host_port,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("192.168.1.20:47001", ("192.168.1.20", 47001)),
        ("  laptop.local:1 ", ("laptop.local", 1)),
        ("[fd00::1]:65535", ("fd00::1", 65535)),
        ("[fe80::1%eth0]:47001", ("fe80::1%eth0", 47001)),
    ],
)
def test_addresses_are_read_as_people_write_them(text: str, expected: tuple[str, int]) -> None:
    assert parse_host_port(text) == expected


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "names no computer"),
        (":47001", "names no computer"),
        ("two words:1", "names no computer"),
        ("192.168.1.20", "has no port"),
        ("host:", "not a number from 1 to 65535"),
        ("host:0", "not a number from 1 to 65535"),
        ("host:65536", "not a number from 1 to 65535"),
        ("host:-1", "not a number from 1 to 65535"),
        ("host:1_0", "not a number from 1 to 65535"),
        ("host:٣", "not a number from 1 to 65535"),
        ("host:999999999999999999999", "not a number from 1 to 65535"),
        ("fd00::1:47001", "in brackets"),
        ("[fd00::1]", "has no port"),
        ("[fd00::1", "not an IPv6 address"),
        ("[fd00::1]47001", "not an IPv6 address"),
        ("[192.168.1.20]:1", "not an IPv6 address"),
        ("[]:1", "not an IPv6 address"),
    ],
)
def test_what_is_no_address_is_said_plainly(text: str, hint: str) -> None:
    with pytest.raises(AddressError, match=hint) as caught:
        parse_host_port(text)
    assert caught.value.code == "address"


def test_a_default_port_stands_in_for_none() -> None:
    assert parse_host_port("laptop", default_port=47001) == ("laptop", 47001)
    assert parse_host_port("[fd00::1]", default_port=47001) == ("fd00::1", 47001)
    assert parse_host_port("laptop:2", default_port=47001) == ("laptop", 2)


@given(st.ip_addresses(), st.integers(1, 65535))
def test_what_is_formatted_is_read_back(ip: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int) -> None:
    assert parse_host_port(format_host_port(str(ip), port)) == (str(ip), port)


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_an_address_error(text: str) -> None:
    try:
        host, port = parse_host_port(text)
    except AddressError as error:
        assert str(error)
    else:
        assert host and 1 <= port <= 65535


def test_the_likeliest_addresses_come_first_and_useless_ones_are_left_out() -> None:
    found = [
        AdapterAddress("lo", "127.0.0.1"),
        AdapterAddress("lo", "::1"),
        AdapterAddress("docker0 docker0", "172.17.0.1"),
        AdapterAddress("vEthernet (WSL)", "172.28.0.1"),
        AdapterAddress("wlan0", "fe80::1"),
        AdapterAddress("wlan0", "169.254.7.7"),
        AdapterAddress("wlan0", "fd00::5"),
        AdapterAddress("wlan0", "8.8.4.4"),
        AdapterAddress("wlan0", "192.168.1.20"),
        AdapterAddress("tun0", "192.168.1.20"),
        AdapterAddress("broken", "not an address"),
        AdapterAddress("broken", "0.0.0.0"),
    ]
    assert own_addresses(found) == (
        "192.168.1.20",
        "8.8.4.4",
        "fd00::5",
        "169.254.7.7",
        "172.17.0.1",
        "172.28.0.1",
    )


def test_a_computer_without_a_network_still_has_itself() -> None:
    assert own_addresses([]) == (LOOPBACK,)
    assert own_addresses([AdapterAddress("lo", "127.0.0.1")]) == (LOOPBACK,)


def test_the_list_is_bounded() -> None:
    many = [AdapterAddress("eth0", f"10.0.0.{n}") for n in range(1, 50)]
    assert own_addresses(many) == tuple(f"10.0.0.{n}" for n in range(1, MAX_ADDRESSES + 1))


def test_this_computers_own_addresses_can_be_dialled() -> None:
    addresses = own_addresses()
    assert addresses
    assert all(is_dialable(address, 47001) for address in addresses)


@pytest.mark.parametrize(
    ("host", "port", "dialable"),
    [
        ("127.0.0.1", 1, True),
        ("fe80::1%eth0", 65535, True),
        ("127.0.0.1", 0, False),
        ("127.0.0.1", 65536, False),
        ("localhost", 1, False),
        ("0.0.0.0", 1, False),
        ("224.0.0.1", 1, False),
        ("ff02::1", 1, False),
    ],
)
def test_only_numeric_unicast_addresses_are_dialled(host: str, port: int, dialable: bool) -> None:
    assert is_dialable(host, port) is dialable
