/** How strong bots are to be: chosen where they are brought, and remembered for the next time. */

import { h } from "./dom.js";
import { choose, setting } from "./settings.js";
import { t } from "./words.js";

/** The name of a level. */
export function levelName(level) {
  return { easy: t("easy"), medium: t("medium"), hard: t("hard") }[level] ?? level;
}

/** A choice of the strength of bots, which `setting("level")` tells from then on. */
export function levelChoice() {
  const options = ["easy", "medium", "hard"].map((level) => h("option", { value: level, selected: level === setting("level") }, levelName(level)));
  const select = h("select", { "data-focus": "level", onchange: (event) => choose("level", event.target.value) }, options);
  return h("label", { class: "row" }, t("Strength of the bots"), select);
}
