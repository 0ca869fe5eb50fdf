/** Beside the table: score sheet, last trick, how the match came out, check words, and the story so far. */

import { button, fill, h } from "./dom.js";
import { lastTrick } from "./lasttrick.js";
import { teamOf } from "./model.js";
import { Onlookers } from "./onlookers.js";
import { openReplay } from "./replay.js";
import { language, t } from "./words.js";

export class Sheet {
  element = h("aside", { class: "sheet" });
  #ask;
  #match = null;
  #end = h("section", { class: "end" });
  #score = h("section", { class: "score" });
  #last = h("section", { class: "last" });
  #onlookers = new Onlookers();
  #more = h("section", { class: "more" });
  #verdict = h("div", { class: "verdict", role: "status" });

  constructor(ask) {
    this.#ask = ask;
    this.element.append(this.#end, this.#score, this.#last, this.#onlookers.element, this.#more);
  }

  draw(table) {
    const { over, goat, askedAgain, waitsForOthers, verdict, score } = table;
    fill(this.#end, [over, goat, askedAgain, waitsForOthers, verdict, score, language()], () => this.#outcome(table));
    if (table.match !== this.#match) this.#verdict.replaceChildren();
    this.#match = table.match;
    fill(this.#score, [table.results, score, table.taken, language(), table.match], () => this.#scores(table));
    fill(this.#last, [table.last, language()], () => lastTrick(table));
    this.#onlookers.draw(table.onlookers, true);
    fill(this.#more, [table.match, language()], () => this.#about(table));
  }

  #outcome(table) {
    if (!table.over) return [];
    const us = teamOf(table.seat);
    const lines = [h("h2", {}, t("The match is over"))];
    if (table.goat !== null) {
      const names = table.shown.filter((_, seat) => teamOf(seat) === table.goat).join(t(" and "));
      lines.push(
        h("p", { class: "goat" }, table.goatWithEggs ? t("{names} are the goat with eggs.", { names }) : t("{names} are the goat.", { names })),
        h("p", {}, table.goat === us ? t("Better luck next time!") : t("You have won!")),
      );
    }
    if (table.askedAgain) {
      lines.push(button(t("Another match"), () => this.#ask("again", { yes: true }), { class: "main", "data-focus": "again" }));
    }
    lines.push(button(t("Replay with all cards open"), () => openReplay(table.match), { "data-focus": "replay" }));
    if (table.waitsForOthers) lines.push(h("p", { class: "quiet" }, t("Waiting for the others to say yes too…")));
    lines.push(button(t("Leave the table"), () => this.#ask("leave"), { "data-focus": "leave" }));
    return lines;
  }

  #scores(table) {
    const us = teamOf(table.seat);
    const pair = (values) => [h("td", {}, String(values[us])), h("td", {}, String(values[1 - us]))];
    const rows = table.results.map((result, number) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, String(number + 1)),
        ...pair(result.points),
        ...pair(result.tricks),
        ...pair(result.defeat),
        h("td", {}, result.eggs ? t("eggs") : ""),
      ),
    );
    const twice = (text) => h("th", { colspan: 2, scope: "colgroup" }, text);
    const teams = () => [h("th", { scope: "col" }, t("we")), h("th", { scope: "col" }, t("they"))];
    return [
      h("h2", {}, t("Score")),
      h(
        "p",
        { class: "total" },
        h("span", {}, t("we"), " ", h("bdi", {}, String(table.score[us]))),
        h("span", {}, t("they"), " ", h("bdi", {}, String(table.score[1 - us]))),
      ),
      h("p", { class: "quiet" }, t("Defeat points; with {target} a team is the goat.", { target: table.options.target })),
      rows.length > 0 &&
        h(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Score sheet") },
          h(
            "table",
            {},
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Deal")), twice(t("Points")), twice(t("Tricks")), twice(t("Defeat")), h("td")), h("tr", {}, h("td"), ...teams(), ...teams(), ...teams(), h("td"))),
            h("tbody", {}, rows),
          ),
        ),
      rows.length > 0 && button(t("Check this deal"), () => this.#check(), { class: "check", "data-focus": "check" }),
      rows.length > 0 && this.#verdict,
    ];
  }

  async #check() {
    this.#verdict.replaceChildren(h("p", { class: "quiet" }, t("Checking every signature, shuffle and card…")));
    const { refused, value } = await this.#ask("check");
    if (refused !== null) {
      this.#verdict.replaceChildren();
      return;
    }
    const details = h("details", {}, h("summary", {}, t("What was checked")), h("ul", {}, value.details.map((line) => h("li", {}, line))));
    this.#verdict.replaceChildren(...value.lines.map((line) => h("p", { class: value.fair ? "fair" : "alarm" }, line)), details);
  }

  #about(table) {
    return h(
      "details",
      {},
      h("summary", {}, t("About this match")),
      h("p", {}, t("All four should see the same check words (compare them once, aloud):")),
      h("p", { dir: "ltr", class: "words" }, table.checkWords),
      table.forShow && h("p", {}, t("For show: its cards come from a seed that somebody knew before.")),
      button(t("Leave the table"), () => this.#ask("leave"), { class: "small" }),
    );
  }
}
