"""A prover who knows the discrete logarithms of the commitment generators.

With that knowledge a Pedersen commitment opens to anything, so the forger chooses the exponents u′ after
seeing u instead of permuting u. Only the equations t₄ still bind it: Σu′_i·after_i must be a re-encryption of
Σu_k·before_k. The tests choose decks for which that can be solved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from protocol.crypto import group
from protocol.crypto.group import ORDER, Point
from protocol.crypto.masking import Ciphertext, Deck
from protocol.crypto.shuffle_proof import ShuffleProof, exponents, proof_challenge, statement_digest
from protocol.crypto.transcript import Stream
from tests.protocol.crypto.cases import CTX, PUBLIC, SECRET

Solver = Callable[[Sequence[int]], list[int]]


@dataclass(frozen=True)
class Trapdoor:
    """Generators with known logarithms: ``logs[0]`` of H₀, ``logs[i]`` of h_i."""

    logs: tuple[int, ...]

    def generators(self, n: int) -> tuple[Point, tuple[Point, ...]]:
        """What stands in for ``shuffle_proof.generators``."""
        h0, *h = (group.base(log) for log in self.logs[: n + 1])
        return h0, tuple(h)


@dataclass(frozen=True)
class Forgery:
    """Decks whose ``a`` parts are known multiples of G, and the choice of u′ that fits them."""

    before: Deck
    after: Deck
    before_logs: tuple[int, ...]
    after_logs: tuple[int, ...]
    solve: Solver


def stack_one_card(logs: Sequence[int], card: int, stream: Stream) -> Forgery:
    """Every output is ``card``, re-masked: needs card points at known multiples ``logs`` of G.

    Σu′_i·m_card = Σu_k·m_k leaves all u′ but the last free.
    """
    n = len(logs)
    before = tuple(Ciphertext(group.G, group.add(group.base(m), PUBLIC)) for m in logs)
    masks = stream.scalars(n)
    after = tuple(
        Ciphertext(group.add(before[card].a, group.base(r)), group.add(before[card].b, group.mul(r, PUBLIC)))
        for r in masks
    )

    def solve(u: Sequence[int]) -> list[int]:
        total = sum(e * m for e, m in zip(u, logs, strict=True)) * pow(logs[card], -1, ORDER)
        free = list(stream.scalars(n - 1))
        return [*free, (total - sum(free)) % ORDER]

    return Forgery(before, after, (1,) * n, tuple(1 + r for r in masks), solve)


def blend_two_cards(before: Deck, stream: Stream) -> Forgery:
    """Output 0 is the sum of cards 0 and 1, hence no card; needs nothing of the card points."""
    n = len(before)
    masks = stream.scalars(n)
    blended = Ciphertext(group.add(before[0].a, before[1].a), group.add(before[0].b, before[1].b))
    after = tuple(
        Ciphertext(group.add(card.a, group.base(r)), group.add(card.b, group.mul(r, PUBLIC)))
        for card, r in zip((blended, *before[1:]), masks, strict=True)
    )
    logs = tuple((2 if i == 0 else 1) + r for i, r in enumerate(masks))
    return Forgery(before, after, (1,) * n, logs, lambda u: [u[0], (u[1] - u[0]) % ORDER, *u[2:]])


def forge(trapdoor: Trapdoor, forgery: Forgery) -> ShuffleProof:
    """A proof for ``CTX`` under ``PUBLIC`` that ``forgery.after`` is a shuffle of ``forgery.before``."""
    n = len(forgery.before)
    stream = Stream(SECRET, b"forger")
    log0, *logs = trapdoor.logs[: n + 1]
    h0, h = trapdoor.generators(n)
    blinds, chain_blinds = stream.scalars(n), stream.scalars(n)
    w, chain_w, exponent_w = stream.scalars(4), stream.scalars(n), stream.scalars(n)

    commitments = [group.base(blind) for blind in blinds]
    statement = statement_digest(CTX, PUBLIC, forgery.before, forgery.after)
    u = exponents(statement, commitments)
    chosen = forgery.solve(u)
    chain, chain_log = [h0], log0
    for blind, exponent in zip(chain_blinds, chosen, strict=True):
        chain.append(group.add(group.base(blind), group.mul(exponent, chain[-1])))
        chain_log = (blind + exponent * chain_log) % ORDER

    announcement = [
        group.base(w[0]),
        group.base(w[1]),
        group.add(group.base(w[2]), group.combine(exponent_w, h)),
        group.add(group.base(-w[3]), group.combine(exponent_w, [card.a for card in forgery.after])),
        group.add(group.mul(-w[3], PUBLIC), group.combine(exponent_w, [card.b for card in forgery.after])),
        *[group.add(group.base(chain_w[i]), group.mul(exponent_w[i], chain[i])) for i in range(n)],
    ]
    c = proof_challenge(statement, commitments, chain[1:], announcement)
    secrets = (
        sum(blinds) - sum(logs),
        chain_log - prod(u) * log0,
        _dot(blinds, u) - _dot(logs, chosen),
        _dot(forgery.after_logs, chosen) - _dot(forgery.before_logs, u),
    )
    return ShuffleProof(
        tuple(commitments),
        tuple(chain[1:]),
        c,
        _respond(w, c, secrets),
        _respond(chain_w, c, chain_blinds),
        _respond(exponent_w, c, chosen),
    )


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(left, right, strict=True))


def _respond(nonces: Sequence[int], c: int, secrets: Sequence[int]) -> tuple[int, ...]:
    return tuple((nonce + c * secret) % ORDER for nonce, secret in zip(nonces, secrets, strict=True))
