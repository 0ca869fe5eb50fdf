/** A clock that only reminds: how long a play has been waited for, and that a bot could play. */

import { h, say, set } from "./dom.js";
import { knock } from "./sound.js";
import { t } from "./words.js";

/** Seconds after which it says something, and after which it offers help. */
const QUIET = 15;
const LONG = 45;

export class Clock {
  element = h("p", { class: "clock", role: "timer" });
  #table = null;
  #key = "";
  #since = 0;
  #timer = setInterval(() => this.#tick(), 1000);

  draw(table) {
    this.#table = table;
    const waits = table.over || table.stage !== null ? null : table.turn;
    const key = JSON.stringify([table.match, table.deal, table.trick?.number, waits]);
    if (key !== this.#key) {
      this.#key = key;
      this.#since = Date.now();
      if (waits !== null && waits === table.seat && !table.standIn) knock();
    }
    this.#tick();
  }

  close() {
    clearInterval(this.#timer);
  }

  #tick() {
    const table = this.#table;
    const seconds = Math.floor((Date.now() - this.#since) / 1000);
    const quiet = table === null || table.over || table.stage !== null || table.turn === null || seconds < QUIET;
    const mine = table?.turn === table?.seat;
    set(this.element, { "data-long": !quiet && mine && seconds >= LONG });
    if (quiet) say(this.element, "");
    else if (!mine) say(this.element, t("{name} has been thinking for {seconds} s.", { name: table.shown[table.turn], seconds }));
    else if (seconds < LONG) say(this.element, t("It is your turn: {seconds} s.", { seconds }));
    else say(this.element, t("It is your turn: {seconds} s. Take your time, or let a bot play for you.", { seconds }));
  }
}
