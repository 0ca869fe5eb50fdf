"""The looks of the document: light and dark, from a phone's width to a wide screen, and on paper."""

from typing import Final

__all__ = ["STYLE"]

_COLOURS: Final = """
:root {
  --paper: #f3efe6; --ink: #20242a; --quiet: #575c63; --box: #fffdf8; --line: #d8d0bf;
  --alarm: #8c1d18; --fair: #1f6b3a; --doubt: #6b4a00; --first: #1450a8; --second: #a8322a;
  --c: #0b5f2e; --d: #1450a8; --h: #b8141f; --s: #17181c;
  color-scheme: light dark;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15191c; --ink: #ece7db; --quiet: #b3b5b4; --box: #20262a; --line: #3b4449;
    --alarm: #ffb4a9; --fair: #7fd79b; --doubt: #f0c868; --first: #8ab8ff; --second: #ffaaa3;
    --c: #7fe0a2; --d: #a3c8ff; --h: #ffaaa3; --s: #f4efe2;
  }
}
"""

# `anywhere` lets long names and ids break where a table needs it to fit on a phone; other words stay whole.
_TEXT: Final = """
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; font-variant-emoji: text; overflow-wrap: anywhere;
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
h1 { font-size: 1.7rem; line-height: 1.2; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
h4 { font-size: 1rem; margin: 1.2rem 0 0.5rem; }
p { margin: 0.4rem 0; max-width: 60rem; }
a { color: inherit; }
code { font-family: ui-monospace, monospace; font-size: 0.85em; direction: ltr; unicode-bidi: isolate; }
article { border-top: 3px solid var(--line); margin-top: 2rem; }
header + main > article:only-child { border-top: 0; margin-top: 0; }
footer { border-top: 3px solid var(--line); margin-top: 3rem; }
.quiet { color: var(--quiet); }
.notice { border-inline-start: 4px solid var(--doubt); padding-inline-start: 0.7rem; }
.verdict {
  background: var(--box); border: 2px solid var(--doubt); border-inline-start-width: 0.7rem;
  border-radius: 0.5rem; padding: 0.5rem 1rem; margin: 1rem 0;
}
.verdict.fair { border-color: var(--fair); }
.verdict.cheat { border-color: var(--alarm); }
.outcome { font-size: 1.2rem; font-weight: 700; }
.fair .outcome, .finding.fair { color: var(--fair); }
.cheat .outcome, .finding.cheat { color: var(--alarm); font-weight: 700; }
dl {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
  gap: 0.2rem 1.5rem;
}
dt { color: var(--quiet); font-size: 0.9rem; }
dd { margin: 0 0 0.4rem; }
"""

_TABLES: Final = """
table { border-collapse: collapse; background: var(--box); margin: 0.7rem 0; max-width: 100%; }
caption { text-align: start; color: var(--quiet); padding: 0.2rem 0; }
th, td {
  border: 1px solid var(--line); padding: 0.25rem 0.5rem; text-align: start; vertical-align: top;
  overflow-wrap: break-word;
}
thead th { font-weight: 600; font-size: 0.9rem; }
tbody th { font-weight: 600; min-width: 4rem; overflow-wrap: anywhere; }
td code { overflow-wrap: anywhere; }
bdi { white-space: nowrap; }
.hands td { min-width: 8.5rem; }
tfoot th, tfoot td { border-top: 2px solid var(--ink); font-weight: 600; }
.numbers, .count { font-variant-numeric: tabular-nums; }
td code, dd code { line-height: 1.3; }
.tricks {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr));
  gap: 0.5rem 1rem;
}
.trick { width: 100%; margin: 0; align-self: start; }
.trick caption { color: var(--ink); font-weight: 600; }
.trick .taker { font-weight: 700; }
.trick .returned { color: var(--quiet); }
.trick .returned .card { text-decoration: line-through; }
.cards { display: inline; }
.card {
  display: inline-block; white-space: nowrap; border: 1px solid var(--line); border-radius: 0.25rem;
  padding: 0 0.25rem; margin: 0.05rem 0; font-weight: 600; unicode-bidi: isolate;
}
.card.c { color: var(--c); }
.card.d { color: var(--d); }
.card.h { color: var(--h); }
.card.s { color: var(--s); }
.card.trump { text-decoration: underline; text-underline-offset: 0.2em; }
.result { font-weight: 600; }
.shuffles { font-size: 0.85rem; }
@media screen and (max-width: 30rem) {
  body { padding: 0.6rem; }
  th, td { padding: 0.2rem 0.25rem; }
  td, tbody th { font-size: 0.9rem; }
  thead th { font-size: 0.75rem; }
  .trick td, .trick tbody th, .checks td, .checks tbody th { font-size: 0.85rem; }
  tbody th { min-width: 3.4rem; }
  .players tbody th, .reach tbody th { min-width: 4.2rem; }
}
"""

_CHARTS: Final = """
.charts { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
figure { margin: 0.5rem 0; width: 100%; max-width: 30rem; }
figcaption { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; padding-bottom: 0.5rem; }
figcaption strong { flex-basis: 100%; }
.key {
  display: inline-block; width: 0.8em; height: 0.8em;
  border: 2px solid var(--second); background: var(--box);
}
.key.first { background: var(--first); border-color: var(--first); border-radius: 50%; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font-size: 13px; fill: var(--ink); font-variant-numeric: tabular-nums; }
svg text.quiet { fill: var(--quiet); }
svg .first { fill: var(--first); stroke: var(--first); stroke-width: 2; }
svg .second { fill: var(--box); stroke: var(--second); stroke-width: 2; }
svg .course { fill: none; stroke-width: 2.5; }
svg .second.course { stroke-dasharray: 6 4; }
svg .grid, svg .goal { fill: none; stroke: var(--line); stroke-width: 1; }
svg .goal { stroke: var(--ink); stroke-dasharray: 2 3; }
"""

_PAPER: Final = """
@page { margin: 15mm; }
@media print {
  :root {
    --paper: #fff; --ink: #000; --quiet: #333; --box: #fff; --line: #888; --alarm: #000; --fair: #000;
    --doubt: #000; --first: #000; --second: #000; --c: #000; --d: #000; --h: #000; --s: #000;
    color-scheme: light; font-size: 9pt;
  }
  body { line-height: 1.35; max-width: none; padding: 0; }
  th, td { padding: 0.05rem 0.3rem; }
  .card { padding: 0 0.15rem; }
  .shuffles { font-size: 7pt; line-height: 1.2; }
  .tricks { grid-template-columns: 1fr 1fr; gap: 0.2rem 0.8rem; }
  figure { width: 47%; }
  a { text-decoration: none; }
  .deal, article + article, .again { break-before: page; }
  h1, h2, h3, h4, caption { break-after: avoid; }
  table, figure, .verdict { break-inside: avoid; }
  .summary, .tricks { break-inside: auto; }
  svg .first, .key.first { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""

STYLE: Final = _COLOURS + _TEXT + _TABLES + _CHARTS + _PAPER
