"""Bring the translations in node/locale up to date with the code: ``python -m tests.catalogue``.

Keys come from ``tr`` and ``plural`` in node/**/*.py and from ``t`` and ``tn`` in node/web/page/**/*.js. A key
is written out where it is used, or stands in a table: ``tr(TABLE[code])`` makes every value of the module's
dictionary `TABLE` a key. Translations are kept. A key that resembles one that is gone begins with the old
translation, marked fuzzy, and counts as not translated until that mark is removed. What no code uses any
more is kept as a comment, until the command is given ``--drop``.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from node.i18n import ENGLISH, LANGUAGES

ROOT: Final = Path(__file__).parents[1]
LOCALE: Final = ROOT / "node" / "locale"

_WIDTH: Final = 110
# A call of `t` or `tn`, though not their definition, whose first argument is no string.
_NOT_WRITTEN_OUT: Final = re.compile(r"(?<![\w.$#])(?<!function )tn?\((?!\s*(?:[\"']|$))")
_PLURALS: Final = {
    "ru": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0"
        " : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
    ),
    "ar": (
        "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);"
    ),
}
"""The forms in the order of the CLDR's categories: zero, one, two, few, many, other."""

_HEADER: Final = """\
# Translations of Kozel. Written by hand, brought up to date by: python -m tests.catalogue
msgid ""
msgstr ""
"Project-Id-Version: kozel\\n"
"Language: {code}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


@dataclass(frozen=True, slots=True)
class Key:
    """A sentence to translate; `many` is its plural, if it has one. `place` is a file below the root."""

    one: str
    many: str | None
    place: str


class Unreadable(Exception):
    """A sentence is not written out where it is used, so it cannot be found and translated."""


def sentences(tree: ast.Module, place: str = "") -> Iterator[tuple[ast.Constant, ...]]:
    """The literals of each key of a Python module: one, or two if it has a plural. Raises Unreadable."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="tr"), args=[ast.Constant() as one]):
                yield (one,)
            case ast.Call(func=ast.Name(id="tr"), args=[ast.Subscript(value=ast.Name(id=name))]):
                yield from ((value,) for value in _table(tree, name, place))
            case ast.Call(
                func=ast.Name(id="plural"), args=[ast.Constant() as one, ast.Constant() as many, _]
            ):
                yield one, many
            case ast.Call(func=ast.Name(id="tr" | "plural")):
                raise Unreadable(f"{place}:{node.lineno}: {ast.unparse(node)}")


def _table(tree: ast.Module, name: str, place: str) -> list[ast.Constant]:
    """The values of a dictionary of the module."""
    for statement in tree.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.Dict(values=values)) if found == name:
                return [value for value in values if isinstance(value, ast.Constant)]
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Dict(values=values)) if found == name:
                return [value for value in values if isinstance(value, ast.Constant)]
    raise Unreadable(f"{place}: the table {name} is not in this module")


def python_keys(root: Path = ROOT) -> Iterator[Key]:
    """The keys of the program."""
    for path in sorted((root / "node").rglob("*.py")):
        place = path.relative_to(root).as_posix()
        found = list(sentences(ast.parse(path.read_text(encoding="utf-8")), place))
        for one, *many in sorted(found, key=lambda literals: (literals[0].lineno, literals[0].col_offset)):
            yield Key(str(one.value), str(many[0].value) if many else None, place)


def page_keys(root: Path = ROOT) -> Iterator[Key]:
    """The keys of the page. Raises Unreadable."""
    for path in sorted((root / "node" / "web" / "page").rglob("*.js")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if _NOT_WRITTEN_OUT.search(line):
                raise Unreadable(f"{path.relative_to(root).as_posix()}:{number}: {line.strip()}")
        with path.open("rb") as file:
            found = list(extract("javascript", file, keywords={"t": None, "tn": (1, 2)}))
        for _, message, _, _ in found:
            one, *many = [message] if isinstance(message, str) else message
            yield Key(one, many[0] if many else None, path.relative_to(root).as_posix())


def template(keys: Iterable[Key]) -> Catalog:
    """All keys, in the order of their first use."""
    catalog = Catalog(charset="utf-8")
    for key in keys:
        catalog.add(key.one if key.many is None else (key.one, key.many), locations=[(key.place, 0)])
    return catalog


def update(path: Path, code: str, keys: Iterable[Key], *, drop: bool = False) -> Catalog:
    """Bring one file up to date, or begin it, and return what it holds now."""
    text = path.read_text(encoding="utf-8") if path.exists() else _header(code)
    catalog = read_po(text.splitlines(), locale=code)
    # Translations that were no longer used may be wanted again.
    for message in list(catalog.obsolete.values()):
        catalog[message.id] = message
    catalog.update(template(keys))
    with path.open("wb") as file:
        file.write(_header(code).encode())
        write_po(file, catalog, _WIDTH, omit_header=True, ignore_obsolete=drop, include_lineno=False)
    return catalog


def _header(code: str) -> str:
    return _HEADER.format(code=code, plurals=_PLURALS[code])


def untranslated(catalog: Catalog) -> list[Message]:
    """The sentences that are still shown in English."""
    return [one for one in catalog if one.id and (one.fuzzy or not all(_forms(one)))]


def _forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))


def main() -> int:
    """Update all files; exit code 1 if something is not translated."""
    parser = argparse.ArgumentParser(prog="python -m tests.catalogue", description=__doc__)
    parser.add_argument("--drop", action="store_true", help="forget translations that no code uses any more")
    drop = parser.parse_args().drop
    keys = [*python_keys(), *page_keys()]
    missing = 0
    for code in LANGUAGES:
        if code == ENGLISH:
            continue
        catalog = update(LOCALE / f"{code}.po", code, keys, drop=drop)
        lacking = untranslated(catalog)
        missing += len(lacking)
        for kind, found in (("untranslated", lacking), ("unused", list(catalog.obsolete.values()))):
            for message in found:
                print(f"{code}: {'fuzzy' if message.fuzzy else kind}: {message.id}")
        print(
            f"{code}: {len(catalog)} sentences, {len(lacking)} untranslated, {len(catalog.obsolete)} unused"
        )
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
