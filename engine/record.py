"""A match with everything open, as plain JSON values.

This is the engine's part of the record format `kozel-record/1`: the options, the deals and the score. The
names of the players, the match id and the verdict are added by those who know them. A record can be played
again by the engine: `replay_record(match_record(options, actions))` gives the state that the actions give.

What an observer does not know is null: a hand, a card of `stock`, the cards of a discard (which then has a
`count`). `stock` lists the cards as they are drawn, so all 20 for a finished deal and fewer for an unfinished
one, whose `points`, `tricks_taken` and `defeat_points` are null.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from engine.actions import Action, Beat, Deal, Discard, Draw, Indicate, Lead, Molodka, Play
from engine.cards import SEATS, Cards, Seat, next_seat, parse_card
from engine.errors import RecordError
from engine.options import Eggs, MolodkaRule, Options
from engine.replay import replay, replay_states
from engine.state import Phase, Standing, State
from engine.trick import Trick


class OptionsRecord(TypedDict):
    """Table options by their public names."""

    target: int
    eggs: str
    molodka: str


class PlayRecord(TypedDict, total=False):
    """One play; `count` stands only beside cards that are null."""

    seat: int
    action: str
    cards: list[str] | None
    count: int
    returned: bool


class TrickRecord(TypedDict):
    """One trick: first the plays that went back, weakest lead first, then those of the lead that counts."""

    entitled: int
    plays: list[PlayRecord]
    taker: int | None


class DealRecord(TypedDict):
    """One deal; pairs are indexed by team, `hands` by seat."""

    number: int
    dealer: int
    leader: int
    indicator: str | None
    trump: str | None
    hands: list[list[str] | None]
    stock: list[str | None]
    tricks: list[TrickRecord]
    points: list[int] | None
    tricks_taken: list[int] | None
    defeat_points: list[int] | None
    eggs: bool


class StandingRecord(TypedDict):
    """Where a match stood when it was gone on with."""

    score: list[int]
    eggs: int
    doubled: bool
    dealer: int
    leader: int


class MatchRecord(TypedDict):
    """A match: `score` holds the defeat points of each team, `eggs` counts 60-60 deals, `goat` is a team."""

    options: OptionsRecord
    deals: list[DealRecord]
    score: list[int]
    eggs: int
    goat: int | None


def match_record(
    options: Options, actions: Iterable[Action], first_leader: Seat | None = None
) -> MatchRecord:
    """The record of a match from its actions; raises `IllegalAction` where they are not allowed."""
    deals: list[DealRecord] = []
    for state in replay_states(options, actions, first_leader):
        if state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER):
            deals.append(deal_record(state))
    if state.phase not in (Phase.DEALING, Phase.DEAL_OVER, Phase.MATCH_OVER):
        deals.append(deal_record(state))
    return summary_record(state, deals)


def summary_record(state: State, deals: Sequence[DealRecord]) -> MatchRecord:
    """The record of a match in that state, whose deals have been recorded one by one."""
    return {
        "options": options_record(state.options),
        "deals": list(deals),
        "score": list(state.score),
        "eggs": state.eggs,
        "goat": state.goat,
    }


def options_record(options: Options) -> OptionsRecord:
    """The table options by their public names."""
    return {"target": options.target, "eggs": options.eggs.value, "molodka": options.molodka.value}


def deal_record(state: State) -> DealRecord:
    """The current deal, finished or not, as far as the observer knows it; raises `RecordError` before any."""
    if state.dealt is None:
        raise RecordError("there is no deal to record before the cards are dealt")
    tricks = (
        (*state.tricks, state.trick) if state.trick is not None and state.trick.branches else state.tricks
    )
    over = state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER)
    result = state.results[-1] if over else None
    leader = tricks[0].entitled if tricks else state.leader
    assert leader is not None
    return {
        "number": state.deal_number,
        "dealer": state.dealt.dealer,
        "leader": leader,
        "indicator": None if state.indicator is None else str(state.indicator),
        "trump": None if state.trump is None else state.trump.letter,
        "hands": [None if hand is None else _names(hand) for hand in state.dealt.hands],
        "stock": [None if draw.card is None else str(draw.card) for draw in state.drawn],
        "tricks": [_trick_record(trick) for trick in tricks],
        "points": None if result is None else list(result.points),
        "tricks_taken": None if result is None else list(result.tricks_taken),
        "defeat_points": None if result is None else list(result.defeat_points),
        "eggs": result is not None and result.eggs,
    }


def _names(cards: Cards) -> list[str]:
    return [str(card) for card in cards]


def _trick_record(trick: Trick) -> TrickRecord:
    plays = [
        _play_record(play, returned=branch is not trick.effective)
        for branch in trick.branches
        for play in branch.plays()
    ]
    return {"entitled": trick.entitled, "plays": plays, "taker": trick.taker}


_VERBS: dict[type[Play], str] = {Lead: "lead", Molodka: "molodka", Beat: "beat", Discard: "discard"}


def _play_record(play: Play, *, returned: bool) -> PlayRecord:
    verb = _VERBS[type(play)]
    if play.cards is None:
        return {"seat": play.seat, "action": verb, "cards": None, "count": play.count, "returned": returned}
    return {"seat": play.seat, "action": verb, "cards": _names(play.cards), "returned": returned}


# Reading


def replay_record(record: Mapping[str, Any]) -> State:
    """The state that a record ends in; raises `RecordError` if malformed, `IllegalAction` if illegal."""
    actions = list(actions_from_record(record))
    try:
        leader = _seat(record["deals"][0]["leader"]) if actions else None
    except KeyError as error:
        raise RecordError("the first deal of the record has no leader") from error
    standing = standing_from_record(record)
    return replay(options_from_record(record), actions, None if standing else leader, standing)


def standing_record(standing: Standing | None) -> StandingRecord | None:
    """Where a match was gone on with, None for one that began anew."""
    if standing is None:
        return None
    return {
        "score": list(standing.score),
        "eggs": standing.eggs,
        "doubled": standing.doubled,
        "dealer": standing.dealer,
        "leader": standing.leader,
    }


def standing_from_record(record: Mapping[str, Any]) -> Standing | None:
    """Where the match of a record was gone on with; raises `RecordError`. Records need not have it."""
    value = record.get("standing")
    if value is None:
        return None
    try:
        first, second = map(_number, value["score"])
        eggs, doubled = _number(value["eggs"]), bool(value["doubled"])
        return Standing((first, second), eggs, doubled, _seat(value["dealer"]), _seat(value["leader"]))
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"the standing of the record cannot be read: {error!r}") from error


def options_from_record(record: Mapping[str, Any]) -> Options:
    """The table options of a record; raises `RecordError`."""
    try:
        options = record["options"]
        return Options(options["target"], Eggs(options["eggs"]), MolodkaRule(options["molodka"]))
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"the options of the record cannot be read: {error}") from error


def actions_from_record(record: Mapping[str, Any]) -> Iterator[Action]:
    """The actions of a match from its record; raises `RecordError` where it is malformed.

    Who draws which card is not written in a record, it follows from R12: clockwise from the taker, as many
    cards as the four seats have played.
    """
    try:
        for deal in record["deals"]:
            yield from _deal_actions(deal)
    except RecordError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise RecordError(f"the record cannot be read: {error!r}") from error


def _deal_actions(deal: Mapping[str, Any]) -> Iterator[Action]:
    first, second, third, fourth = (None if hand is None else _cards(hand) for hand in deal["hands"])
    yield Deal(_seat(deal["dealer"]), (first, second, third, fourth))
    if deal["indicator"] is not None:
        yield Indicate(parse_card(deal["indicator"]))
    stock = [None if name is None else parse_card(name) for name in deal["stock"]]
    for trick in deal["tricks"]:
        plays = list(_play_actions(trick["plays"]))
        yield from plays
        if trick["taker"] is not None:
            due, taker = 4 * _count(plays[-1]), _seat(trick["taker"])
            yield from (Draw(next_seat(taker, place), card) for place, card in enumerate(stock[:due]))
            del stock[:due]
    if stock:
        raise RecordError(f"{len(stock)} cards of the stock are left over that nobody can have drawn")


def _play_actions(plays: Iterable[Mapping[str, Any]]) -> Iterator[Play]:
    on: Seat | None = None
    for play in plays:
        seat, cards = _seat(play["seat"]), None if play["cards"] is None else _cards(play["cards"])
        match play["action"]:
            case "lead" if cards is not None:
                on = seat
                yield Lead(seat, cards)
            case "molodka" if cards is not None:
                on = seat
                yield Molodka(seat, cards)
            case "beat" if cards is not None and on is not None:
                yield Beat(seat, cards, on)
            case "discard" if on is not None:
                yield Discard(seat, _number(play["count"]) if cards is None else len(cards), cards, on)
            case action:
                raise RecordError(f"{action!r} of seat {seat} has no cards, no lead before it, or no meaning")


def _count(play: Play) -> int:
    return play.count if isinstance(play, Discard) else len(play.cards)


def _cards(names: Sequence[str]) -> Cards:
    return tuple(parse_card(name) for name in names)


def _number(value: object) -> int:
    if type(value) is not int:
        raise RecordError(f"{value!r} is not a number")
    return value


def _seat(value: object) -> Seat:
    if value not in SEATS:
        raise RecordError(f"{value!r} is not a seat")
    return _number(value)
