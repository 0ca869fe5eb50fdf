/** The top of the page: the name of the game, language, and how the page looks and moves. */

import { button, fill, h } from "./dom.js";
import { qrCode } from "./qr.js";
import { choose, setting } from "./settings.js";
import { LANGUAGES, language, t } from "./words.js";

export class Bar {
  #place;
  #onLanguage;
  #onLook;

  constructor(place, onLanguage, onLook) {
    this.#place = place;
    this.#onLanguage = onLanguage;
    this.#onLook = onLook;
    this.draw();
  }

  draw(phone = null) {
    fill(this.#place, [language(), phone?.link], () => [
      h("h1", { class: "brand" }, h("img", { src: "goat.svg", alt: "", width: 28, height: 28 }), t("Kozel")),
      phone && h("details", { class: "menu" }, h("summary", {}, t("On a phone")), h("div", { class: "panel" }, this.#phone(phone))),
      h("details", { class: "menu" }, h("summary", {}, t("Settings")), h("div", { class: "panel" }, this.#rows())),
    ]);
  }

  #rows() {
    const names = Object.entries(LANGUAGES);
    return [
      this.#select(t("Language"), names, language(), this.#onLanguage),
      this.#choice(t("Deck"), "deck", [["two", t("Two colours")], ["four", t("Four colours")]]),
      this.#choice(t("Theme"), "theme", [["auto", t("As the system")], ["light", t("Light")], ["dark", t("Dark")]]),
      this.#choice(t("Contrast"), "contrast", [["normal", t("Normal")], ["high", t("High")]]),
      this.#choice(t("Motion"), "motion", [["auto", t("As the system")], ["full", t("On")], ["none", t("Off")]]),
      this.#choice(t("Sound"), "sound", [["off", t("Off")], ["on", t("On")]]),
      this.#choice(t("Hints"), "hints", [["off", t("Off")], ["on", t("On")]]),
      this.#choice(t("Hand sorted by"), "sort", [["suit", t("Suit")], ["strength", t("Strength")]]),
      button(t("Close"), (event) => event.target.closest("details").removeAttribute("open")),
    ];
  }

  #phone(phone) {
    return [
      qrCode(phone.qr, t("The link of this page as a QR code")),
      h("p", { class: "link", dir: "ltr" }, phone.link),
      h("p", {}, t("The phone trusts this computer, which knows your cards, and everybody on this network who could read along.")),
    ];
  }

  #choice(label, name, values) {
    return this.#select(label, values, setting(name), (value) => {
      choose(name, value);
      this.#onLook();
    });
  }

  #select(label, values, chosen, onchange) {
    const options = values.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
    return h("label", {}, label, h("select", { onchange: (event) => onchange(event.target.value) }, options));
  }
}
