/** Beside a table that is watched: how the match stands, what was checked, the last trick and the story. */

import { button, fill, h } from "./dom.js";
import { lastTrick } from "./lasttrick.js";
import { openReplay } from "./replay.js";
import { isolated, pairName, retold } from "./retold.js";
import { language, t } from "./words.js";

/** Lines of the story that are shown; the latest says the most. */
const LINES = 8;

export class WatchSheet {
  element = h("aside", { class: "sheet" });
  #end = h("section", { class: "end" });
  #score = h("section", { class: "score" });
  #last = h("section", { class: "last" });
  #story = h("section", { class: "told" });
  #about = h("section", { class: "more" });
  #lines = [];
  #match = null;

  constructor() {
    this.element.append(this.#end, this.#score, this.#last, this.#story, this.#about);
  }

  draw(table) {
    if (this.#match !== null && table.match !== this.#match) this.#lines = [];
    this.#match = table.match;
    const { over, goat, goatWithEggs, verdict, results, score, names } = table;
    fill(this.#end, [over, goat, goatWithEggs, verdict, names, language()], () => this.#outcome(table));
    fill(this.#score, [results, score, names, language(), table.match], () => this.#scores(table));
    fill(this.#last, [table.last, names, language()], () => lastTrick(table));
    fill(this.#about, [table.match, table.checked, language()], () => this.#checks(table));
    this.#tell(table);
  }

  /** Remember new lines of the story, which a screen reader hears elsewhere. */
  tell(lines) {
    this.#lines.push(...lines.filter((line) => line !== ""));
    this.#lines.splice(0, this.#lines.length - LINES);
  }

  #outcome(table) {
    if (!table.over) return [];
    const lines = [h("h2", {}, t("The match is over"))];
    if (table.verdict !== null) {
      lines.push(h("p", {}, t("The proof is in the log. {team} forfeit the match.", { team: pairName(table.shown, table.verdict.culprit % 2) })));
    } else if (table.goat !== null) {
      const pair = pairName(table.shown, table.goat);
      lines.push(h("p", { class: "goat" }, table.goatWithEggs ? t("{pair} are the goat with eggs.", { pair }) : t("{pair} are the goat.", { pair })));
    }
    return lines;
  }

  #scores(table) {
    const both = (pair) => h("td", {}, h("bdi", { dir: "ltr" }, `${pair[0]} : ${pair[1]}`));
    const rows = table.results.map((result, number) =>
      h("tr", {}, h("th", { scope: "row" }, String(number + 1)), both(result.points), both(result.tricks), result.eggs ? h("td", {}, t("eggs")) : both(result.defeat)),
    );
    const head = [t("Deal"), t("Points"), t("Tricks"), t("Defeat")].map((text) => h("th", { scope: "col" }, text));
    return [
      h("h2", {}, t("Score")),
      ...[0, 1].map((team) => h("p", { class: "pair" }, h("span", {}, pairName(table.shown, team)), h("bdi", {}, String(table.score[team])))),
      h("p", { class: "quiet" }, t("Defeat points; with {target} a team is the goat.", { target: table.options.target })),
      rows.length > 0 && h("p", { class: "quiet" }, t("{first} stand first in each pair of numbers.", { first: pairName(table.shown, 0) })),
      rows.length > 0 && h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
      rows.length > 0 && button(t("Replay with all cards open"), () => openReplay(table.match), { "data-focus": "replay" }),
    ];
  }

  #tell(table) {
    fill(this.#story, [this.#lines, table.names, language()], () => [
      h("h2", {}, t("What has happened")),
      h("div", { "aria-hidden": "true" }, this.#lines.map((line) => h("p", { dir: "auto" }, retold(line, table.shown)))),
    ]);
  }

  #checks(table) {
    return [
      h("h2", {}, t("Checked by this computer")),
      ...table.checked.map((line) => h("p", {}, line)),
      h("p", {}, t("Check words of the match: {words}", { words: isolated(table.checkWords) })),
      table.forShow && h("p", {}, t("For show: its cards come from a seed that somebody knew before.")),
    ];
  }
}
