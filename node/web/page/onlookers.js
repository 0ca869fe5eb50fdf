/** For a host: who watches the table, and the link by which others come to watch it. */

import { button, fill, h } from "./dom.js";
import { isolated } from "./retold.js";
import { duration, language, t } from "./words.js";

export class Onlookers {
  element = h("section", { class: "onlookers" });
  /** The names stay a live region of their own, so that a screen reader hears who comes. */
  #names = h("div", { role: "status" });
  #way = h("div");

  constructor() {
    this.element.append(this.#names, this.#way);
  }

  /** `onlookers` as the node tells it, or null where nobody can watch; `link` shows the way here too. */
  draw(onlookers, link) {
    const names = onlookers?.names ?? [];
    const delay = onlookers?.delay ?? 0;
    fill(this.#names, [names, delay, language()], () => [
      ...names.map((name) => h("p", {}, t("{name} is watching.", { name: isolated(name) }))),
      names.length > 0 && delay > 0 && h("p", { class: "quiet" }, t("Who watches sees everything {time} later.", { time: duration(delay) })),
    ]);
    fill(this.#way, [link && onlookers?.link, language()], () => (link && onlookers ? this.#shown(onlookers) : []));
  }

  #shown({ link, code }) {
    return h(
      "details",
      {},
      h("summary", {}, t("Let somebody watch")),
      h("p", {}, t("Whoever has this link can watch this table:")),
      h("p", { class: "link", dir: "ltr" }, link),
      button(t("Copy the link"), () => navigator.clipboard?.writeText(link), { "data-focus": "copy" }),
      h("p", {}, t("The code alone:"), " ", h("bdi", { dir: "ltr" }, `${code.slice(0, 4)} ${code.slice(4)}`)),
    );
  }
}
