/** A hint when it is the reader's turn: asked for, thought out by the node, shown until the table changes. */

import { button, fill, h, set } from "./dom.js";
import { kindsOf } from "./model.js";
import { setting } from "./settings.js";
import { language, t } from "./words.js";

export class Hint {
  /** What is advised; a screen reader hears it. */
  element = h("div", { class: "hint-place", role: "status" });
  button = h("span", { class: "hint-button" });
  #ask;
  #onChange;
  #table = null;
  #moment = "";
  #shown = null;
  #asked = 0;
  #thinking = false;

  /** `onChange()` is called when other cards than before are advised. */
  constructor(ask, onChange) {
    this.#ask = ask;
    this.#onChange = onChange;
  }

  /** The cards that are advised now. */
  get cards() {
    return this.#shown?.cards ?? [];
  }

  draw(table) {
    this.#table = table;
    const moment = JSON.stringify([table.match, table.deal, table.trick, table.hands, table.legal]);
    if (moment !== this.#moment || !this.#offered) this.#forget();
    this.#moment = moment;
    this.#show();
  }

  /** H asks for a hint, or puts it away. Tells whether the key was for it. */
  key(event) {
    if (event.key.toLowerCase() !== "h" || !this.#offered) return false;
    this.#toggle();
    return true;
  }

  /** Whether there is anything to advise, to a reader who wants that. */
  get #offered() {
    const table = this.#table;
    if (table === null || setting("hints") !== "on" || table.standIn || table.over) return false;
    return table.turn === table.seat && kindsOf(table).length > 0;
  }

  #forget() {
    this.#shown = null;
    this.#thinking = false;
    this.#asked += 1;
  }

  #show() {
    fill(this.button, [this.#offered, this.#thinking, this.#shown !== null, language()], () => this.#made());
    fill(this.element, [this.#shown, language()], () => this.#lines());
  }

  #made() {
    if (!this.#offered) return [];
    const text = this.#thinking ? t("Thinking…") : this.#shown === null ? t("Hint") : t("Hide the hint");
    return [button(text, () => this.#toggle(), { class: "small", "data-focus": "hint", "aria-keyshortcuts": "H", "aria-busy": String(this.#thinking), "aria-disabled": this.#thinking && "true" })];
  }

  #lines() {
    if (this.#shown === null) return [];
    const { sentence, details } = this.#shown;
    const [heading, ...lines] = details;
    const figures = lines.length > 1 && h("details", {}, h("summary", {}, t("Figures")), h("p", { class: "quiet" }, heading), h("ul", {}, lines.map((line) => h("li", {}, line))));
    return h("div", { class: "hint", dir: "auto" }, h("p", {}, sentence), figures);
  }

  async #toggle() {
    if (this.#thinking) return;
    if (this.#shown !== null) {
      this.#forget();
      this.#show();
      this.#onChange();
      return;
    }
    this.#thinking = true;
    this.#show();
    const asked = ++this.#asked;
    const { refused, value } = await this.#ask("hint");
    // A hint for a table that has changed is worth nothing.
    if (asked !== this.#asked) return;
    this.#thinking = false;
    if (refused === null && value !== null) this.#shown = value;
    this.#show();
    this.#onChange();
  }
}
