/** From the node's picture of a table to what is drawn of it: pure functions, no rules. */

import { setting } from "./settings.js";
import { t } from "./words.js";

const RANKS = "6789JQKTA";
const SUITS = "cdhs";

/** Where a seat is on the screen, seen from `me`: 0 below, 1 left, 2 above, 3 right. Who has no seat looks from the first. */
export const placeOf = (seat, me) => (seat - (me ?? 0) + 4) % 4;

/** The team of a seat; the first for who has none. */
export const teamOf = (seat) => (seat ?? 0) % 2;

/** A hand in the order that the reader likes: by suit with trumps last, or from weak to strong. */
export function sorted(cards, trump) {
  const suit = (card) => (card[1] === trump ? 9 : SUITS.indexOf(card[1]));
  const strength = (card) => RANKS.indexOf(card[0]);
  const bySuit = (a, b) => suit(a) - suit(b) || strength(a) - strength(b);
  const byStrength = (a, b) => (a[1] === trump) - (b[1] === trump) || strength(a) - strength(b) || suit(a) - suit(b);
  return [...cards].sort(setting("sort") === "suit" ? bySuit : byStrength);
}

/** The name of a card for a screen reader. */
export function cardName(card) {
  const ranks = {
    6: t("six"),
    7: t("seven"),
    8: t("eight"),
    9: t("nine"),
    T: t("ten"),
    J: t("jack"),
    Q: t("queen"),
    K: t("king"),
    A: t("ace"),
  };
  return t("{rank} of {suit}", { rank: ranks[card[0]], suit: suitName(card[1]) });
}

/** A suit in words. */
export function suitName(suit) {
  return { c: t("clubs"), d: t("diamonds"), h: t("hearts"), s: t("spades") }[suit];
}

/** The branch of a trick that counts, if anything has been led. */
export const counting = (trick) => trick?.branches.at(-1) ?? null;

/** What may be played with just these cards, by kind. */
export function playsOf(table, chosen) {
  const key = [...chosen].sort().join();
  return table.legal.filter((play) => [...play.cards].sort().join() === key);
}

/** The kinds of plays that are possible with some cards or other, in the order of their buttons. */
export function kindsOf(table) {
  const kinds = new Set(table.legal.map((play) => play.kind));
  return ["lead", "beat", "discard"].filter((kind) => kinds.has(kind) && !outOfTurn(table, kind));
}

/** The play by which the reader may take the lead although it is not an ordinary turn, if there is one. */
export function claimOf(table) {
  const claim = table.legal.find((play) => play.kind === "molodka");
  const led = counting(table.trick) !== null;
  return claim ?? table.legal.find((play) => play.kind === "lead" && led) ?? null;
}

/** Whether a card can be part of something that may be played now. */
export const isUsable = (table, card) => table.legal.some((play) => play.cards.includes(card));

function outOfTurn(table, kind) {
  return kind === "lead" && counting(table.trick) !== null;
}

/** The names by seat, with a number after those that several players have. */
export function distinct(names) {
  const lower = names.map((name) => name.toLocaleLowerCase());
  return names.map((name, seat) =>
    lower.filter((other) => other === lower[seat]).length === 1 ? name : `${name} ${seat + 1}`,
  );
}
