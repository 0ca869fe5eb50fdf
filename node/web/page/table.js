/** The table while a match is played: felt, hand, buttons and sheet. */

import { Actions } from "./actions.js";
import { Clock } from "./clock.js";
import { Felt } from "./felt.js";
import { Hand } from "./hand.js";
import { Hint } from "./hint.js";
import { Messages } from "./messages.js";
import { h, say } from "./dom.js";
import { distinct } from "./model.js";
import { Sheet } from "./sheet.js";
import { Talk } from "./talk.js";

export class TableStage {
  #parts;
  #felt;
  #hand;
  #hint;
  #actions;
  #clock;
  #talk;
  #latest = h("p", { class: "latest", "aria-hidden": "true", dir: "auto" });
  #table = null;

  constructor(place, ask) {
    const redraw = () => this.#drawAll();
    this.#felt = new Felt(redraw);
    this.#hand = new Hand(() => this.#actions.draw(this.#table, this.#hand.chosen), (cards) => this.#actions.primary(cards));
    this.#hint = new Hint(ask, () => this.#hand.mark(this.#hint.cards));
    this.#actions = new Actions(async (kind, fields) => {
      const answer = await ask(kind, fields);
      if (answer.refused === null && kind === "play") this.#hand.clear();
      return answer;
    }, this.#hint.button);
    const messages = new Messages(ask);
    const sheet = new Sheet(ask);
    this.#clock = new Clock();
    this.#talk = new Talk(ask);
    this.#felt.element.append(...this.#talk.bubbles);
    this.#parts = [this.#felt, this.#hand, messages, sheet, this.#clock, this.#talk];
    const board = h("div", { class: "board", dir: "ltr" }, this.#felt.element, this.#latest, this.#felt.line, this.#hint.element, this.#hand.element);
    place.append(
      h("div", { class: "table" }, h("div", { class: "play" }, messages.element, board, this.#actions.element, this.#clock.element, this.#talk.element), sheet.element),
    );
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  draw(table) {
    this.#table = { ...table, shown: distinct(table.names) };
    this.#drawAll();
  }

  /** Show the newest line of the story, which a screen reader hears in full. */
  tell(lines) {
    const newest = lines.filter((line) => line !== "").at(-1);
    if (newest !== undefined) say(this.#latest, newest);
  }

  close() {
    document.removeEventListener("keydown", this.keys);
    this.#felt.close();
    this.#clock.close();
    this.#talk.close();
  }

  #drawAll() {
    if (this.#table === null) return;
    for (const part of this.#parts) part.draw(this.#table);
    this.#hint.draw(this.#table);
    this.#hand.mark(this.#hint.cards);
    this.#actions.draw(this.#table, this.#hand.chosen);
  }

  #key(event) {
    if (event.target.closest("input, select, textarea, dialog, summary") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (this.#hand.key(event) || this.#hint.key(event) || this.#actions.key(event, this.#hand.chosen)) event.preventDefault();
  }
}
