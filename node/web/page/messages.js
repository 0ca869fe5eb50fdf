/** What stands above the table: a proven cheat, who is missing, and what can be done about it. */

import { button, fill, h } from "./dom.js";
import { language, t } from "./words.js";

export class Messages {
  element = h("div", { class: "messages", "aria-live": "polite" });
  #ask;

  constructor(ask) {
    this.#ask = ask;
  }

  draw(table) {
    const { verdict, absent, overdue, gone, lost, returning, standIn, over, changed } = table;
    fill(this.element, [verdict, absent, overdue, gone, lost, returning, standIn, over, changed, language()], () => this.#lines(table));
  }

  #lines(table) {
    const name = (seat) => table.shown[seat];
    const lines = [];
    const add = (text, kind = "", ...buttons) => lines.push(h("p", { class: ["message", kind] }, text, ...buttons));
    if (table.verdict !== null) {
      add(t("The match is stopped: a cheat is proven."), "alarm");
      add(table.verdict.sentence, "alarm");
      return lines;
    }
    if (table.over) return lines;
    for (const line of table.changed) add(line);
    if (table.returning) add(t("Back at the table. Nothing is played before the others have answered."));
    for (const seat of table.absent) {
      if (seat !== table.lost) add(t("{name}'s computer does not answer. Nothing is lost, the match waits for it.", { name: name(seat) }));
    }
    table.gone.forEach((seat, voter) => {
      if (seat !== null && table.lost === null) {
        if (seat === table.seat) add(t("{voter} says that you are gone. Play, and show them.", { voter: name(voter) }));
        else if (voter !== table.seat) add(t("{voter} says that {name} is gone.", { voter: name(voter), name: name(seat) }));
      }
    });
    const named = table.gone.filter((seat) => seat !== null && seat !== table.seat);
    const asked = table.seat !== null && table.lost === null && table.gone[table.seat] === null ? new Set([...table.overdue, ...named]) : [];
    for (const seat of asked) {
      add(
        t("If the three of you agree, this deal is played to its end without {name}.", { name: name(seat) }),
        "",
        button(t("Play on without {name}", { name: name(seat) }), () => this.#ask("gone", { seat }), { class: "small" }),
      );
    }
    if (table.lost !== null && table.lost === table.seat) add(t("The others play this deal without you. From the next deal on the seat is yours again."));
    else if (table.lost !== null) add(t("{name}'s cards lie open now; a fixed rule plays them until this deal is over.", { name: name(table.lost) }));
    if (table.standIn) add(t("A bot plays for you."));
    return lines;
  }
}
