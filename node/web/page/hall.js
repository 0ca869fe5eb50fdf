/** Before a table: play at once, open a table, or find one. */

import { button, fill, h } from "./dom.js";
import { levelChoice } from "./levels.js";
import { openReplay, openReplayFile } from "./replay.js";
import { setting } from "./settings.js";
import { duration, t, tn } from "./words.js";

/** Seconds after which the others are asked whether to play on without a player; the first is the usual one. */
const WAITS = [90, 30, 180, 600, 3600];

/** Seconds after which those who watch see what happens. */
const DELAYS = [0, 30, 120, 600];

export class HallStage {
  #ask;
  #name;
  #where;
  #code;
  #ways = h("div", { class: "buttons" });
  #tables;
  #open;
  #kept = h("div", { class: "list" });
  #invited = h("div", { class: "list", "aria-live": "polite" });
  #form;

  constructor(place, ask) {
    this.#ask = ask;
    this.#name = h("input", { id: "name", maxlength: 24, autocomplete: "nickname" });
    this.#name.addEventListener("change", () => ask("name", { name: this.#name.value }));
    this.#where = h("input", { maxlength: 400, autocomplete: "off", spellcheck: "false", dir: "ltr" });
    this.#code = h("input", { maxlength: 9, inputmode: "numeric", autocomplete: "off", dir: "ltr", size: 9 });
    this.#tables = h("div", { class: "list", "aria-live": "polite" });
    this.#open = h("div", { class: "list" });
    this.#form = this.#options();
    place.append(h("div", { class: "hall" }, this.#first(), this.#invited, this.#join(), this.#host(), this.#open, this.#kept));
  }

  draw(hall, { me }) {
    if (document.activeElement !== this.#name) this.#name.value = me;
    fill(this.#tables, [hall.tables, hall.looked, hall.trouble, document.documentElement.lang], () => this.#found(hall));
    fill(this.#invited, [hall.invitations, document.documentElement.lang], () => this.#invitations(hall.invitations));
    fill(this.#open, [hall.openMatches, document.documentElement.lang], () => this.#broken(hall.openMatches));
    fill(this.#kept, [hall.finished, document.documentElement.lang], () => this.#finished(hall.finished));
  }

  #first() {
    return h(
      "section",
      { class: "box hero" },
      h("h2", {}, t("Play")),
      h("label", { class: "row" }, t("Your name"), this.#name),
      levelChoice(),
      button(t("Play now against three bots"), () => this.#ask("host", { bots: 3, level: setting("level"), ...this.#chosen() }), {
        class: "main",
        "data-focus": "now",
      }),
    );
  }

  #join() {
    const go = (event) => {
      event.preventDefault();
      this.#ask(event.submitter.value, { where: this.#where.value, code: this.#code.value });
    };
    this.#offer("join");
    return h(
      "section",
      { class: "box" },
      h("h2", {}, t("Sit down at a table")),
      this.#tables,
      h(
        "form",
        { onsubmit: go },
        h("label", {}, t("Address or link of the table"), this.#where),
        h("label", {}, t("Code on the host's screen"), this.#code),
        this.#ways,
      ),
    );
  }

  /** Both ways to a table. The first is also that of the key Enter. */
  #offer(first) {
    const texts = { join: t("Join"), watch: t("Watch") };
    const ways = first === "watch" ? ["watch", "join"] : ["join", "watch"];
    this.#ways.replaceChildren(...ways.map((value) => h("button", { type: "submit", value, "data-focus": `way ${value}` }, texts[value])));
  }

  #host() {
    const name = h("input", { maxlength: 24, autocomplete: "off" });
    const open = () => this.#ask("host", { table: name.value, ...this.#chosen() });
    return h(
      "section",
      { class: "box" },
      h("h2", {}, t("Open a table for friends")),
      h("label", {}, t("Name of the table"), name),
      this.#form,
      button(t("Open the table"), open, { class: "main" }),
    );
  }

  #options() {
    const select = (key, label, values) =>
      h("label", {}, label, h("select", { name: key }, values.map(([value, text]) => h("option", { value }, text))));
    return h(
      "div",
      { class: "options" },
      select("target", t("Defeat points that end the match"), [["12", "12"], ["6", "6"], ["24", "24"]]),
      select("eggs", t("After 60 to 60 (eggs)"), [["joke", t("a joke")], ["double", t("the next deal counts double")]]),
      select("molodka", t("Molodka"), [["anytime", t("at any time")], ["off", t("off")]]),
      select("grace", t("Ask the others about a silent player after"), WAITS.map((seconds) => [String(seconds), duration(seconds)])),
      select("watch", t("People may watch"), [["yes", t("yes, with the code")], ["no", t("no")]]),
      select("delay", t("Who watches sees everything"), DELAYS.map((seconds) => [String(seconds), seconds === 0 ? t("at once") : t("{time} later", { time: duration(seconds) })])),
    );
  }

  #chosen() {
    const value = (name) => this.#form.querySelector(`[name=${name}]`).value;
    return { target: Number(value("target")), eggs: value("eggs"), molodka: value("molodka"), grace: Number(value("grace")), ...this.#viewing() };
  }

  /** Who may watch a table that is opened here. */
  #viewing() {
    const value = (name) => this.#form.querySelector(`[name=${name}]`).value;
    return { watch: value("watch") === "yes", delay: Number(value("delay")) };
  }

  #found(hall) {
    const rows = hall.tables.map((table) => this.#row(table));
    if (rows.length === 0) {
      rows.push(h("p", { class: "quiet" }, hall.looked ? t("No table was found on this network yet.") : t("Looking around…")));
    }
    if (hall.trouble) rows.push(h("p", { class: "quiet" }, hall.trouble));
    return rows;
  }

  #row(table) {
    const state =
      table.free === null
        ? t("does not answer")
        : table.playing
          ? t("plays: can be watched")
          : table.free === 0
            ? t("all seats taken")
            : tn("{count} seat free", "{count} seats free", table.free);
    const go = (way) => {
      if (table.known && way === "join") return this.#ask("join", { where: table.where, code: "" });
      this.#where.value = table.where;
      this.#offer(way);
      this.#code.focus();
      return null;
    };
    const way = table.playing ? "watch" : "join";
    return h(
      "div",
      { class: "entry" },
      h("span", {}, h("bdi", {}, table.name), " · ", h("bdi", {}, table.host), h("small", {}, state)),
      button(table.playing ? t("Watch") : t("Sit down"), () => go(way), { "data-focus": table.where, disabled: !table.playing && !table.free }),
    );
  }

  #invitations(tables) {
    return tables.map((table) =>
      h(
        "section",
        { class: "box" },
        h("h2", {}, t("{host} has opened a table", { host: table.host })),
        h("p", {}, h("bdi", {}, table.name), " · ", tn("{count} seat free", "{count} seats free", table.free)),
        button(t("Sit down"), () => this.#ask("join", { where: table.where, code: "" }), { class: "main", "data-focus": table.where }),
      ),
    );
  }

  #broken(matches) {
    if (matches.length === 0) return [];
    return [
      h(
        "section",
        { class: "box" },
        h("h2", {}, t("Matches that were broken off")),
        matches.some((one) => one.goesOn) &&
          h("p", { class: "quiet" }, t("Go back if all four do. If one of you is gone for good, somebody else or a bot can take that seat: the match goes on from the last finished deal, under a new code.")),
        ...matches.map((one) => this.#match(one, this.#waysBack(one))),
      ),
    ];
  }

  #waysBack({ match, goesOn }) {
    const goOn = (bots) => this.#ask("go-on", { match, bots, level: setting("level"), ...this.#viewing() });
    return h(
      "div",
      { class: "buttons" },
      button(t("Go back"), () => this.#ask("resume", { match }), { "data-focus": match }),
      goesOn && button(t("Go on with somebody else"), () => goOn(0), { "data-focus": `go-on ${match}` }),
      goesOn && button(t("Go on with a bot"), () => goOn(1), { "data-focus": `go-on-bot ${match}` }),
    );
  }

  #finished(matches) {
    const file = h("input", { type: "file", accept: ".kozel", onchange: () => file.files.length && openReplayFile(file.files[0]) });
    const watch = (match) => button(t("Replay"), () => openReplay(match.match), { "data-focus": `replay ${match.match}` });
    return h(
      "section",
      { class: "box" },
      h("h2", {}, t("Look at a match with all cards open")),
      ...matches.map((one) => this.#match(one, watch(one))),
      h("label", {}, t("A log file of any match (.kozel), or drop one on this page"), file),
    );
  }

  #match(match, action) {
    const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    return h(
      "div",
      { class: "entry" },
      h(
        "span",
        {},
        h("bdi", {}, match.players.join(", ")),
        h("small", {}, h("bdi", {}, day.format(new Date(match.begun * 1000))), " · ", h("bdi", {}, match.score.join(" : "))),
      ),
      action,
    );
  }
}
