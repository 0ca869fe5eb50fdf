/** A table that waits for players: seats, the way to get here, and the word to begin. */

import { button, fill, h } from "./dom.js";
import { levelChoice, levelName } from "./levels.js";
import { qrCode } from "./qr.js";
import { setting } from "./settings.js";
import { t, tn } from "./words.js";

export class GatheringStage {
  #ask;
  #place;
  #chosen = null;

  constructor(place, ask) {
    this.#ask = ask;
    this.#place = h("div", { class: "gathering" });
    place.append(this.#place);
  }

  draw(gathering) {
    const key = [gathering, this.#chosen, document.documentElement.lang];
    fill(this.#place, key, () => [this.#seats(gathering), gathering.hosting && this.#invitation(gathering)]);
  }

  #seats(gathering) {
    const free = gathering.seats.filter((name) => name === null).length;
    const hint = gathering.hosting
      ? t("Tap two seats to let their players change places. Who sits opposite you is your partner.")
      : t("The host begins when all seats are taken.");
    return h(
      "section",
      { class: "box" },
      h("h2", {}, h("bdi", {}, gathering.table)),
      h("div", { class: "seats", dir: "ltr" }, [0, 1, 2, 3].map((seat) => this.#seat(gathering, seat))),
      h("p", { class: "quiet" }, hint),
      free > 0 && h("p", {}, tn("Waiting for one more player…", "Waiting for {count} more players…", free)),
      gathering.hosting && free > 0 && levelChoice(),
      h("div", { class: "buttons" }, this.#buttons(gathering, free)),
    );
  }

  #seat(gathering, seat) {
    const name = gathering.seats[seat];
    const movable = gathering.hosting && seat !== gathering.seat;
    const choose = () => {
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
    const content = name === null ? t("free") : [name, level !== null && h("small", {}, levelName(level))];
    return button(content, choose, {
      class: ["seat", `at-${seat}`, name === null && "free"],
      disabled: !movable,
      "aria-pressed": String(this.#chosen === seat),
      "data-focus": `seat ${seat}`,
    });
  }

  #buttons(gathering, free) {
    const leave = button(gathering.hosting ? t("Close the table") : t("Leave"), () => this.#ask("leave"), { "data-focus": "leave" });
    if (!gathering.hosting) return [leave];
    return [
      gathering.held &&
        button(t("Begin"), () => this.#ask("begin"), { class: "main", disabled: free > 0, "data-focus": "begin" }),
      button(t("A bot takes a seat"), () => this.#ask("bot", { level: setting("level") }), { disabled: free === 0, "data-focus": "bot" }),
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
