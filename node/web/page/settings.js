/** How the reader likes the page: kept in this browser alone. */

const KEY = "kozel";
const USUAL = {
  language: "",
  deck: "two",
  theme: "auto",
  contrast: "normal",
  motion: "auto",
  sort: "suit",
  sound: "off",
  hints: "off",
  level: "medium",
};

const DARK = matchMedia("(prefers-color-scheme: dark)");

let kept = read();

function read() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...USUAL };
  }
}

/** One of the settings. */
export const setting = (name) => kept[name];

/** Change a setting, and what of the page depends on it. */
export function choose(name, value) {
  kept = { ...kept, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Private windows may keep nothing: then it holds until the page is closed.
  }
  apply();
}

/** Show the page as the settings say. */
export function apply() {
  const root = document.documentElement;
  for (const name of ["deck", "contrast", "motion"]) root.dataset[name] = kept[name];
  root.dataset.theme = kept.theme === "auto" ? (DARK.matches ? "dark" : "light") : kept.theme;
}

DARK.addEventListener("change", apply);

/** Whether things may move. */
export function mayMove() {
  if (kept.motion !== "auto") return kept.motion === "full";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
