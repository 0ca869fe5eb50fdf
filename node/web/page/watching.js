/** A table that is watched without a seat: the felt as everybody sees it, and nothing that could be played. */

import { waitingLine } from "./actions.js";
import { Clock } from "./clock.js";
import { button, fill, h, say } from "./dom.js";
import { Felt } from "./felt.js";
import { Messages } from "./messages.js";
import { distinct } from "./model.js";
import { isolated } from "./retold.js";
import { language, t } from "./words.js";
import { WatchSheet } from "./watchsheet.js";

/** What a player's picture has, and one for everybody has not: it is for nobody here to know or to do. */
const NOBODYS = { absent: [], overdue: [], changed: [], returning: false, standIn: false };

export class WatchingStage {
  #ask;
  #felt = new Felt(() => this.#drawTable());
  #messages;
  #clock = new Clock();
  #sheet = new WatchSheet();
  #head = h("div", { class: "watched" });
  #board;
  #waiting = h("p", { class: "waiting quiet" });
  #latest = h("p", { class: "latest", "aria-hidden": "true", dir: "auto" });
  #table = null;

  constructor(place, ask) {
    this.#ask = ask;
    this.#messages = new Messages(ask);
    this.#board = h("div", { class: "board", dir: "ltr" }, this.#felt.element, this.#latest, this.#felt.line);
    const play = h("div", { class: "play" }, this.#head, this.#messages.element, this.#board, this.#clock.element, this.#waiting);
    place.append(h("div", { class: "table watching" }, play, this.#sheet.element));
  }

  draw(watching) {
    const { table, host, match } = watching;
    fill(this.#head, [table, host, match === null, language()], () => [
      h(
        "div",
        {},
        h("p", {}, t("You watch the table “{table}”, host {host}.", { table: isolated(table), host: isolated(host) })),
        match === null && h("p", { class: "quiet" }, t("The match has not begun yet.")),
      ),
      button(t("Leave"), () => this.#ask("leave"), { "data-focus": "leave" }),
    ]);
    this.#board.hidden = match === null;
    this.#sheet.element.hidden = match === null;
    this.#table = match === null ? null : { ...NOBODYS, ...match, shown: distinct(match.names) };
    this.#drawTable();
  }

  /** Show new lines of the story, which a screen reader hears in full. */
  tell(lines) {
    const newest = lines.filter((line) => line !== "").at(-1);
    if (newest === undefined) return;
    say(this.#latest, newest);
    this.#sheet.tell(lines);
    this.#drawTable();
  }

  close() {
    this.#felt.close();
    this.#clock.close();
  }

  #drawTable() {
    if (this.#table === null) return;
    for (const part of [this.#felt, this.#messages, this.#clock, this.#sheet]) part.draw(this.#table);
    say(this.#waiting, waitingLine(this.#table));
  }
}
