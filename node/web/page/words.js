/** The page's languages: the sentences of the node's own catalogue, English being their key. */

export const LANGUAGES = { en: "English", ru: "Русский", ar: "العربية" };

const FORMS = {
  en: ["one", "other"],
  ru: ["one", "few", "many"],
  ar: ["zero", "one", "two", "few", "many", "other"],
};

let spoken = "en";
let catalogue = {};
let rules = new Intl.PluralRules("en");

/** The language spoken now. */
export const language = () => spoken;

/** The sentence in the reader's language, with its {fields} filled in. */
export function t(message, fields = {}) {
  return filled(catalogue[message]?.[0] || message, fields);
}

/** The sentence for `count` things. */
export function tn(one, many, count, fields = {}) {
  const forms = catalogue[one];
  const place = FORMS[spoken].indexOf(rules.select(count));
  const found = forms?.[place < 0 ? forms.length - 1 : place];
  return filled(found || (count === 1 ? one : many), { count, ...fields });
}

/** So many seconds, in minutes where they are whole. */
export const duration = (seconds) =>
  seconds % 60 === 0 ? tn("{count} minute", "{count} minutes", seconds / 60) : tn("{count} second", "{count} seconds", seconds);

/** The language to begin with: the one chosen before, else the first of the browser's that is spoken here. */
export function firstLanguage(stored) {
  const wanted = [stored, ...navigator.languages].filter(Boolean).map((tag) => tag.split("-")[0]);
  return wanted.find((code) => code in LANGUAGES) ?? "en";
}

/** Speak another language from now on. */
export async function speak(code) {
  const answer = await fetch(`words/${code}.json`);
  catalogue = answer.ok ? await answer.json() : {};
  spoken = answer.ok ? code : "en";
  rules = new Intl.PluralRules(spoken);
  document.documentElement.lang = spoken;
  document.documentElement.dir = spoken === "ar" ? "rtl" : "ltr";
}

function filled(text, fields) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole));
}
