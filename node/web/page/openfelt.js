/** The felt with all four hands face up: one moment of a finished deal, as anybody may see it afterwards. */

import { cardBack, cardFace, suitGlyph } from "./cards.js";
import { fill, h, set } from "./dom.js";
import { cardName, counting, placeOf, sorted, suitName, teamOf } from "./model.js";
import { pairName } from "./retold.js";
import { mayMove } from "./settings.js";
import { language, t, tn } from "./words.js";

const FLY = 260;
const SEATS = [0, 1, 2, 3];
/** Whence a card flies to the middle, by place. */
const FROM = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
];

export class OpenFelt {
  element;
  #names;
  #me;
  #hands = SEATS.map((place) => h("div", { class: ["open-seat", `place-${place}`] }));
  #plays = SEATS.map((place) => h("div", { class: ["open-play", `place-${place}`] }));
  #talon = h("div", { class: "open-talon" });
  #outcome = h("div", { class: "open-outcome" });
  #tally = h("div", { class: "open-tally" });

  /** `me` is the seat from which the table is seen, below. */
  constructor(names, me) {
    this.#names = names;
    this.#me = me;
    const middle = h("div", { class: "open-middle" }, ...this.#plays, this.#outcome);
    const felt = h("div", { class: "open-felt", dir: "ltr" }, this.#talon, ...this.#hands, middle);
    this.element = h("div", { class: "open-board" }, this.#tally, felt);
  }

  /** Draw a moment; `result` are the points of the pairs when the deal is over, `flies` lets a new play move. */
  draw(table, result, flies) {
    for (const seat of SEATS) {
      const place = placeOf(seat, this.#me);
      this.#hand(this.#hands[place], seat, table);
      this.#play(this.#plays[place], seat, place, table, flies);
    }
    fill(this.#talon, [table.stock, table.indicator], () => this.#stock(table));
    fill(this.#tally, [table.taken, table.points], () => this.#pairs().map((team) => this.#score(team, table)));
    fill(this.#outcome, result, () => (result === null ? [] : this.#pairs().map((team) => this.#end(team, result))));
  }

  #pairs() {
    return [teamOf(this.#me), 1 - teamOf(this.#me)];
  }

  #hand(element, seat, table) {
    const hand = table.hands[seat];
    const name = this.#names[seat];
    set(element, { "data-turn": table.turn === seat, "data-team": teamOf(seat) === teamOf(this.#me) ? "we" : "they", "data-seat": seat });
    fill(element, [hand, table.dealer === seat, table.trump], () => [
      h(
        "div",
        { class: "plate" },
        h("bdi", { class: "name", title: name }, name),
        table.dealer === seat && h("span", { class: "badge", title: t("dealt this deal") }, t("dealer")),
      ),
      h("div", { class: "open-cards", role: "group", "aria-label": name }, this.#cards(sorted(hand.known, table.trump), hand.unknown)),
    ]);
  }

  #cards(known, unknown) {
    const letters = language() === "ru" ? "cyrillic" : "latin";
    return [
      ...known.map((card) => cardFace(card, { letters, title: cardName(card) })),
      ...Array.from({ length: unknown }, () => cardBack({ title: t("a card that nobody was ever shown") })),
    ];
  }

  #play(element, seat, place, { trick, deal }, flies) {
    const branch = counting(trick);
    const play = branch?.plays.find((one) => one.seat === seat) ?? null;
    const key = play && [deal, trick.number, branch.leader, play];
    const isNew = element.dataset.shown !== JSON.stringify(key);
    const claimed = play?.kind === "molodka";
    set(element, { "data-best": trick?.best?.seat === seat, "data-taker": trick !== null && trick.taker === seat, "data-kind": play?.kind });
    fill(element, key, () =>
      play === null ? [] : [this.#cards(play.cards ?? [], play.cards === null ? play.count : 0), claimed && h("span", { class: "badge" }, t("Molodka!"))].flat(),
    );
    if (play !== null && isNew && flies && mayMove()) this.#arrive(element, place);
  }

  #arrive(element, place) {
    const [x, y] = FROM[place];
    for (const card of element.children) {
      card.animate([{ transform: `translate(${x * 120}%, ${y * 90}%)`, opacity: 0.2 }, {}], { duration: FLY, easing: "ease-out" });
    }
  }

  #stock({ stock, indicator, trump }) {
    const letters = language() === "ru" ? "cyrillic" : "latin";
    const left = tn("{count} card in the stock", "{count} cards in the stock", stock);
    const named = t("Trump: {suit}", { suit: suitName(trump) });
    return [
      h("div", { class: "trump-mark", title: named }, h("span", { class: "unseen" }, named), cardFace(indicator, { letters }), suitGlyph(trump)),
      h("div", { class: "pile", title: left, "data-empty": stock === 0 }, stock > 0 && cardBack(), h("span", { class: "count", role: "img", "aria-label": left }, String(stock))),
    ];
  }

  #score(team, { taken, points }) {
    const said = [tn("{count} trick", "{count} tricks", taken[team]), tn("{count} point", "{count} points", points[team])];
    return h(
      "p",
      { "data-team": team === teamOf(this.#me) ? "we" : "they" },
      h("span", { class: "name" }, pairName(this.#names, team)),
      h("span", { class: "open-count" }, said[0]),
      h("span", { class: "open-count" }, said[1]),
    );
  }

  #end(team, points) {
    return h("p", {}, h("strong", {}, String(points[team])), h("span", {}, pairName(this.#names, team)));
  }
}
