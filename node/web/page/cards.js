/**
 * The pack: faces, back and suits as SVG elements, drawn from paths only.
 *
 * A card is the engine's two-character code, rank in "6789TJQKA" and suit in
 * "cdhs". A drawing carries no colour of its own: its classes and data-suit
 * are coloured by cards.css, so that a theme never draws a card anew.
 */

const SVG = "http://www.w3.org/2000/svg";
const RANKS = "6789TJQKA";
const HALF_TURN = "rotate(180 50 70)";

/** Suits without their stems, filled, in a box of 24 by 24. */
const BODIES = {
  c: "M8 9.6A5.4 5.4 0 1 1 16 9.6A5.4 5.4 0 1 1 13.3 17.3H10.7A5.4 5.4 0 1 1 8 9.6z",
  d: "M12 .4L21.4 12L12 23.6L2.6 12z",
  h: "M12 22.6C9.2 17.6 1.2 13.6 1.2 7.8c0-3.5 2.5-5.9 5.6-5.9c2.3 0 4.3 1.4 5.2 3.7c.9-2.3 2.9-3.7 5.2-3.7c3.1 0 5.6 2.4 5.6 5.9c0 5.8-8 9.8-10.8 14.8z",
  s: "M12 .4C16 4.8 23 9.2 23 15.2c0 3-2.4 5-5 5q-3.8 0-6-3.6q-2.2 3.6-6 3.6c-2.6 0-5-2-5-5C1 9.2 8 4.8 12 .4z",
};
const SUITS = {
  ...BODIES,
  c: `${BODIES.c}M10.7 15h2.6q.2 5.6 3.7 8.4H7q3.5-2.8 3.7-8.4z`,
  s: `${BODIES.s}M11 16h2q.2 5 3.4 7.6H7.6q3.2-2.6 3.4-7.6z`,
};

/** Rank signs as strokes, 26 high, about x = 0. */
const SIGNS = {
  6: "M6.4 6.6C5.6 3.8 3.4 2.4.7 2.4C-4.2 2.4-6.8 6.4-6.8 13V16.9A6.8 6.7 0 0 0 6.8 16.9A6.8 6.7 0 0 0-6.8 16.9",
  7: "M-7.8 2.4H6.6Q-1.6 12.6-2.2 26",
  8: "M0 12.8A5.6 5.2 0 1 1 .1 12.8zA6.8 5.4 0 1 0 .1 12.8z",
  9: "M-6.4 19.4C-5.6 22.2-3.4 23.6-.7 23.6C4.2 23.6 6.8 19.6 6.8 13V9.1A6.8 6.7 0 0 0-6.8 9.1A6.8 6.7 0 0 0 6.8 9.1",
  T: "M-9.9 6.4Q-7.2 5.4-6.5 1V26M4.4 2.4C7.2 2.4 8.4 6.4 8.4 13S7.2 23.6 4.4 23.6S.4 19.6.4 13S1.6 2.4 4.4 2.4z",
  J: "M-2.6 2.4H7.8M3.8 2.4V17.2C3.8 25.7-7 25.5-7.2 17.4",
  Q: "M-.6 2.4C4.2 2.4 6.4 6.4 6.4 13S4.2 23.6-.6 23.6S-7.6 19.6-7.6 13S-5.4 2.4-.6 2.4zM.4 16.8L7.8 25.4",
  K: "M-6.2 0V26M6.2 1.5L-5.6 15M-2.4 11L6.9 24.7",
  A: "M-7.6 26.2L-1.1 2.4H1.1L7.6 26.2M-5.2 18H5.2",
  В: "M-6.2 12.5H1A5.05 5.05 0 0 0 1 2.4H-6.2V23.6H1.4A5.5 5.55 0 0 0 1.4 12.5",
  Д: "M-8 27V21.2H8V27M-5.4 21.2C-3.2 15.6-3 9-3 2.4H5V21.2",
  Т: "M-8 8V2.4H8V8M0 2.4V26",
};
const CYRILLIC = { J: "В", Q: "Д", K: "K", A: "Т" };

/** Centres of pips; those below the middle stand on their heads. */
const SIX = [[38, 23], [62, 23], [38, 70], [62, 70], [38, 117], [62, 117]];
const EIGHT = [[38, 21], [62, 21], [38, 53.7], [62, 53.7], [38, 86.3], [62, 86.3], [38, 119], [62, 119]];
const PIPS = {
  6: SIX,
  7: [...SIX, [50, 46.5]],
  8: [...SIX, [50, 46.5], [50, 93.5]],
  9: [...EIGHT, [50, 70]],
  T: [...EIGHT, [50, 37.3], [50, 102.7]],
};

/** Upper halves of the courts, painted in this order: [layer, path]. */
const COURTS = {
  J: [
    ["ink", "M12 76Q31 67 42 58Q50 52 60 52T78 57Q87 61 89 66L60 70z"],
    ["pale", "M36 64L43 69M41 60.5L48 68M74 57L75 65M80 59.5L81 64"],
    ["trim", "M79 66V39A4.6 4.6 0 0 1 88.2 39V43H85V39A1.4 1.4 0 0 0 82.2 39V66z"],
    ["trim", "M46 53L52 60L56 56L60 63L64 56L68 60L74 53L66 48H54z"],
    ["ink", "M47 26H73V43Q74 50 77 51Q71 53 66 49H54Q49 53 43 51Q46 50 47 43z"],
    ["skin", "M51.5 29H68.5V39C68.5 46 64 50 60 50S51.5 46 51.5 39z"],
    ["line", "M53.6 32.5Q55.6 31 57.6 32.3M62.4 32.3Q64.4 31 66.4 32.5M60 34V40H58.4M57 44Q60 46 63 44M55.7 35.2V36.4M64.3 35.2V36.4"],
    ["ink", "M44 29Q42 19 55 14.5Q69 11 75 19Q78 24 76 29Q60 23.5 44 29z"],
    ["trim", "M44 29.4V25.6Q60 20 76 25.6V29.4Q60 24 44 29.4z"],
    ["trim", "M54 23C47 11 33 13 33.5 29C33.8 36 37 41 41 43C40 34 44 27 54 23z"],
    ["line", "M49 23Q40 22 37.5 34"],
  ],
  Q: [
    ["ink", "M60 19C46 19 44 31 46 44Q46 50 43 53H77Q74 50 74 44C76 31 74 19 60 19zM12 76Q31 68 42 58Q47 54 53 53L67 53Q75 54 81 58Q87 61 89 66L60 70z"],
    ["skin", "M55.5 44H64.5V52L60 58L55.5 52z"],
    ["trim", "M50 53.5L55 51.5L60 58L65 51.5L70 53.5L60 67z"],
    ["skin", "M51.5 32Q57 30 60 25Q63 30 68.5 32V37Q68 47 60 49Q52 47 51.5 37z"],
    ["line", "M53.6 34Q55.8 32.4 57.8 33.8M62.2 33.8Q64.2 32.4 66.4 34M60 36V40.5H58.8M58 44.4Q60 45.6 62 44.4M55.8 36.6V37.8M64.2 36.6V37.8"],
    ["plait", "M47 43C40 44 40 51 44 53C48 51 49 47 47 43zM44.5 49C38 50 37.5 57 41.5 59C45.5 57 46.5 53 44.5 49zM42 55C35.5 56 35 63 39 65C43 63 44 59 42 55z"],
    ["trim", "M47 26L44.5 14L53 19.5L60 11L67 19.5L75.5 14L73 26Q60 20 47 26z"],
    ["trim", "M77 62L66 44A17 17 0 0 1 90.5 45.5z"],
    ["line", "M77 62L72 40M77 62L79 38.5M77 62L85.5 41"],
  ],
  K: [
    ["ink", "M12 76Q31 67 42 58Q50 52 60 52T78 57Q87 61 89 66L60 70z"],
    ["skin", "M44 56.5Q60 47 76 55.5L79 65Q60 56 42 67z"],
    ["line", "M47 58.5V62M52 56V59.5M68 56V59.5M73 58V61.5"],
    ["trim", "M81.4 29H84.6V66H81.4z"],
    ["skin", "M81 50.5H85Q87 50.5 87 53.5T85 56.5H81Q79 56.5 79 53.5T81 50.5z"],
    ["ink", "M47 25H73V42L75 47L70 48H50L45 47L47 42z"],
    ["skin", "M51 26H69V40H51z"],
    ["line", "M53 31Q55.5 29.4 58 31M62 31Q64.5 29.4 67 31M60 33V38M55.6 33.6V34.8M64.4 33.6V34.8"],
    ["ink", "M47 35L52 40Q56 37.5 60 39.5Q64 37.5 68 40L73 35V47Q72 53 67.5 54Q65 61 60 64Q55 61 52.5 54Q48 53 47 47z"],
    ["pale", "M57.5 43.4H62.5M56 49Q57 54 59 57M64 49Q63 54 61 57"],
    ["trim", "M47 27L44 13L53 19L60 10L67 19L76 13L73 27z"],
    ["line", "M46.4 23.4H73.6"],
  ],
};
const PANEL = "M34 9H88Q91 9 91 12V74Q91 77 88 77H72Q69 77 69 80V128Q69 131 66 131H12Q9 131 9 128V66Q9 63 12 63H28Q31 63 31 60V12Q31 9 34 9z";
const SASH = "M9 72L91 62V68L9 78z";
const STUDS = "M18 73.7l2-2l2 2l-2 2zM33 71.8l2-2l2 2l-2 2zM48 70l2-2l2 2l-2 2zM63 68.2l2-2l2 2l-2 2zM78 66.3l2-2l2 2l-2 2z";

/** The goat of the back, in profile: head, beard, horn, ear, then lines. */
const GOAT = [
  ["goat", "M51 53C46 56 41 64 34 70C31 73 31 77 34 79C37 81 41 81 45 80C49 80 51 82 51 86C51 91 49 95 47 98L53 95L56 101L61 96L66 101L72 97C71 86 68 72 62 61C59 56 56 53 51 53z"],
  ["goat", "M37 81C35 88 37 94 42 99C42 92 46 87 47.5 81z"],
  ["goat", "M51 54C49 44 54 35 64 33C73 32 80 38 81 47C77 41 71 39 66 41C60 43 58 48 59 55z"],
  ["goat", "M59 60C66 58 73 61 77 67C70 69 63 68 58 64z"],
  ["goat-line", "M48.8 63.2V65.4M35.4 74.6L37.4 75.2M51 47L58 50.4M55 40L61.4 45M62 35L66 41.4M71 36L70.6 40.6"],
];

function element(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function layer(name, d) {
  return element("path", { class: `card-${name}`, d });
}

/** A suit's outline, `width` wide about a centre, upside down on request. */
function pip(outline, x, y, width, turned = false) {
  const scale = (turned ? -width : width) / 24;
  const [left, top] = [x, y].map((centre) => Number((centre - 12 * scale).toFixed(2)));
  const transform = `translate(${left} ${top})scale(${Number(scale.toFixed(3))})`;
  return element("path", { d: outline, transform });
}

function group(name, ...children) {
  return element("g", { class: `card-${name}` }, ...children);
}

function index(rank, suit, letters) {
  const sign = letters === "cyrillic" && rank in CYRILLIC ? CYRILLIC[rank] : rank;
  const stroke = element("path", { class: "card-rank", d: SIGNS[sign], transform: "translate(15.4 5.8)scale(1.08)" });
  return [stroke, group("ink", pip(SUITS[suit], 15.2, 48, 23.5))];
}

function pips(rank, suit) {
  return [group("ink", ...PIPS[rank].map(([x, y]) => pip(SUITS[suit], x, y, 17, y > 70)))];
}

function court(rank, suit) {
  const half = () => [
    ...COURTS[rank].map(([name, d]) => layer(name, d)),
    group("ink", pip(SUITS[suit], 83, 20, 13)),
  ];
  return [
    layer("panel", PANEL),
    element("g", {}, ...half()),
    element("g", { transform: HALF_TURN }, ...half()),
    layer("trim", SASH),
    layer("ink", STUDS),
  ];
}

function ace(suit) {
  return [
    group("ink", pip(SUITS[suit], 50, 70, 49)),
    group("inlay", pip(BODIES[suit], 50, 69.6, 35)),
  ];
}

/** A picture's words: a title that is read out, or none and it is passed over. */
function picture(className, viewBox, title) {
  const svg = element("svg", { class: className, viewBox, role: "img" });
  if (title === undefined) {
    svg.setAttribute("aria-hidden", "true");
  } else {
    svg.append(element("title", {}, title));
  }
  return svg;
}

function blank(side, title) {
  const svg = picture(`card ${side}`, "0 0 100 140", title);
  svg.append(element("rect", { class: "card-paper", x: 0.5, y: 0.5, width: 99, height: 139, rx: 6.5 }));
  return svg;
}

function requireSuit(suit) {
  if (!Object.hasOwn(SUITS, suit)) {
    throw new RangeError(`not a suit: ${suit}`);
  }
}

function middle(rank, suit) {
  if (rank === "A") {
    return ace(suit);
  }
  return rank in COURTS ? court(rank, suit) : pips(rank, suit);
}

/**
 * The face of `card`. `letters` is "latin" (J Q K A) or "cyrillic" (В Д К Т).
 * Without a `title` the picture is hidden from screen readers, for a caller
 * who names the card on the button around it. RangeError for no such card.
 */
export function cardFace(card, { letters = "latin", title } = {}) {
  const [rank, suit] = card;
  if (card.length !== 2 || !RANKS.includes(rank)) {
    throw new RangeError(`not a card: ${card}`);
  }
  requireSuit(suit);
  const svg = blank("face", title);
  svg.dataset.suit = suit;
  svg.append(
    ...middle(rank, suit),
    ...index(rank, suit, letters),
    element("g", { transform: HALF_TURN }, ...index(rank, suit, letters)),
  );
  return svg;
}

/** Diagonals of ten by ten cells that fill the field of the back. */
function lattice() {
  const lines = [];
  for (let k = 1; k < 20; k += 1) {
    const low = Math.max(0, k - 10);
    const high = Math.min(k, 10);
    for (const [from, to] of [[low, high], [10 - low, 10 - high]]) {
      lines.push(`M${10 + 8 * from} ${10 + 12 * high}L${10 + 8 * to} ${10 + 12 * low}`);
    }
  }
  return lines.join("");
}

/** The back that all cards share; `title` as for a face. */
export function cardBack({ title } = {}) {
  const svg = blank("back", title);
  svg.append(
    element("rect", { class: "card-field", x: 6, y: 6, width: 88, height: 128, rx: 3.5 }),
    layer("lattice", `M10 10H90V130H10z${lattice()}`),
    element("ellipse", { class: "card-medal", cx: 50, cy: 70, rx: 31, ry: 40 }),
    element("g", { transform: "translate(-1 8)scale(.9)" }, ...GOAT.map(([name, d]) => layer(name, d))),
  );
  return svg;
}

/** A suit as tall as the text around it; `title` as for a face. */
export function suitGlyph(suit, { title } = {}) {
  requireSuit(suit);
  const svg = picture("suit", "0 0 24 24", title);
  svg.dataset.suit = suit;
  svg.append(element("path", { d: SUITS[suit] }));
  return svg;
}
