"""The catalogues are whole and fit the code, and no sentence goes past them."""

from __future__ import annotations

import ast
import builtins
import re
import string
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from node import errors
from node.i18n import messages
from tests.catalogue import LOCALE, ROOT, Key, page_keys, python_keys, sentences, template, untranslated

CODES = ("ru", "ar")
_UP_TO = 200
"""Plural rules are tried with the numbers below this one: both languages repeat after a hundred."""


@pytest.fixture(scope="module", params=CODES)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    """A language's file."""
    return _read(LOCALE / f"{request.param}.po", request.param)


@pytest.fixture(scope="module")
def keys() -> list[Key]:
    """Every sentence in the code."""
    return [*python_keys(), *page_keys()]


def _read(path: Path, code: str) -> Catalog:
    return read_po(path.read_text(encoding="utf-8").splitlines(), locale=code)


def _entries(catalogue: Catalog) -> Iterator[tuple[Message, list[str], list[str]]]:
    """Each message that is translated, with its keys (two with a plural) and its translations."""
    lacking = {message.id for message in untranslated(catalogue)}
    for message in catalogue:
        if message.id and message.id not in lacking:
            both = (message.id, message.string)
            one, other = ([text] if isinstance(text, str) else list(text or ()) for text in both)
            yield message, one, other


def _fields(text: str) -> set[tuple[str, str | None, str | None]]:
    """The fields of a template with their formats and conversions."""
    return {
        (name, spec, conversion)
        for _, name, spec, conversion in string.Formatter().parse(text)
        if name is not None
    }


# The catalogues against the code


def test_nothing_is_missing_or_unused(catalogue: Catalog, keys: list[Key]) -> None:
    """Mend it with: python -m tests.catalogue"""
    assert len(keys) > 400
    wanted = {message.id for message in template(keys)}
    assert {message.id for message in catalogue} == wanted
    assert not catalogue.obsolete


def test_nothing_is_untranslated(catalogue: Catalog) -> None:
    assert [message.id for message in untranslated(catalogue)] == []


def test_a_key_has_one_plural(keys: list[Key]) -> None:
    plurals: dict[str, set[str | None]] = {}
    for key in keys:
        plurals.setdefault(key.one, set()).add(key.many)
    assert {one: many for one, many in plurals.items() if len(many) > 1} == {}


def test_translations_have_the_fields_of_their_keys(catalogue: Catalog) -> None:
    count = ("count", "", None)
    for message, keys, forms in _entries(catalogue):
        wanted = set.union(*map(_fields, keys))
        for number, form in enumerate(forms):
            found = _fields(form)
            if len(keys) == 1:
                assert found == wanted, message.id
                continue
            assert found - {count} == wanted - {count}, message.id
            # A form for one number alone may say it in words.
            numbers = [n for n in range(_UP_TO) if _form_of(catalogue, n) == number]
            assert (count in found) or len(numbers) == 1 or count not in wanted, message.id


def _form_of(catalogue: Catalog, count: int) -> int:
    """Which form the file's own rule chooses: C's expression, in Python's words."""
    conditions = re.sub(r"&&", " and ", re.sub(r"\|\|", " or ", catalogue.plural_expr)).strip("() ")
    *tests, last = conditions.split(" : ")
    for test in tests:
        condition, _, form = test.partition("?")
        if eval(condition, {"n": count}):
            return int(form)
    return int(last)


@pytest.mark.parametrize(
    ("code", "forms"),
    [("ru", {1: 0, 2: 1, 5: 2, 11: 2, 21: 0, 0: 2}), ("ar", {0: 0, 1: 1, 2: 2, 3: 3, 11: 4, 100: 5})],
)
def test_the_rule_of_plurals_is_read_rightly(code: str, forms: dict[int, int]) -> None:
    catalogue = _read(LOCALE / f"{code}.po", code)
    assert {count: _form_of(catalogue, count) for count in forms} == forms


_COMMAND = re.compile(r"kozel [a-z-]+|--[a-z]+|HOST:PORT|KOZEL[_A-Z:]*|ufw|firewalld|(?<!\d)\d+(?!\d)")
_PARTS = re.compile(r"\{[^}]*\}|" + _COMMAND.pattern)


def test_translations_keep_commands_options_and_numbers(catalogue: Catalog) -> None:
    for message, keys, forms in _entries(catalogue):
        if len(keys) == 1:
            missing = set(_COMMAND.findall(keys[0])) - set(_COMMAND.findall(forms[0]))
            assert not missing, message.id


def test_translations_begin_and_end_as_their_keys(catalogue: Catalog) -> None:
    edges = re.compile(r"^(===|---|\s*).*?(===|---|\s*)$", re.DOTALL)
    # These three columns of one table are as wide as the widest of them.
    padded = {"ok   ", "note ", "WRONG"}
    for message, keys, forms in _entries(catalogue):
        if message.id not in padded:
            wanted = edges.fullmatch(keys[-1])
            found = [edges.fullmatch(form) for form in forms]
            assert wanted is not None
            assert all(one is not None and one.groups() == wanted.groups() for one in found), message.id
    marks = [form for message, _, (form, *_) in _entries(catalogue) if message.id in padded]
    assert len(marks) == len(padded)
    assert len(set(map(len, marks))) == 1


def test_nothing_was_copied_instead_of_translated(catalogue: Catalog) -> None:
    for message, keys, forms in _entries(catalogue):
        words = re.search(r"[^\W\d_]{2}", _PARTS.sub("", keys[0]))
        assert words is None or not set(keys) & set(forms), message.id


def test_translations_hold_no_invisible_characters(catalogue: Catalog) -> None:
    """They are stored in logical order, and whoever shows them knows their direction."""
    for message, _, forms in _entries(catalogue):
        for form in forms:
            assert not [char for char in form if unicodedata.category(char) in {"Cc", "Cf", "Co"}], message.id


def test_the_program_reads_all_of_them(catalogue: Catalog) -> None:
    read = messages(catalogue.locale_identifier or "")
    assert read == {keys[0]: forms for _, keys, forms in _entries(catalogue)}


# The code against the catalogues

FACES = (
    "node/cli.py",
    "node/command_line/",
    "node/commands/",
    "node/doctor/",
    "node/terminal/",
    "node/words/",
)
"""Modules that talk to people: every string of several words in them is a sentence."""

SAYING = {"print", "say", "say_unbroken", "ask", "line", "add_column", "BadParameter", "Finding", "Refusal"}
"""What shows its arguments to people, in any module, and so does every NodeError."""

SHOWN = {"help", "title"}
"""Keyword arguments that are shown to people."""


def _node_errors() -> set[str]:
    return {name for name, kind in vars(errors).items() if isinstance(kind, type)}


def _has_words(text: str) -> bool:
    """A space and a letter; `%Y-%m-%d %H:%M` has none."""
    plain = re.sub(r"%[A-Za-z]", "", text)
    return " " in plain and any(char.isalpha() for char in plain)


def _literals(node: ast.AST) -> Iterator[ast.Constant]:
    """The strings that an expression may be made of; what calls return is no business of its caller."""
    match node:
        case ast.Constant(value=str()):
            yield node
        case ast.Call(func=ast.Attribute(value=ast.Constant() as text)):
            yield from _literals(text)
        case ast.Call():
            return
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _literals(child)


def _for_developers(tree: ast.Module) -> Iterator[ast.AST]:
    """Docstrings, those of attributes too, and what is said of a mistake in the program itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text) | ast.Assert(msg=ast.Constant() as text):
                yield text
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name)) as made) if hasattr(builtins, name):
                yield from ast.walk(made)


def _shown(tree: ast.Module) -> Iterator[ast.Constant]:
    """The strings that are given to what shows them."""
    saying = SAYING | _node_errors()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            shown = [word.value for word in node.keywords if word.arg in SHOWN]
            for argument in [*node.args, *shown] if name in saying else shown:
                yield from _literals(argument)


def unspoken(source: str, *, face: bool) -> list[str]:
    """The sentences of a module that people read and that no catalogue can translate."""
    tree = ast.parse(source)
    translated = {id(literal) for literals in sentences(tree) for literal in literals}
    suspects: Iterable[ast.AST] = ast.walk(tree) if face else _shown(tree)
    passed = translated | set(map(id, _for_developers(tree)))
    return [
        node.value
        for node in suspects
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _has_words(node.value)
        and id(node) not in passed
    ]


def test_no_sentence_goes_past_the_catalogues() -> None:
    found = []
    for path in sorted((ROOT / "node").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        source = path.read_text(encoding="utf-8")
        found += [(place, text) for text in unspoken(source, face=place.startswith(FACES))]
    assert found == []


@pytest.mark.parametrize(
    ("source", "face"),
    [
        ("print('Too late')", False),
        ("print(f'{name} is late')", False),
        ("print('Too' + ' late' if late else tr('In time'))", False),
        ("print('{} is late'.format(name))", False),
        ("screen.say(*['Too late', tr('Come')])", False),
        ("raise LobbyFull('No seat is free')", False),
        ("raise errors.LobbyFull('No seat is free') from None", False),
        ("x = typer.Option(help='How many seats')", False),
        ("Table(title='Score sheet')", False),
        ("LINES = {'a': 'Too late'}\nsay(LINES['a'])", True),
        ("lines.append('Too late')", True),
    ],
)
def test_the_scan_sees(source: str, face: bool) -> None:
    assert unspoken(source, face=face)


@pytest.mark.parametrize(
    ("source", "face"),
    [
        ("print(tr('Too late'))", True),
        ("print(plural('one day', '{count} days', 2), file=x)", True),
        ("LINES = {'a': 'Too late'}\nsay(tr(LINES[code]))", True),
        ("def f():\n    'Says it is late.'", True),
        ("x = 1\n'The number of days.'", True),
        ("print('   ', f'  {tr(\"Too late\")}')", True),
        ("time.strftime('%Y-%m-%d %H:%M')", True),
        ("raise ValueError('a port is at most 65535')", True),
        ("assert taker is not None, 'somebody has taken it'", True),
        ("db.execute('PRAGMA user_version')", False),
    ],
)
def test_the_scan_lets_pass(source: str, face: bool) -> None:
    assert unspoken(source, face=face) == []
