"""Proven faults in words that anybody understands."""

from __future__ import annotations

from collections.abc import Sequence

from node.i18n import tr
from protocol.verdict import Verdict

__all__ = ["FAULTS", "fault_sentence"]

FAULTS: dict[str, str] = {
    "unknown-kind": "{name} signed something that is no move of this game.",
    "malformed-body": "{name} signed a move that is not written as moves are written.",
    "out-of-order": "{name} acted before everything it builds on had happened.",
    "backdated-refs": "{name} pretended not to have seen what they had seen.",
    "repeated": "{name} did twice what is done once.",
    "match-over": "{name} went on after the match was over.",
    "deal-over": "{name} came back to a deal whose result they had signed.",
    "bad-coin": "{name} changed their half of the coin that draws the dealer.",
    "bad-key-proof": "{name} gave a key for the deal without proof that it is theirs.",
    "bad-shuffle": "{name} shuffled falsely: the deck that came out is not the deck that went in.",
    "bad-share": "{name} gave a false share for opening a card.",
    "share-not-due": "{name} gave shares for cards that nobody was to draw.",
    "card-not-held": "{name} played a card that was not in their hand.",
    "illegal-play": "{name} made a play that the rules do not allow.",
    "wrong-key": "{name} opened the deal with another key than the one it was dealt with.",
    "refused-opening": "{name} did not open exactly the cards that they had put face down.",
    "bad-commitment": "{name} opened other cards than those that they had put face down.",
    "discard-not-held": "{name} had put cards face down that were not in their hand.",
    "card-played-twice": "{name} put a card face down and played it elsewhere too.",
    "false-result": "{name} signed a false result of the deal.",
    "false-final": "{name} signed a false end of the match.",
    "equivocation": "{name} told different players different things: two signed moves where only one can be.",
}


def fault_sentence(verdict: Verdict, names: Sequence[str]) -> str:
    """Say who did what, with the protocol's own explanation behind it."""
    name = names[verdict.culprit]
    sentence = tr(FAULTS[verdict.fault], name=name)
    if verdict.fault == "illegal-play":
        return tr("{sentence} ({detail})", sentence=sentence, detail=verdict.explanation)
    return sentence
