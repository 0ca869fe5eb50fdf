/** A table that waits for players: seats, the way to get here, and the word to begin. */

import { button, fill, h } from "./dom.js";
import { levelChoice, levelName } from "./levels.js";
import { distinct } from "./model.js";
import { Onlookers } from "./onlookers.js";
import { qrCode } from "./qr.js";
import { setting } from "./settings.js";
import { t, tn } from "./words.js";

export class GatheringStage {
  #ask;
  #place;
  #chosen = null;
  #onlookers = new Onlookers();

  constructor(place, ask) {
    this.#ask = ask;
    this.#place = h("div", { class: "gathering" });
    place.append(this.#place);
  }

  draw(gathering) {
    const key = [gathering, this.#chosen, document.documentElement.lang];
    this.#onlookers.draw(gathering.onlookers, false);
    fill(this.#place, key, () => [this.#seats(gathering), gathering.hosting && this.#invitation(gathering)]);
  }

  #seats(gathering) {
    const free = gathering.seats.filter((name) => name === null).length;
    return h(
      "section",
      { class: "box" },
      h("h2", {}, h("bdi", {}, gathering.table)),
      gathering.story.map((line) => h("p", { dir: "auto" }, line)),
      h("div", { class: "seats", dir: "ltr" }, [0, 1, 2, 3].map((seat) => this.#seat(gathering, seat))),
      this.#wishes(gathering),
      this.#hints(gathering).map((hint) => h("p", { class: "quiet" }, hint)),
      free > 0 && h("p", {}, tn("Waiting for one more player…", "Waiting for {count} more players…", free)),
      this.#onlookers.element,
      gathering.bots && levelChoice(),
      h("div", { class: "buttons" }, this.#buttons(gathering, free)),
    );
  }

  #hints({ hosting, story }) {
    if (story.length > 0) return [t("The match goes on by itself when all seats are taken.")];
    if (hosting) return [t("Tap two seats to let their players change places. Who sits opposite you is your partner.")];
    return [t("Tap the seat that you would like to have. Who sits opposite you is your partner."), t("The host begins when all seats are taken.")];
  }

  /** Who would like another seat: for the host with a button for each, for a guest the own wish. */
  #wishes({ hosting, seats, wishes }) {
    const names = distinct(seats.map((name) => name ?? ""));
    const asked = [0, 1, 2, 3].filter((seat) => wishes[seat] !== null && seats[wishes[seat]] !== null);
    return h(
      "div",
      { class: "wishes", role: "status" },
      asked.map((seat) => {
        const other = wishes[seat];
        if (!hosting) return h("p", {}, t("You have asked for {name}'s seat. If {name} asks for yours, or the host agrees, you change places.", { name: names[other] }));
        const agree = () => this.#ask("swap", { one: seat, other });
        return h(
          "p",
          { class: "message" },
          t("{name} would like {other}'s seat.", { name: names[seat], other: names[other] }),
          button(t("Let them change places"), agree, { class: "small", "data-focus": `wish ${seat}` }),
        );
      }),
    );
  }

  #seat(gathering, seat) {
    const name = gathering.seats[seat];
    const fixed = gathering.story.length > 0 || seat === gathering.hostSeat || (!gathering.hosting && gathering.seat === null);
    const choose = () => {
      if (!gathering.hosting) {
        this.#ask("wish", { seat });
        return;
      }
      if (this.#chosen === null || this.#chosen === seat) {
        this.#chosen = this.#chosen === seat ? null : seat;
        this.draw(gathering);
        return;
      }
      const one = this.#chosen;
      this.#chosen = null;
      this.#ask("swap", { one, other: seat });
    };
    const level = gathering.levels[seat];
    const owner = gathering.keptFor[seat];
    const own = seat === gathering.seat && h("small", {}, t("your seat"));
    const vacant = owner === null ? t("free") : t("kept for {name}", { name: owner });
    const content = name === null ? vacant : [name, level !== null && h("small", {}, levelName(level)), own];
    return button(content, choose, {
      class: ["seat", `at-${seat}`, name === null && "free"],
      disabled: fixed,
      "aria-pressed": String(gathering.hosting ? this.#chosen === seat : gathering.wishes[gathering.seat] === seat),
      "data-focus": `seat ${seat}`,
    });
  }

  #buttons(gathering, free) {
    const leave = button(gathering.hosting ? t("Close the table") : t("Leave"), () => this.#ask("leave"), { "data-focus": "leave" });
    if (!gathering.hosting) return [leave];
    return [
      gathering.held &&
        button(t("Begin"), () => this.#ask("begin"), { class: "main", disabled: free > 0, "data-focus": "begin" }),
      button(t("A bot takes a seat"), () => this.#ask("bot", { level: setting("level") }), { disabled: !gathering.bots, "data-focus": "bot" }),
      leave,
    ];
  }

  #invitation(gathering) {
    if (gathering.link === null || gathering.seats.every((name) => name !== null)) return null;
    const code = `${gathering.code.slice(0, 4)} ${gathering.code.slice(4)}`;
    const copy = () => navigator.clipboard?.writeText(gathering.link);
    return h(
      "section",
      { class: "box invite" },
      h("h2", {}, t("How the others get here")),
      h("p", {}, t("They see this table in their Kozel and type the code:")),
      h("p", { class: "code", dir: "ltr" }, code),
      h("p", {}, t("Or they use this link, as text or as a picture:")),
      h("p", { class: "link", dir: "ltr" }, gathering.link),
      button(t("Copy the link"), copy, { "data-focus": "copy" }),
      qrCode(gathering.qr, t("The link of the table as a QR code")),
      h("p", { class: "quiet" }, t("Addresses of this computer:"), " ", h("bdi", {}, gathering.addresses.join(", "))),
    );
  }
}
