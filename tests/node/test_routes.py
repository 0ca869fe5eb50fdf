"""The ways back to peers on connections that they have made."""

from __future__ import annotations

from node.network.routes import Routes

PEER, OTHER = b"p" * 40, b"o" * 40


def route(number: int) -> bytes:
    return bytes([0, 0, 0, 0, number])


def test_the_connection_used_last_stands_at_the_end() -> None:
    routes = Routes()
    assert routes.learn(PEER, route(1))
    assert not routes.learn(PEER, route(1)), "nothing new"
    assert routes.learn(PEER, route(2))
    assert routes.of(PEER) == (route(1), route(2))
    assert routes.learn(PEER, route(1))
    assert routes.of(PEER) == (route(2), route(1))
    assert routes.of(OTHER) == ()


def test_no_more_than_four_are_kept() -> None:
    routes = Routes()
    for number in range(9):
        routes.learn(PEER, route(number))
    assert routes.of(PEER) == tuple(map(route, (5, 6, 7, 8)))


def test_a_routing_id_that_the_peer_chose_is_not_used() -> None:
    routes = Routes()
    assert not routes.learn(PEER, b"mine!")
    assert not routes.learn(PEER, bytes(4))
    assert routes.of(PEER) == ()


def test_what_is_gone_is_forgotten() -> None:
    routes = Routes()
    routes.learn(PEER, route(1))
    routes.learn(PEER, route(2))
    routes.drop(PEER, route(1))
    routes.drop(PEER, route(9))
    routes.drop(OTHER, route(1))
    assert routes.of(PEER) == (route(2),)
    routes.forget(PEER)
    routes.forget(OTHER)
    assert routes.of(PEER) == ()
