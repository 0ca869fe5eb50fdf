/** The reader's own cards: a tap lifts them, arrows move among them. */

import { cardFace } from "./cards.js";
import { h, set } from "./dom.js";
import { cardName, isUsable, sorted } from "./model.js";
import { mayMove } from "./settings.js";
import { language, t } from "./words.js";

const SWIPE = 40;

export class Hand {
  element = h("div", { class: "hand", role: "group" });
  chosen = [];
  #cards = new Map();
  #onChoice;
  #onPlay;
  #look = "";

  /** `onChoice()` after cards were lifted or laid down, `onPlay(cards)` when they are to be played at once. */
  constructor(onChoice, onPlay) {
    this.#onChoice = onChoice;
    this.#onPlay = onPlay;
  }

  draw(table) {
    const look = language();
    if (look !== this.#look) {
      this.#cards.clear();
      this.#look = look;
    }
    this.element.setAttribute("aria-label", t("Your hand"));
    const held = sorted(table.hands[table.seat].known, table.trump);
    this.element.dataset.cards = held.join(" ");
    this.chosen = this.chosen.filter((card) => held.includes(card));
    for (const card of [...this.#cards.keys()]) {
      if (!held.includes(card)) this.#cards.delete(card);
    }
    const before = this.#places();
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    const wanted = held.map((card) => this.#button(card, table));
    if (wanted.some((one, place) => this.element.children[place] !== one) || this.element.childElementCount !== wanted.length) {
      this.element.replaceChildren(...wanted);
      focused?.isConnected && focused.focus();
      this.#glide(before);
    }
  }

  /** Outline the cards that are advised: none is lifted by that. */
  mark(cards) {
    for (const [card, made] of this.#cards) {
      const advised = cards.includes(card);
      set(made, { "data-advised": advised, "aria-description": advised && t("advised") });
    }
  }

  /** Lay all cards down. */
  clear() {
    this.chosen = [];
    this.#lift();
    this.#onChoice();
  }

  /** Arrows, Home and End move; Escape lays down. Tells whether the key was for the hand. */
  key(event) {
    if (event.key === "Escape" && this.chosen.length > 0) {
      this.clear();
      return true;
    }
    const cards = [...this.element.children];
    const place = cards.indexOf(document.activeElement);
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (!(event.key in steps) || cards.length === 0) return false;
    const next = place < 0 ? 0 : (place + steps[event.key] + cards.length) % cards.length;
    cards[next].focus();
    return true;
  }

  #button(card, table) {
    let made = this.#cards.get(card);
    if (made === undefined) {
      made = this.#make(card);
      this.#cards.set(card, made);
    }
    const usable = table.legal.length === 0 || isUsable(table, card);
    set(made, { class: ["own", this.chosen.includes(card) && "lifted", !usable && "useless", card[1] === table.trump && "trump"] });
    set(made, { "aria-pressed": String(this.chosen.includes(card)) });
    return made;
  }

  #make(card) {
    const letters = language() === "ru" ? "cyrillic" : "latin";
    const made = h(
      "button",
      { type: "button", "data-card": card, "aria-label": cardName(card) },
      cardFace(card, { letters }),
    );
    made.addEventListener("click", () => this.#toggle(card));
    made.addEventListener("dblclick", () => this.#onPlay([card]));
    made.addEventListener("pointerdown", (event) => this.#swipe(event, card));
    return made;
  }

  #toggle(card) {
    this.chosen = this.chosen.includes(card) ? this.chosen.filter((one) => one !== card) : [...this.chosen, card];
    this.#lift();
    this.#onChoice();
  }

  #lift() {
    for (const [card, made] of this.#cards) {
      made.classList.toggle("lifted", this.chosen.includes(card));
      made.setAttribute("aria-pressed", String(this.chosen.includes(card)));
    }
  }

  #swipe(down, card) {
    const up = (event) => {
      if (down.clientY - event.clientY < SWIPE) return;
      const cards = this.chosen.includes(card) ? this.chosen : [card];
      this.#onPlay(cards);
    };
    window.addEventListener("pointerup", up, { once: true });
  }

  #places() {
    return new Map([...this.element.children].map((one) => [one, one.getBoundingClientRect().left]));
  }

  #glide(before) {
    if (!mayMove()) return;
    for (const one of this.element.children) {
      const here = one.getBoundingClientRect().left;
      const shift = before.has(one) ? before.get(one) - here : 0;
      const from = before.has(one) ? `translateX(${shift}px)` : "translateY(60px)";
      if (shift || !before.has(one)) one.animate([{ transform: from }, {}], { duration: 220, easing: "ease-out" });
    }
  }
}
