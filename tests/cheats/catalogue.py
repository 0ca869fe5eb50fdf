"""Every way to cheat that is tried here: what it does, when it is caught, and as which fault (§8.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from protocol.verdict import EQUIVOCATION
from tests.cheats import dealing, playing, talking
from tests.cheats.crook import Scheme


class Caught(Enum):
    """When a cheat comes to light."""

    AT_ONCE = "at once"
    """The false event itself is the proof."""
    WHEN_OPENED = "at the end of the deal"
    """What was hidden has to be opened then, or nobody's opening is believed."""
    DROPPED = "not provable: dropped, the match goes on"
    """It proves nothing about anybody, and changes nothing."""
    RESTS = "not provable: the match rests, and the log shows whose move is missing"
    """Nothing false has been said."""


@dataclass(frozen=True)
class Entry:
    """One way to cheat. `sentence` says what the culprit does; `fault` is None where nothing is proven."""

    name: str
    sentence: str
    caught: Caught
    fault: str | None
    scheme: Callable[[], Scheme]
    real: bool = False
    """Whether the proof itself is the point, so that no stand-in will do."""

    @property
    def provable(self) -> bool:
        """Whether there is a culprit that can be named."""
        return self.fault is not None

    @property
    def target(self) -> int:
        """A short match where its end matters, else one so long that the moment will come."""
        return 24 if self.provable and self.fault != "false-final" else 6


_AT_ONCE, _WHEN_OPENED = Caught.AT_ONCE, Caught.WHEN_OPENED

CATALOGUE: tuple[Entry, ...] = (
    Entry(
        "changed coin",
        "changes its half of the coin when it knows the halves of the others, to choose the dealer",
        _AT_ONCE,
        "bad-coin",
        dealing.ChangedCoin,
    ),
    Entry(
        "rogue key",
        "waits for the keys of the others and chooses its own so that it alone can open all cards",
        _AT_ONCE,
        "bad-key-proof",
        dealing.RogueKey,
        real=True,
    ),
    Entry(
        "replayed key proof",
        "gives a key with the proof that belongs to another match",
        _AT_ONCE,
        "bad-key-proof",
        dealing.ReplayedKeyProof,
        real=True,
    ),
    Entry(
        "stacked shuffle",
        "throws away the shuffles of the others and puts in their place a deck whose order it knows",
        _AT_ONCE,
        "bad-shuffle",
        dealing.StackedDeck,
        real=True,
    ),
    Entry(
        "duplicated card",
        "puts one card into the deck twice",
        _AT_ONCE,
        "bad-shuffle",
        dealing.DuplicatedCard,
        real=True,
    ),
    Entry(
        "bad shuffle proof",
        "shuffles with a proof that does not hold",
        _AT_ONCE,
        "bad-shuffle",
        dealing.BadShuffleProof,
        real=True,
    ),
    Entry(
        "false share",
        "gives a false key to somebody's card, so that another card would come out",
        _AT_ONCE,
        "bad-share",
        dealing.FalseShare,
        real=True,
    ),
    Entry(
        "share for one's own slot",
        "gives the key to a card of its own hand in place of one that it owes",
        _AT_ONCE,
        "bad-share",
        dealing.OwnShare,
        real=True,
    ),
    Entry(
        "share for an undealt slot",
        "gives away the keys to the next cards of the stock while the trick is still played",
        _AT_ONCE,
        "out-of-order",
        dealing.EarlyShare,
    ),
    Entry(
        "share when nobody draws",
        "gives away the key to a card although the stock is empty",
        _AT_ONCE,
        "share-not-due",
        dealing.ShareOfNothing,
    ),
    Entry(
        "shares of the deal before",
        "gives in one deal the keys that were right in the deal before",
        _AT_ONCE,
        "bad-share",
        dealing.ReplayedShares,
    ),
    Entry(
        "card not in the hand",
        "plays a card face up that was dealt to somebody else",
        _AT_ONCE,
        "card-not-held",
        playing.ForeignCard,
    ),
    Entry(
        "move out of turn",
        "leads although it is another seat's turn",
        _AT_ONCE,
        "illegal-play",
        playing.OutOfTurn,
    ),
    Entry(
        "set that does not beat",
        "says of cards that do not beat that they beat",
        _AT_ONCE,
        "illegal-play",
        playing.NotBeating,
    ),
    Entry("lead of two suits", "leads cards of two suits", _AT_ONCE, "illegal-play", playing.TwoSuits),
    Entry(
        "false molodka",
        "claims the lead with four cards that are not of one suit",
        _AT_ONCE,
        "illegal-play",
        playing.FalseMolodka,
    ),
    Entry(
        "molodka after playing",
        "claims the lead in a trick in which it has already played",
        _AT_ONCE,
        "illegal-play",
        playing.LateMolodka,
    ),
    Entry(
        "discard of cards not held",
        "discards, face down, cards that were dealt to somebody else",
        _WHEN_OPENED,
        "discard-not-held",
        playing.ForeignDiscard,
    ),
    Entry(
        "discarded card played later",
        "discards a card face down, keeps it all the same and plays it again later",
        _WHEN_OPENED,
        "card-played-twice",
        playing.HeldBack,
    ),
    Entry(
        "refusal to open",
        "opens its key after the deal, but not all of its discards",
        _WHEN_OPENED,
        "refused-opening",
        playing.RefusedOpening,
    ),
    Entry(
        "other cards opened",
        "shows other cards after the deal than the ones that it had discarded",
        _WHEN_OPENED,
        "bad-commitment",
        playing.OtherCards,
    ),
    Entry(
        "other key opened",
        "opens the deal with another key than the one that it had locked it with",
        _WHEN_OPENED,
        "wrong-key",
        playing.OtherKey,
    ),
    Entry(
        "false result",
        "signs points that the cards do not add up to",
        _AT_ONCE,
        "false-result",
        playing.FalseResult,
    ),
    Entry(
        "false end",
        "signs an end of the match that the deals do not add up to",
        _AT_ONCE,
        "false-final",
        playing.FalseEnd,
    ),
    Entry(
        "equivocation to one peer",
        "makes one play before one of the others, and another play before the rest",
        _AT_ONCE,
        EQUIVOCATION,
        talking.TwoStories,
    ),
    Entry(
        "equivocation to two halves",
        "makes one play in each half of a network that has fallen apart (caught when it is whole again)",
        _AT_ONCE,
        EQUIVOCATION,
        talking.TwoHalves,
    ),
    Entry(
        "equivocation between beat and discard",
        "shows some of the others that it beats, and says to another that it has discarded the same cards",
        _AT_ONCE,
        EQUIVOCATION,
        talking.BeatOrDiscard,
    ),
    Entry(
        "backdated references",
        "pretends not to have seen the moves that it has seen",
        _AT_ONCE,
        "backdated-refs",
        talking.BackdatedRefs,
    ),
    Entry(
        "replay from another match",
        "sends signed events of another match again",
        Caught.DROPPED,
        None,
        talking.ReplayedMatch,
    ),
    Entry(
        "forged signature",
        "sends events in the names of the others, signed with its own key",
        Caught.DROPPED,
        None,
        talking.ForgedSignature,
    ),
    Entry(
        "malleated signature",
        "changes signatures so that a careless check would still accept them (S + q)",
        Caught.DROPPED,
        None,
        talking.MalleatedSignature,
    ),
    Entry(
        "flood",
        "pours out junk, and signed events that refer to what does not exist (memory stays bounded)",
        Caught.DROPPED,
        None,
        talking.Flood,
    ),
    Entry("silence", "says nothing any more", Caught.RESTS, None, talking.Silence),
    Entry(
        "silence instead of opening",
        "plays the deal to its end and then does not open its discards at all",
        Caught.RESTS,
        None,
        talking.SilentOpening,
    ),
)
