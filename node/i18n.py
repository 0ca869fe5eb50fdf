"""The one door through which every sentence that people read must pass.

The English sentence itself is the key, as in gettext. Its translations lie in ``node/locale/*.po``, for the
terminal and the page alike; ``python -m tests.catalogue`` brings those files up to date with the code. They
are read when the first sentence is translated, so a program that speaks English never opens them.
"""

from __future__ import annotations

import contextlib
import locale
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gettext import GNUTranslations

    from babel.messages import Catalog

__all__ = [
    "LANGUAGES",
    "LANGUAGE_VARIABLE",
    "asked_language",
    "best_language",
    "language",
    "messages",
    "plural",
    "set_language",
    "speaking",
    "tr",
]

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "ru", "ar")
LANGUAGE_VARIABLE: Final = "KOZEL_LANG"
"""Environment variable: the language to speak, whatever the system's is."""

_FOLDER: Final = Path(__file__).parent / "locale"
_OPTION: Final = "--lang"
_SYSTEM_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which POSIX asks them; one that is empty counts as not set."""
# Windows names a locale in words: Russian_Russia.1251.
_CODES: Final = {**{code: code for code in LANGUAGES}, "english": ENGLISH, "russian": "ru", "arabic": "ar"}


@dataclass(slots=True)
class _Program:
    language: str = ENGLISH


_program = _Program()
_spoken: ContextVar[str | None] = ContextVar("language", default=None)


def tr(message: str, /, **fields: object) -> str:
    """Return `message` in the reader's language with its `{fields}` filled in.

    A sentence that has no fields is returned as it stands, braces included.
    """
    spoken = language()
    # The empty key is the catalogue's header.
    found = message if spoken == ENGLISH or not message else _translations(spoken).gettext(message)
    return _filled(found, message, fields)


def plural(one: str, many: str, count: int, /, **fields: object) -> str:
    """Return the sentence for `count` things, which is available as `{count}`.

    English has a singular and a plural; a translation has the forms of its language.
    """
    spoken = language()
    english = one if count == 1 else many
    found = english if spoken == ENGLISH else _translations(spoken).ngettext(one, many, count)
    return _filled(found, english, dict(count=count, **fields))


def language() -> str:
    """The language spoken here and now: of this context, else of the program."""
    return _spoken.get() or _program.language


def set_language(code: str) -> None:
    """Let the whole program speak this language, English if it is not one of :data:`LANGUAGES`."""
    _program.language = best_language([code])


@contextlib.contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak another language in this context alone: other tasks and threads go on in theirs."""
    token = _spoken.set(best_language([code]))
    try:
        yield
    finally:
        _spoken.reset(token)


def best_language(wanted: Iterable[str]) -> str:
    """The first of these that is spoken here, English if none is.

    Language tags and names of locales are understood: ru, ru-RU, ar_EG.UTF-8.
    """
    codes = (_CODES.get(re.split(r"[-_.@;]", tag.strip().lower())[0]) for tag in wanted)
    return next((code for code in codes if code is not None), ENGLISH)


def asked_language(arguments: Sequence[str], environ: Mapping[str, str]) -> str:
    """The language that a command line asks for: by ``--lang`` before the command, by the variable
    :data:`LANGUAGE_VARIABLE`, or else by the system's locale.
    """
    asked = _option(arguments) or environ.get(LANGUAGE_VARIABLE)
    system = next((environ[name] for name in _SYSTEM_VARIABLES if environ.get(name)), None)
    return best_language([asked or system or _locale()])


def messages(code: str) -> dict[str, list[str]]:
    """All translations, for a reader that fills them in itself: key (the singular) to forms.

    A sentence without a plural has one form. The forms of a plural stand in the order of the CLDR's
    categories (zero, one, two, few, many, other) as far as integers of the language use them, so with
    ``Intl.PluralRules``: one, few, many in Russian, all six in Arabic. Empty for English.
    """
    spoken = best_language([code])
    if spoken == ENGLISH:
        return {}
    forms = {}
    for message in _catalogue(spoken):
        key, found = message.id, message.string
        strings = [found] if isinstance(found, str) else list(found or [""])
        if key and all(strings) and not message.fuzzy:
            forms[key if isinstance(key, str) else key[0]] = strings
    return forms


def _filled(found: str, english: str, fields: dict[str, object]) -> str:
    if not fields:
        return found
    # Rather an English sentence than none, should a translation name fields that there are not.
    with contextlib.suppress(LookupError, ValueError, AttributeError, TypeError):
        return found.format(**fields)
    return english.format(**fields)


@cache
def _catalogue(code: str) -> Catalog:
    from babel.messages.pofile import read_po

    with (_FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


@cache
def _translations(code: str) -> GNUTranslations:
    from gettext import GNUTranslations
    from io import BytesIO

    from babel.messages.mofile import write_mo

    # The standard library looks sentences up and evaluates the plural rule, but reads only this format.
    compiled = BytesIO()
    write_mo(compiled, _catalogue(code))
    compiled.seek(0)
    return GNUTranslations(compiled)


def _option(arguments: Sequence[str]) -> str | None:
    """The value of ``--lang``, if it stands before the command."""
    found, rest = None, iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name == _OPTION:
            found = value if equals else next(rest, None)
        elif not argument.startswith("-"):
            break
    return found


def _locale() -> str:
    """The name of the locale where no variable says it, as on Windows."""
    try:
        return locale.getlocale()[0] or ""
    except ValueError:
        return ""
