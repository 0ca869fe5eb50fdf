"""Acceptance of the genesis, and the coin that draws the first dealer (§7.2, R4)."""

from __future__ import annotations

from protocol.bodies import Accept, CoinCommit, CoinReveal
from protocol.crypto.commitment import coin_dealer, verify_coin
from protocol.crypto.parts import check_encryption_key
from protocol.events import Event
from protocol.match_facts import MatchFacts
from protocol.rules.common import blamed_as, out_of_order, require_first, require_seen


def judge_accept(match: MatchFacts, event: Event, body: Accept) -> None:
    """An acceptance opens its author's feed, and stands nowhere else; its key can be sealed for."""
    require_first(match.accepted[event.author], "accepted the match")
    with blamed_as("bad-key-part", "nothing can be sealed for this key"):
        check_encryption_key(body.encryption)
    match.encryption[event.author] = body.encryption
    match.accepted[event.author] = event.position


def judge_coin_commit(match: MatchFacts, event: Event, body: CoinCommit) -> None:
    """All four have accepted; the commitment binds before any nonce is known.

    A match that goes on from another has no coin: its dealer is known (R4).
    """
    require_seen(event, match.accepted)
    if match.genesis.standing is not None:
        raise out_of_order()
    require_first(match.coin_commits[event.author], "committed to its half of the coin")
    match.coin_commits[event.author] = (body.commitment, event.position)


def judge_coin_reveal(match: MatchFacts, event: Event, body: CoinReveal) -> None:
    """The nonce is the one committed to; with the fourth the first dealer is known."""
    require_seen(event, (fact and fact[1] for fact in match.coin_commits))
    require_first(match.coin_reveals[event.author], "revealed its half of the coin")
    commit = match.coin_commits[event.author]
    if commit is None:
        raise out_of_order()
    with blamed_as("bad-coin", "the revealed nonce is not the one that was committed to"):
        verify_coin(commit[0], match.genesis.match_id, event.author, body.nonce)
    match.coin_reveals[event.author] = (body.nonce, event.position)
    nonces = [fact[0] for fact in match.coin_reveals if fact]
    if len(nonces) == len(match.coin_reveals):
        match.set_first_dealer(coin_dealer(match.genesis.match_id, nonces))
