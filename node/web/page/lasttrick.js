/** The last trick as everybody may see it again: discards stay face down. */

import { cardBack, cardFace } from "./cards.js";
import { h } from "./dom.js";
import { cardName, counting } from "./model.js";
import { language, t } from "./words.js";

/** What is shown of the last trick of a table; nothing before there is one. */
export function lastTrick(table) {
  const branch = counting(table.last);
  if (branch === null) return [];
  const letters = language() === "ru" ? "cyrillic" : "latin";
  const cards = (play) =>
    play.cards !== null && play.kind !== "discard"
      ? play.cards.map((card) => cardFace(card, { letters, title: cardName(card) }))
      : Array.from({ length: play.count }, () => cardBack());
  return h(
    "details",
    {},
    h("summary", {}, t("Last trick")),
    branch.plays.map((play) => h("div", { class: "line" }, h("bdi", {}, table.shown[play.seat]), h("span", { class: "mini" }, cards(play)))),
  );
}
