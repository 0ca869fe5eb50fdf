/** Phrases across the table: a menu of them, and what was said beside its speaker for a while. */

import { button, fill, h, say } from "./dom.js";
import { placeOf } from "./model.js";
import { language, t } from "./words.js";

/** Milliseconds for which a phrase is shown. */
const SHOWN = 4000;

export class Talk {
  element = h("details", { class: "talk" });
  bubbles = [0, 1, 2, 3].map((place) => h("p", { class: ["bubble", `place-${place}`], dir: "auto" }));
  #ask;
  #heard = null;
  #timers = [0, 0, 0, 0];

  constructor(ask) {
    this.#ask = ask;
  }

  draw(table) {
    fill(this.element, [table.phrases, language()], () => [
      h("summary", {}, t("Say something")),
      h("div", { class: "phrases" }, table.phrases.map((text, phrase) => button(text, () => this.#say(phrase), { class: "small", dir: "auto" }))),
    ]);
    const counts = new Map(table.said.map((one) => [one.seat, one.count]));
    for (const { seat, count, text } of this.#heard === null ? [] : table.said) {
      if (this.#heard.get(seat) !== count) this.#show(placeOf(seat, table.seat), text);
    }
    this.#heard = counts;
  }

  close() {
    this.#timers.forEach(clearTimeout);
  }

  async #say(phrase) {
    this.element.open = false;
    await this.#ask("say", { phrase });
  }

  #show(place, text) {
    clearTimeout(this.#timers[place]);
    say(this.bubbles[place], text);
    this.#timers[place] = setTimeout(() => say(this.bubbles[place], ""), SHOWN);
  }
}
