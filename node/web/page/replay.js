/** A match again with all cards open, step by step: one of the own matches, or that of any log file. */

import { button, h, say, set } from "./dom.js";
import { isolated, retold } from "./retold.js";
import { Tape } from "./tape.js";
import { language, t } from "./words.js";

const SUFFIX = ".kozel";
const LARGEST_MEGABYTES = 32;
const KEYS = {
  ArrowLeft: "previous-step",
  ArrowRight: "next-step",
  PageUp: "previous-trick",
  PageDown: "next-trick",
  Home: "deal-begin",
  End: "deal-end",
};

let shown = null;

/** Show a match of this computer by its id, in hexadecimal digits. */
export function openReplay(matchId) {
  return show((signal) => fetch(`replay/${encodeURIComponent(matchId)}.json?lang=${language()}`, { signal }));
}

/** Show the match of a log file. */
export function openReplayFile(file) {
  if (file.size > LARGEST_MEGABYTES * 1024 * 1024) {
    const error = t("The file is larger than {count} MB: no match has such a log.", { count: LARGEST_MEGABYTES });
    return show(() => new Response(JSON.stringify({ error })));
  }
  return show((signal) => fetch(`replay?lang=${language()}`, { method: "POST", body: file, signal }));
}

/** Show the match of a log file that is dropped anywhere on the page; `onError(words)` for any other file. */
export function acceptDrops(onError) {
  const carries = (event) => event.dataTransfer?.types.includes("Files") ?? false;
  const mark = (on) => set(document.body, { "data-drop": on });
  document.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false));
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    mark(false);
    const file = [...event.dataTransfer.files].find((one) => one.name.toLowerCase().endsWith(SUFFIX));
    if (file === undefined) onError(t("Only log files of Kozel (.kozel) can be opened here."));
    else openReplayFile(file);
  });
}

function show(ask) {
  shown?.close();
  shown = new Replay();
  return shown.load(ask);
}

/** The picture of a match, or {error} with a sentence. */
async function answer(ask, signal) {
  try {
    const response = await ask(signal);
    return await response.json();
  } catch {
    return { error: t("The program does not answer.") };
  }
}

/** What match it is, what was checked, and what is wrong with the file. */
function about({ about: lines, names, problems }) {
  return h(
    "details",
    { class: "replay-about" },
    h("summary", {}, t("About this log")),
    lines.map((line) => h("p", {}, retold(line, names))),
    problems.map((problem) => h("p", { lang: "en", dir: "ltr", class: "quiet" }, problem)),
  );
}

/** The dialog: it waits for the audit, then holds the verdict and the tape. */
class Replay {
  #dialog = h("dialog", { class: "replay", "aria-labelledby": "replay-title" });
  #title = h("h2", { id: "replay-title" });
  #body = h("div", { class: "replay-body" });
  #leaving = new AbortController();
  #tape = null;

  constructor() {
    const close = button("×", () => this.close(), { class: "replay-close", "aria-label": t("Close"), title: t("Close") });
    this.#dialog.append(h("header", {}, this.#title, close), this.#body);
    this.#dialog.addEventListener("close", () => this.#gone());
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  close() {
    this.#dialog.close();
  }

  async load(ask) {
    say(this.#title, t("Replay"));
    const wait = t("Every signature and every card of the log is checked. One moment…");
    this.#body.replaceChildren(h("p", { class: "replay-wait", role: "status" }, wait));
    const match = await answer(ask, this.#leaving.signal);
    if (this.#leaving.signal.aborted) return;
    if (match.error === undefined) this.#fill(match);
    else this.#body.replaceChildren(h("p", { class: "replay-wait message alarm", role: "alert" }, match.error));
  }

  #fill(match) {
    const [a, b, c, d] = match.names.map(isolated);
    say(this.#title, t("{a} and {c} against {b} and {d}", { a, b, c, d }));
    const lines = [...match.conclusion, match.hidden].filter(Boolean).map((line) => h("p", {}, retold(line, match.names)));
    const verdict = h("div", { class: "replay-verdict", "data-finding": match.finding }, lines);
    if (match.deals.length === 0) {
      const none = h("p", { class: "replay-wait" }, t("No deal was played to its end, so there is nothing to show."));
      this.#body.replaceChildren(h("div", { class: "replay-main" }, verdict, none), h("aside", {}, about(match)));
      return;
    }
    this.#tape = new Tape(match);
    const main = h("div", { class: "replay-main" }, verdict, this.#tape.element);
    this.#body.replaceChildren(main, h("aside", {}, this.#tape.list, about(match)));
    this.#tape.begin();
  }

  #key(event) {
    if (this.#tape === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const pressed = event.target.closest("button, summary") !== null;
    if (event.key in KEYS) this.#tape.move(KEYS[event.key]);
    else if (event.key === " " && !pressed) this.#tape.toggle();
    else return;
    event.preventDefault();
  }

  #gone() {
    this.#leaving.abort();
    this.#tape?.stop();
    this.#dialog.remove();
    if (shown === this) shown = null;
  }
}
