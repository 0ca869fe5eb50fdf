"""INVARIANT: what a network says of a table by multicast is read as an announcement safe to show, or as none.

Any properties and addresses are either nothing (None) or a bounded, printable announcement with at least one
address that can be dialled; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar

from zeroconf import IPVersion, ServiceInfo

from node.network.addresses import MAX_ADDRESSES, is_dialable
from node.network.table_ad import SERVICE, TableAd, read_service, to_service
from tests.fuzz.harness import ACCEPTED
from tests.fuzz.mutators import any_number, mutate_bytes, mutate_value

_ALL = IPVersion.All
_AD = TableAd(
    "0123456789abcdef" * 2, "Dacha", "Anna", "00" * 8, 3, "open", ("192.168.1.20", "fd00::1"), 47001
)


class Announcement:
    """`read_service`, from the raw TXT bytes on."""

    name = "announcement"
    refusals: ClassVar[Mapping[str, str]] = {
        "not a table": "it has another version, no table id, or no address that can be dialled"
    }

    def draw(self, rng: Random) -> tuple[bytes, tuple[Any, ...], int]:
        """TXT record, packed addresses and port."""
        info = to_service(_AD, "x")
        text = info.text if rng.random() < 0.2 else mutate_bytes(rng, info.text)
        addresses = tuple(info.addresses_by_version(_ALL))
        if rng.random() < 0.3:
            mutated = mutate_value(rng, addresses)
            addresses = tuple(
                one for one in (mutated if isinstance(mutated, tuple) else ()) if isinstance(one, bytes)
            )
        port = 47001 if rng.random() < 0.7 else any_number(rng) % 65_536
        return text, addresses, port

    def feed(self, given: tuple[bytes, tuple[Any, ...], int]) -> Iterator[str]:
        """Read it, and look at what came out."""
        text, addresses, port = given
        fit = [one for one in addresses if len(one) in (4, 16)]
        ad = read_service(ServiceInfo(SERVICE, f"x.{SERVICE}", port=port, addresses=fit, properties=text))
        if ad is None:
            yield "not a table"
            return
        assert 1 <= len(ad.addresses) <= MAX_ADDRESSES
        assert all(is_dialable(address, ad.port) for address in ad.addresses)
        shown = (ad.name, ad.host_name, ad.fingerprint, ad.state, ad.table_id)
        assert all(not line or line.isprintable() for line in shown)
        assert max(map(len, shown)) <= 64
        assert 0 <= ad.free_seats <= 4
        bytes.fromhex(ad.table_id)
        yield ACCEPTED
