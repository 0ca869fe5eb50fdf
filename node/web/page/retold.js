/** What the node has told, so that names and cards keep their own direction within a sentence. */

import { h } from "./dom.js";
import { t } from "./words.js";

const CARD = "(?:10|[6-9JQKA])[♣♦♥♠]";
const CARDS = `${CARD}(?: ${CARD})*`;

/** A name within a text. */
export const isolated = (name) => `\u2068${name}\u2069`;

/** Both players of a pair by name. */
export const pairName = (names, team) => t("{first} and {second}", { first: isolated(names[team]), second: isolated(names[team + 2]) });

/** A sentence of the node as texts and elements; `names` are those of the players. */
export function retold(sentence, names) {
  const escaped = names.filter(Boolean).map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const longestFirst = escaped.sort((one, other) => other.length - one.length);
  const parts = sentence.split(new RegExp(`(${longestFirst.join("|")}|${CARDS})`, "u"));
  return parts.map((part, place) => (place % 2 === 0 ? part : h("bdi", { dir: names.includes(part) ? "auto" : "ltr" }, part)));
}
