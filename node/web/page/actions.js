/** The buttons under the hand: what can be done with the lifted cards, and what else there is to do. */

import { button, fill, h } from "./dom.js";
import { claimOf, kindsOf, playsOf } from "./model.js";
import { language, t, tn } from "./words.js";

/** What the table waits for, in words. */
export function waitingLine(table) {
  if (table.over) return "";
  if (table.stage !== null) {
    const { text, done, all } = table.stage;
    return done === 0 ? `${text}…` : t("{work}… {done} of {all}", { work: text, done, all });
  }
  if (table.turn === null || table.turn === table.seat) return t("One moment…");
  return t("Waiting for {name}…", { name: table.shown[table.turn] });
}

export class Actions {
  element = h("div", { class: "actions" });
  #ask;
  #hint;
  #table = null;

  /** `hint` is an element that stands among the buttons. */
  constructor(ask, hint) {
    this.#ask = ask;
    this.#hint = hint;
  }

  draw(table, chosen) {
    if (table === null) return;
    this.#table = table;
    this.element.dataset.need = table.trick?.need ?? 1;
    const key = [table.legal, chosen, table.trick?.need, table.turn, table.stage, table.standIn, table.over, table.phase, language()];
    fill(this.element, key, () => this.#buttons(table, chosen));
  }

  /** Play these cards in the most natural way. */
  primary(cards) {
    const kind = playsOf(this.#table, cards)[0]?.kind ?? kindsOf(this.#table)[0];
    if (kind) this.#play(kind, cards);
  }

  /** Enter plays, D discards, B beats, M claims. Tells whether the key was for a button here. */
  key(event, chosen) {
    if (this.#table === null || event.target.closest(".actions")) return false;
    const kinds = kindsOf(this.#table);
    const letter = { b: "beat", d: "discard", l: "lead" }[event.key.toLowerCase()];
    if (event.key === "Enter" && chosen.length > 0) this.primary(chosen);
    else if (letter !== undefined && kinds.includes(letter)) this.#play(letter, chosen);
    else if (event.key.toLowerCase() === "m" && claimOf(this.#table)) this.#claim();
    else return false;
    return true;
  }

  #buttons(table, chosen) {
    const possible = playsOf(table, chosen).map((play) => play.kind);
    const made = kindsOf(table).map((kind) =>
      button(this.#label(kind, table.trick?.need), () => this.#play(kind, chosen), {
        class: ["act", possible.includes(kind) ? "main" : "unfit"],
        "data-focus": kind,
        "data-kind": kind,
      }),
    );
    if (claimOf(table)) made.push(button(t("Molodka!"), () => this.#claim(), { class: "act claim", "data-focus": "claim", "data-kind": "molodka" }));
    if (made.length === 0) made.push(h("p", { class: "quiet" }, waitingLine(table)));
    if (!table.over) made.push(this.#hint, this.#standIn(table));
    return made;
  }

  #label(kind, need) {
    if (kind === "lead") return t("Lead");
    if (kind === "beat") return tn("Beat with {count} card", "Beat with {count} cards", need);
    return tn("Discard {count} card", "Discard {count} cards", need);
  }

  #standIn(table) {
    const text = table.standIn ? t("I play again myself") : t("Let a bot play for me");
    return button(text, () => this.#ask("stand-in", { on: !table.standIn }), { class: "small", "data-focus": "stand-in" });
  }

  #play(kind, cards) {
    return this.#ask("play", { kind, cards });
  }

  #claim() {
    const { kind, cards } = claimOf(this.#table);
    return this.#play(kind, cards);
  }
}
