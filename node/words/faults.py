"""What each proven fault means, in words for people who never look at a log (§8)."""

from __future__ import annotations

from node.i18n import tr
from protocol.verdict import EQUIVOCATION, Verdict

__all__ = ["FAULTS", "fault_sentence"]

# Fault code of the protocol: what its culprit has done, after "{name}".
FAULTS: dict[str, str] = {
    EQUIVOCATION: "{name}'s computer told different players different things about the same move.",
    "backdated-refs": "{name}'s computer pretended not to have seen what it had seen.",
    "bad-coin": "{name}'s computer changed its mind in the draw for the first dealer.",
    "bad-commitment": "{name} showed other cards after the deal than the ones that had been discarded.",
    "bad-key-part": "{name}'s computer gave a player a useless part of the key to its cards.",
    "bad-key-proof": "{name}'s computer could not prove that the key to its lock on the cards is its own.",
    "bad-rescue": "{name}'s computer handed over a false part of the key to a lost player's cards.",
    "bad-share": "{name}'s computer gave a false key to a card.",
    "bad-shuffle": "{name}'s computer did not shuffle honestly: cards were swapped, doubled or marked.",
    "card-not-held": "{name} played a card that was not in that hand.",
    "card-played-twice": "{name} discarded a card that was also played in another trick.",
    "deal-over": "{name}'s computer tried to change a deal that it had already signed as finished.",
    "discard-not-held": "{name} discarded a card that was not in that hand.",
    "false-complaint": "{name}'s computer complained about another without a reason.",
    "false-final": "{name}'s computer signed an end of the match that the deals do not add up to.",
    "false-result": "{name}'s computer signed points that the cards do not add up to.",
    "illegal-play": "{name} made a play that the rules do not allow.",
    "malformed-body": "{name}'s computer signed a message that makes no sense.",
    "match-over": "{name}'s computer went on playing after the match was over.",
    "out-of-order": "{name}'s computer acted before its turn in the deal had come.",
    "refused-opening": "{name}'s computer did not open all discards after the deal.",
    "repeated": "{name}'s computer did twice what may be done only once.",
    "seat-lost": "{name} played on in a deal that the others had gone on with without that seat.",
    "share-not-due": "{name}'s computer gave away the key to a card that nobody was to get.",
    "unknown-kind": "{name}'s computer signed a message that this game does not have.",
    "wrong-key": "{name}'s computer opened the deal with another key than the one it had locked it with.",
}


def fault_sentence(verdict: Verdict, name: str) -> str:
    """One sentence that says what the culprit, of that name, has done."""
    sentence = tr(FAULTS[verdict.fault], name=name)
    if verdict.fault == "illegal-play":
        return tr("{sentence} ({detail})", sentence=sentence, detail=verdict.explanation)
    return sentence
