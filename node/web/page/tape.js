/** A replay as a tape: the felt, what happened in words, and buttons that move through the steps. */

import { button, fill, h, say, set } from "./dom.js";
import { teamOf } from "./model.js";
import { OpenFelt } from "./openfelt.js";
import { pairName, retold } from "./retold.js";
import { language, t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
/** Milliseconds between two steps. */
const PACE = 1000;

/** Signs of the buttons, as lines in a box of 24 by 24. */
const SIGNS = {
  first: "M4 5v14M20 12H8.5M14 6l-6 6l6 6",
  "previous-deal": "M19.5 5.5L13 12l6.5 6.5M12.5 5.5L6 12l6.5 6.5M4 5v14",
  "previous-trick": "M18.5 5.5L12 12l6.5 6.5M11 5.5L4.5 12l6.5 6.5",
  "previous-step": "M15 5.5L8.5 12l6.5 6.5",
  play: "M8 5l11 7l-11 7z",
  pause: "M8.5 5v14M15.5 5v14",
  "next-step": "M9 5.5l6.5 6.5L9 18.5",
  "next-trick": "M5.5 5.5L12 12l-6.5 6.5M13 5.5l6.5 6.5l-6.5 6.5",
  "next-deal": "M4.5 5.5L11 12l-6.5 6.5M11.5 5.5L18 12l-6.5 6.5M20 5v14",
};

const before = (marks, at) => marks.findLast((mark) => mark < at) ?? 0;
const after = (marks, at, last) => marks.find((mark) => mark > at) ?? last;

/** All steps of all deals in one row, and where in it deals and tricks begin and end. */
function timeline(deals) {
  const row = { steps: [], deals: [], ends: [], tricks: [] };
  for (const [deal, { steps, starts }] of deals.entries()) {
    const begin = row.steps.length;
    let table = {};
    for (const { text, now } of steps) {
      table = { ...table, ...now };
      row.steps.push({ deal, text, table });
    }
    row.deals.push(begin);
    row.ends.push(row.steps.length - 1);
    row.tricks.push(...starts.map((place) => begin + place), row.steps.length - 1);
  }
  return row;
}

function sign(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", SIGNS[name]);
  svg.append(path);
  return set(svg, { viewBox: "0 0 24 24", "aria-hidden": "true" });
}

/** Felt, words and buttons in `element`; the deals with their results in `list`. */
export class Tape {
  element = h("div", { class: "tape" });
  list = h("div", { class: "tape-deals" });
  #match;
  #row;
  #at = 0;
  #felt;
  #timer = 0;
  #words = h("p", { class: "tape-words", role: "status", "aria-live": "polite" });
  #place = h("p", { class: "tape-place quiet" });
  #slider = h("input", { type: "range", min: 0, step: 1, list: "tape-tricks", "aria-label": t("Step of the deal") });
  #marks = h("datalist", { id: "tape-tricks" });
  #buttons = new Map();

  /** `match` as the node tells it, with at least one deal. */
  constructor(match) {
    this.#match = match;
    this.#row = timeline(match.deals);
    this.#felt = new OpenFelt(match.names, match.seat);
    this.#slider.addEventListener("input", () => this.#seek(this.#row.deals[this.#deal] + Number(this.#slider.value)));
    const track = h("div", { class: "tape-track", dir: "ltr" }, this.#slider, this.#marks);
    const buttons = h("div", { class: "tape-buttons", dir: "ltr", role: "group", "aria-label": t("Replay") }, this.#controls());
    this.element.append(this.#felt.element, h("div", { class: "tape-foot" }, this.#words, this.#place, track, buttons));
  }

  /** Show the first step, with the focus on the button that plays. */
  begin() {
    this.#draw(false);
    this.#buttons.get("play").focus({ preventScroll: true });
  }

  /** Go where a button of that name, or "deal-begin" or "deal-end", leads. */
  move(name) {
    const { deals, ends, tricks, steps } = this.#row;
    const [at, last] = [this.#at, steps.length - 1];
    const places = {
      first: 0,
      "previous-deal": before(deals, at),
      "previous-trick": before(tricks, at),
      "previous-step": Math.max(at - 1, 0),
      "next-step": Math.min(at + 1, last),
      "next-trick": after(tricks, at, last),
      "next-deal": after(deals, at, last),
      "deal-begin": before(deals, at),
      "deal-end": after(ends, at, last),
    };
    this.#seek(places[name]);
  }

  /** Play from here, from the beginning if this is the end; or stop. */
  toggle() {
    if (this.#timer !== 0) {
      this.stop();
      return;
    }
    this.#timer = setInterval(() => this.#tick(), PACE);
    this.#at = this.#isLast ? 0 : this.#at + 1;
    this.#draw(true);
  }

  /** Play no further. */
  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#draw(false);
  }

  get #deal() {
    return this.#row.steps[this.#at].deal;
  }

  get #isLast() {
    return this.#at === this.#row.steps.length - 1;
  }

  #tick() {
    if (this.#isLast) {
      this.stop();
      return;
    }
    this.#at += 1;
    this.#draw(true);
  }

  #seek(place) {
    const flies = place === this.#at + 1;
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#at = place;
    this.#draw(flies);
  }

  #draw(flies) {
    const { deal, text, table } = this.#row.steps[this.#at];
    const begin = this.#row.deals[deal];
    const end = this.#row.ends[deal];
    const over = this.#at === end;
    this.#felt.draw(table, over ? this.#match.deals[deal].points : null, flies);
    this.element.dataset.step = this.#at;
    fill(this.#words, text, () => retold(text, this.#match.names));
    const number = deal + 1;
    say(this.#place, over ? t("Deal {deal}, the outcome", { deal: number }) : t("Deal {deal}, trick {trick}", { deal: number, trick: table.trick.number + 1 }));
    fill(this.#marks, deal, () => this.#match.deals[deal].starts.map((value) => h("option", { value })));
    set(this.#slider, { max: end - begin, "aria-valuetext": t("Step {step} of {count}", { step: this.#at - begin + 1, count: end - begin + 1 }) });
    this.#slider.value = this.#at - begin;
    this.#enable();
    this.#deals(deal);
  }

  #enable() {
    const playing = this.#timer !== 0;
    for (const [name, made] of this.#buttons) {
      const idle = name === "play" ? false : name.startsWith("next") ? this.#isLast : this.#at === 0;
      set(made, { "aria-disabled": idle && "true" });
    }
    const play = this.#buttons.get("play");
    const label = playing ? t("Pause") : t("Play the replay");
    fill(play, playing, () => sign(playing ? "pause" : "play"));
    set(play, { "aria-label": label, title: label, "data-playing": playing });
  }

  #controls() {
    const make = (name, label, caption) => {
      const act = name === "play" ? () => this.toggle() : () => this.move(name);
      const made = button("", act, { "aria-label": label, title: label, "data-move": name });
      made.replaceChildren(sign(name), ...(caption ? [h("span", { class: "caption", "aria-hidden": "true" }, caption)] : []));
      this.#buttons.set(name, made);
      return made;
    };
    return [
      make("first", t("To the beginning"), t("beginning")),
      make("previous-deal", t("Previous deal"), t("deal")),
      make("previous-trick", t("Previous trick"), t("trick")),
      make("previous-step", t("Previous step"), t("step")),
      make("play", t("Play the replay"), ""),
      make("next-step", t("Next step"), t("step")),
      make("next-trick", t("Next trick"), t("trick")),
      make("next-deal", t("Next deal"), t("deal")),
    ];
  }

  #deals(current) {
    fill(this.list, [current, language()], () => {
      const { deals, names, seat } = this.#match;
      const us = teamOf(seat);
      const both = (pair) => h("td", {}, h("bdi", { dir: "ltr" }, `${pair[us]} : ${pair[1 - us]}`));
      const rows = deals.map((deal, number) => {
        const go = button(String(number + 1), () => this.#seek(this.#row.deals[number]), { "data-focus": number, "aria-label": t("Deal {number}", { number: number + 1 }) });
        const eggs = deal.eggs ? h("td", {}, t("eggs")) : both(deal.defeat);
        return h("tr", { "aria-current": number === current && "true" }, h("th", { scope: "row" }, go), both(deal.points), both(deal.tricks), eggs, both(deal.score));
      });
      const head = [t("Deal"), t("Points"), t("Tricks"), t("Defeat"), t("Score")].map((text) => h("th", { scope: "col" }, text));
      return [
        h("h3", {}, t("Deals")),
        h("p", { class: "quiet" }, t("{first} stand first in each pair of numbers.", { first: pairName(names, us) })),
        h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
      ];
    });
  }
}
