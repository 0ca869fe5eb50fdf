/** The felt: the three others, the trick in the middle, stock and trump. Never mirrored: clockwise is clockwise. */

import { cardBack, cardFace, suitGlyph } from "./cards.js";
import { fill, h, set } from "./dom.js";
import { cardName, counting, placeOf, suitName, teamOf } from "./model.js";
import { mayMove } from "./settings.js";
import { language, t, tn } from "./words.js";


/** Milliseconds for which a finished trick stays on the felt. */
const REST = 1400;
const FLY = 320;
const TOWARDS = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
];

export class Felt {
  element;
  #redraw;
  #seats = [0, 1, 2, 3].map((place) => h("div", { class: ["player", `place-${place}`] }));
  #plays = [0, 1, 2, 3].map((place) => h("div", { class: ["played", `place-${place}`] }));
  /** What is asked for, or who takes the trick: a line of its own between the felt and the hand. */
  line = h("p", { class: "need", dir: "auto" });
  #stock = h("div", { class: "stock" });
  #trick = null;
  #resting = null;
  #seen = null;
  #timer = 0;

  /** `redraw()` is called when a finished trick has been seen. */
  constructor(redraw) {
    this.#redraw = redraw;
    this.element = h("div", { class: "felt" }, ...this.#seats, ...this.#plays, this.#stock);
    this.element.addEventListener("click", () => this.#sweep());
  }

  draw(table) {
    this.#rest(table);
    const trick = this.#resting ?? table.trick;
    for (const seat of [0, 1, 2, 3]) {
      const place = placeOf(seat, table.seat);
      this.#seat(this.#seats[place], seat, table);
      this.#played(this.#plays[place], seat, place, trick, table);
    }
    this.#trick = trick;
    set(this.element, { "data-resting": this.#resting !== null });
    this.#say(trick, table);
    fill(this.#stock, [table.stock, table.indicator, table.trump, language()], () => this.#talon(table));
  }

  close() {
    clearTimeout(this.#timer);
  }

  #rest(table) {
    const number = table.last === null ? null : `${table.match} ${table.deal} ${table.last.number}`;
    if (this.#seen === null || number === null) this.#seen = number ?? "none";
    if (number === null || number === this.#seen) return;
    this.#seen = number;
    this.#resting = { ...table.last, match: table.match };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sweep(), REST);
  }

  #sweep() {
    if (this.#resting === null) return;
    clearTimeout(this.#timer);
    this.#resting = null;
    this.#redraw();
  }

  #seat(element, seat, table) {
    const hand = table.hands[seat];
    const open = seat === table.seat ? [] : hand.known;
    const key = [table.shown[seat], hand, table.turn, table.dealer, table.leader, table.absent, table.lost, language(), open];
    set(element, { "data-turn": table.turn === seat && !table.over, "data-gone": table.absent.includes(seat), "data-team": teamOf(seat) === teamOf(table.seat) ? "we" : "they" });
    fill(element, key, () => [
      h(
        "div",
        { class: "plate" },
        h("bdi", { class: "name" }, seat === table.seat ? t("You") : table.shown[seat]),
        table.dealer === seat && h("span", { class: "badge", title: t("dealt this deal") }, t("dealer")),
      ),
      seat !== table.seat && h("div", { class: "backs", "aria-label": [tn("{count} card", "{count} cards", hand.size), ...open.map(cardName)].join(", "), role: "img" }, this.#cards(open, hand.size - open.length)),
    ]);
  }

  #cards(known, unknown) {
    const letters = language() === "ru" ? "cyrillic" : "latin";
    return [...known.map((card) => cardFace(card, { letters, title: cardName(card) })), ...Array.from({ length: unknown }, () => cardBack())];
  }

  #played(element, seat, place, trick, table) {
    const play = counting(trick)?.plays.find((one) => one.seat === seat) ?? null;
    const best = trick?.best?.seat === seat;
    set(element, { "data-best": best, "data-kind": play?.kind });
    const key = play && [table.match, table.deal, trick.number, counting(trick).leader, play.kind, play.cards, play.count];
    const before = element.dataset.shown ?? "null";
    const now = JSON.stringify([key, language()]);
    if (before === now) return;
    const had = element.dataset.play ?? "";
    const has = JSON.stringify(key);
    if (had !== has && had !== "" && had !== "null") this.#leave(element, place, table);
    element.dataset.play = has;
    fill(element, [key, language()], () => (play === null ? [] : this.#open(play)));
    if (play !== null && had !== has && mayMove()) this.#arrive(element, place);
  }

  #open(play) {
    const letters = language() === "ru" ? "cyrillic" : "latin";
    const hidden = play.kind === "discard" || play.cards === null;
    if (hidden) return Array.from({ length: play.count }, () => cardBack());
    return play.cards.map((card) => cardFace(card, { letters, title: cardName(card) }));
  }

  #arrive(element, place) {
    const [x, y] = TOWARDS[place];
    for (const [number, card] of [...element.children].entries()) {
      card.animate([{ transform: `translate(${x * 140}%, ${y * 110}%)`, opacity: 0.2 }, {}], { duration: FLY, delay: number * 40, easing: "ease-out", fill: "backwards" });
    }
  }

  /** A play goes away: to whoever took the trick, or back to its owner when it does not count. */
  #leave(element, place, table) {
    if (!mayMove() || element.childElementCount === 0) return;
    const finished = this.#trick?.taker ?? null;
    const [x, y] = TOWARDS[finished === null ? place : placeOf(finished, table.seat)];
    const ghost = element.cloneNode(true);
    ghost.classList.add("ghost");
    ghost.setAttribute("aria-hidden", "true");
    delete ghost.dataset.best;
    this.element.append(ghost);
    const flight = ghost.animate([{}, { transform: `translate(${x * 220}%, ${y * 160}%)`, opacity: 0 }], { duration: FLY, easing: "ease-in" });
    flight.onfinish = () => ghost.remove();
    flight.oncancel = () => ghost.remove();
  }

  #say(trick, table) {
    fill(this.line, [trick?.need, trick?.taker, trick?.best?.seat, trick?.entitled, table.turn, language(), table.shown], () => this.#line(trick, table));
  }

  #line(trick, table) {
    const name = (seat) => (seat === table.seat ? t("You") : table.shown[seat]);
    if (trick === null) return "";
    if (trick.taker !== null) return trick.taker === table.seat ? t("You take the trick.") : t("{name} takes the trick.", { name: table.shown[trick.taker] });
    if (trick.need === null) return trick.entitled === table.seat ? t("You lead") : t("{name} leads", { name: table.shown[trick.entitled] });
    return tn("need {count} card · best: {name}", "need {count} cards · best: {name}", trick.need, { name: name(trick.best.seat) });
  }

  #talon(table) {
    const letters = language() === "ru" ? "cyrillic" : "latin";
    if (table.indicator === null) return [];
    const left = tn("{count} card in the stock", "{count} cards in the stock", table.stock);
    return [
      h("div", { class: "pile", "data-empty": table.stock === 0, title: left }, table.stock > 0 && cardBack(), h("span", { class: "count", "aria-label": left }, String(table.stock))),
      h(
        "div",
        { class: "trump-mark", title: t("Trump: {suit}", { suit: suitName(table.trump) }) },
        h("span", { class: "unseen" }, t("Trump: {suit}", { suit: suitName(table.trump) })),
        cardFace(table.indicator, { letters }),
        suitGlyph(table.trump),
      ),
    ];
  }
}

