"""Everything that the engine raises on purpose.

EngineError
├── OptionsError      table options that the game does not know
├── NotationError     text that is not an action or a card
├── RecordError       a match record that is not well formed
├── UnknownHandError  a question that needs cards which this view does not hold
└── IllegalAction     a well-formed action that the rules refuse here

Malformed and illegal are different things: a `NotationError` or `RecordError` says that the text has no
meaning, an `IllegalAction` that its meaning is against the rules. Any other exception that leaves the engine
is a defect in it.
"""


class EngineError(Exception):
    """The game engine refused something."""


class OptionsError(EngineError, ValueError):
    """These table options are not ones the game can be played with."""


class NotationError(EngineError, ValueError):
    """This text is not an action of the game."""


class RecordError(EngineError, ValueError):
    """This match record is damaged or was not written by this game."""


class UnknownHandError(EngineError):
    """The cards of this hand are not known here, so its plays cannot be listed."""


# code: (the rule that is broken, what a person is told; braces are filled from the refusal's `params`)
REFUSALS: dict[str, tuple[str, str]] = {
    "already-acted": ("R16", "seat {seat} has already played in this trick and cannot open it any more"),
    "already-open": ("R10", "the discard of seat {seat} in trick {trick} is already known"),
    "already-played": ("R11", "{card} was already played in this deal"),
    "bad-hand": ("R5", "seat {seat} was dealt {given} cards instead of 4"),
    "card-not-held": ("R7", "seat {seat} does not hold {card}"),
    "claim-lost": ("R15", "seat {holder} led four of a suit and is nearer to the lead than seat {seat}"),
    "does-not-beat": ("R9", "{cards} does not beat {best}"),
    "held-elsewhere": ("R5", "{card} belongs to seat {holder}"),
    "in-stock": ("R6", "{card} was still in the stock"),
    "lead-superseded": ("R14", "the lead of seat {on} does not count any more, seat {holder} leads"),
    "lead-taken": ("R15", "seat {holder} led four of a suit, and only four of a suit take the lead back"),
    "mixed-suits": ("R7", "{cards} are not all of one suit"),
    "molodka-off": ("R13", "leading out of turn is switched off at this table"),
    "no-such-lead": ("R8", "seat {on} has led nothing in this trick"),
    "no-such-seat": ("R1", "there is no seat {seat}"),
    "not-four": ("R13", "only four cards of one suit may be led out of turn, not {given}"),
    "not-the-dealer": ("R4", "seat {dealer} deals now, not seat {seat}"),
    "not-your-draw": ("R12", "seat {drawer} draws now, not seat {seat}"),
    "not-your-lead": ("R11", "seat {entitled} leads this trick, not seat {seat}"),
    "not-your-turn": ("R8", "it is not the turn of seat {seat}"),
    "nothing-to-open": ("R10", "seat {seat} has no discard that stood in trick {trick}"),
    "out-of-turn-only": ("R15", "seat {seat} is entitled to lead and needs no molodka"),
    "repeated-card": ("R2", "{card} is named twice"),
    "shown-later": ("R10", "seat {seat} still held {card} after the trick in which it says it discarded it"),
    "wrong-count": ("R8", "{needed} cards are needed here, not {given}"),
    "wrong-phase": ("R18", "this cannot be done while the deal is in the phase {phase}"),
}


class IllegalAction(EngineError):
    """The rules do not allow this here; nothing has changed.

    `code` is a stable key of `REFUSALS`, `rule` the number of the rule that is broken (as "R9"), and `params`
    the details, so that an interface can say it in its own words. Seats in `params` are ints, cards are their
    text.
    """

    def __init__(self, code: str, *, rule: str | None = None, **params: object) -> None:
        default_rule, text = REFUSALS[code]
        self.code = code
        self.rule = rule or default_rule
        self.params = params
        super().__init__(f"{text.format(**params)} ({self.rule})")
