/** A QR code from the rows that the node has worked out. */

const SVG = "http://www.w3.org/2000/svg";
const QUIET = 4;

/** An SVG of the code; `rows` are strings of 0 and 1. */
export function qrCode(rows, title) {
  const size = rows.length + 2 * QUIET;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("class", "qr");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", title);
  const path = document.createElementNS(SVG, "path");
  const dark = rows.flatMap((row, y) => runs(row).map(([x, length]) => `M${x + QUIET} ${y + QUIET}h${length}v1h-${length}z`));
  path.setAttribute("d", dark.join(""));
  svg.append(path);
  return svg;
}

function runs(row) {
  return [...row.matchAll(/1+/g)].map((match) => [match.index, match[0].length]);
}
