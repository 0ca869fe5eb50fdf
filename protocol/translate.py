"""From the log's steps to the engine's actions (§7.11): the only bridge between slots and cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from engine.actions import Action, Deal, Discard, Draw, Open
from engine.cards import SEATS, Card
from protocol.facts import DealFacts
from protocol.play_facts import Step


def with_cards(
    step: Step,
    card_of: Callable[[int], Card | None],
    discarded: Callable[[Step], tuple[int, ...] | None],
) -> Action:
    """Return the step's action with the cards that one observer knows.

    `card_of` maps a slot to its card, None where unknown; `discarded` tells which slots a discard
    hides, None where the observer does not know.
    """
    action = step.action
    if isinstance(action, Deal):
        first, second, third, fourth = (_hand(step, action, seat, card_of) for seat in SEATS)
        return replace(action, hands=(first, second, third, fourth))
    if isinstance(action, Draw):
        return replace(action, card=card_of(step.slots[0]))
    if isinstance(action, Discard) and action.cards is None:
        slots = discarded(step)
        cards = _all_known(slots, card_of) if slots is not None else None
        return replace(action, cards=cards)
    return action


def slots_of(cards: Iterable[Card], held: Mapping[Card, int]) -> tuple[int, ...]:
    """The slots of cards that a seat plays, in ascending order; `held` maps what it holds to its slots."""
    return tuple(sorted(held[card] for card in cards))


def full_actions(steps: Iterable[Step], cards: Mapping[int, Card], deal: DealFacts) -> tuple[Action, ...]:
    """The actions of a finished deal with everything open; only returned discards stay face down (R14)."""

    def discarded(step: Step) -> tuple[int, ...] | None:
        opened = deal.opened[step.action.seat] if isinstance(step.action, Discard) else None
        trick = deal.tricks[step.trick]
        # By the action and not by the commitment: an author may commit alike to two discards of a trick.
        stands = any(play.action == step.action for play in trick.standing)
        return opened.discards.get(step.trick) if opened and stands else None

    return tuple(
        with_cards(step, cards.get, discarded) for step in steps if not isinstance(step.action, Open)
    )


def _hand(
    step: Step, action: Deal, seat: int, card_of: Callable[[int], Card | None]
) -> tuple[Card, ...] | None:
    slots = [slot for slot in step.slots if (action.dealer + 1 + slot) % len(SEATS) == seat]
    return _all_known(slots, card_of)


def _all_known(slots: Iterable[int], card_of: Callable[[int], Card | None]) -> tuple[Card, ...] | None:
    cards = [card_of(slot) for slot in slots]
    known = [card for card in cards if card is not None]
    return tuple(sorted(known)) if len(known) == len(cards) else None
