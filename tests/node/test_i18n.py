"""Which language is spoken, to whom, and how a sentence is found in it."""

from __future__ import annotations

import asyncio
import locale
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel import Locale

from node import i18n
from node.i18n import (
    LANGUAGES,
    asked_language,
    best_language,
    language,
    messages,
    plural,
    set_language,
    speaking,
    tr,
)
from tests.catalogue import Key, update
from tests.node.commands import kozel

HOST = "Host"
HOST_IN = {"en": "Host", "ru": "Хозяин", "ar": "المضيف"}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """The program speaks English again after each test."""
    yield
    set_language("en")


@pytest.fixture
def russian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Lets a Russian catalogue with these entries take the place of the real one."""

    def write(entries: str) -> None:
        update(tmp_path / "ru.po", "ru", [])
        with (tmp_path / "ru.po").open("a", encoding="utf-8") as file:
            file.write(entries)

    def forget() -> None:
        i18n._catalogue.cache_clear()
        i18n._translations.cache_clear()

    monkeypatch.setattr(i18n, "_FOLDER", tmp_path)
    forget()
    yield write
    forget()


def test_english_is_the_sentence_itself() -> None:
    assert tr("a {b} c") == "a {b} c"
    assert tr("a {b} c", b=1) == "a 1 c"
    assert tr("") == ""
    assert [plural("{count} day of {of}", "{count} days of {of}", n, of=7) for n in (0, 1, 2)] == [
        "0 days of 7",
        "1 day of 7",
        "2 days of 7",
    ]
    with pytest.raises(KeyError):
        tr("a {b} c", c=1)


@pytest.mark.parametrize(("code", "loaded"), [("en", False), ("ru", True)])
def test_only_another_language_loads_the_catalogues(code: str, loaded: bool) -> None:
    script = "import sys, node.cli; print('babel' in sys.modules)"
    environment = {**os.environ, "KOZEL_LANG": code}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(loaded)


@pytest.mark.parametrize(
    ("code", "count", "words"),
    [
        ("ru", 1, "1 карта"),
        ("ru", 2, "2 карты"),
        ("ru", 5, "5 карт"),
        ("ru", 11, "11 карт"),
        ("ru", 21, "21 карта"),
        ("ar", 0, "لا أوراق"),
        ("ar", 1, "ورقة واحدة"),
        ("ar", 2, "ورقتان"),
        ("ar", 3, "3 أوراق"),
        ("ar", 11, "11 ورقة"),
        ("ar", 100, "100 ورقة"),
    ],
)
def test_numbers_have_the_forms_of_the_language(code: str, count: int, words: str) -> None:
    with speaking(code):
        assert plural("{count} card", "{count} cards", count) == words


@pytest.mark.parametrize("code", ["ru", "ar"])
def test_forms_stand_in_the_order_of_the_cldr(code: str) -> None:
    """So that a page can choose among them with Intl.PluralRules."""
    categories = [str(Locale.parse(code).plural_form(count)) for count in range(1200)]
    order: list[str] = [name for name in ("zero", "one", "two", "few", "many", "other") if name in categories]
    forms = messages(code)["{count} deal finished"]
    assert len(forms) == len(order)
    with speaking(code):
        for count, category in enumerate(categories):
            said = plural("{count} deal finished", "{count} deals finished", count)
            assert said == forms[order.index(category)].format(count=count)


def test_a_sentence_without_translation_stays_english() -> None:
    with speaking("ar"):
        assert tr("No catalogue holds this {what}.", what="key") == "No catalogue holds this key."
        assert plural("{count} gnu", "{count} gnus", 11) == "11 gnus"
        assert tr("") == ""


@pytest.mark.parametrize("translation", ["{nmae}", "{", "{0}", "{name.last}", "{name[last]}", "{name:d}"])
def test_a_translation_that_does_not_fit_is_passed_over(
    russian: Callable[[str], None], translation: str
) -> None:
    russian(f'msgid "Dear {{name}}"\nmsgstr "Милая {translation}"\n')
    with speaking("ru"):
        assert tr("Dear {name}") == f"Милая {translation}"
        assert tr("Dear {name}", name="Vera") == "Dear Vera"
        with pytest.raises(KeyError):
            tr("Dear {name}", nmea="Vera")


def test_what_is_fuzzy_or_empty_is_not_spoken(russian: Callable[[str], None]) -> None:
    russian('#, fuzzy\nmsgid "tea"\nmsgstr "кофе"\n\nmsgid "jam"\nmsgstr ""\n\nmsgid "rye"\nmsgstr "рожь"\n')
    with speaking("ru"):
        assert [tr(word) for word in ("tea", "jam", "rye")] == ["tea", "jam", "рожь"]
    assert messages("ru") == {"rye": ["рожь"]}


def test_messages_hold_what_is_spoken() -> None:
    assert messages("en") == messages("xx") == {}
    assert messages("ru")[HOST] == [HOST_IN["ru"]]
    assert messages("ru")["{count} card"] == ["{count} карта", "{count} карты", "{count} карт"]
    assert "" not in messages("ru")
    assert messages("ar").keys() == messages("ru").keys()


def test_the_program_speaks_one_language_in_all_threads() -> None:
    heard = []
    for code in LANGUAGES:
        set_language(code)
        thread = threading.Thread(target=lambda: heard.append(tr(HOST)))
        thread.start()
        thread.join()
        assert (language(), tr(HOST)) == (code, HOST_IN[code])
    assert heard == [HOST_IN[code] for code in LANGUAGES]


def test_a_language_unknown_is_english() -> None:
    set_language("xx")
    assert language() == "en"
    set_language("ru")
    with speaking("xx"):
        assert tr(HOST) == "Host"
    assert tr(HOST) == HOST_IN["ru"]


def test_a_context_ends_with_its_block_whatever_happens() -> None:
    with speaking("ru"):
        with pytest.raises(ZeroDivisionError), speaking("ar"):
            assert language() == "ar"
            raise ZeroDivisionError
        assert language() == "ru"
    assert language() == "en"


def test_each_task_speaks_its_own_language() -> None:
    async def reader(code: str, all_here: asyncio.Barrier) -> list[str]:
        with speaking(code):
            heard = [tr(HOST)]
            await all_here.wait()  # All three are within their blocks now.
            heard += [tr(HOST), await asyncio.to_thread(tr, HOST)]
            await all_here.wait()
        return [*heard, tr(HOST)]

    async def talk() -> list[list[str]]:
        all_here = asyncio.Barrier(len(LANGUAGES))
        return await asyncio.gather(*(reader(code, all_here) for code in LANGUAGES))

    assert asyncio.run(talk()) == [[HOST_IN[code]] * 3 + ["Host"] for code in LANGUAGES]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ([], "en"),
        (["ru"], "ru"),
        (["ru-RU"], "ru"),
        (["AR_eg.UTF-8"], "ar"),
        (["ar@euro"], "ar"),
        ([" ru;q=0.8"], "ru"),
        (["de-DE", "fr", "ar", "ru"], "ar"),
        (["en-US", "ru"], "en"),
        (["de"], "en"),
        (["C.UTF-8"], "en"),
        (["POSIX", ""], "en"),
        (["rus"], "en"),
        (["Russian_Russia"], "ru"),
        (["Arabic_Saudi Arabia.1256"], "ar"),
    ],
)
def test_the_best_language(wanted: list[str], code: str) -> None:
    assert best_language(wanted) == code


@pytest.mark.parametrize(
    ("command", "environ", "code"),
    [
        ("--lang ru play", {}, "ru"),
        ("--lang=ar play", {"KOZEL_LANG": "ru"}, "ar"),
        ("--lang ru --lang ar --help", {}, "ar"),
        ("play --lang ru", {}, "en"),
        ("--lang", {"KOZEL_LANG": "ru"}, "ru"),
        ("--lang xx play", {"KOZEL_LANG": "ru"}, "en"),
        ("play", {"KOZEL_LANG": "ru", "LC_ALL": "ar_EG.UTF-8"}, "ru"),
        ("play", {"KOZEL_LANG": "xx", "LC_ALL": "ar_EG.UTF-8"}, "en"),
        ("play", {"KOZEL_LANG": "", "LC_ALL": "ar_EG.UTF-8", "LANG": "ru_RU.UTF-8"}, "ar"),
        ("play", {"LC_ALL": "", "LC_MESSAGES": "ru_RU.UTF-8", "LANG": "ar_EG"}, "ru"),
        ("play", {"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "en"),
        ("", {"LANG": "ru_RU.UTF-8"}, "ru"),
    ],
)
def test_who_says_which_language(command: str, environ: dict[str, str], code: str) -> None:
    assert asked_language(command.split(), environ) == code


@pytest.mark.parametrize(
    ("name", "code"), [("Russian_Russia", "ru"), ("ar_EG", "ar"), ("C", "en"), (None, "en")]
)
def test_without_a_variable_the_locale_says_it(
    monkeypatch: pytest.MonkeyPatch, name: str | None, code: str
) -> None:
    monkeypatch.setattr(locale, "getlocale", lambda: (name, None))
    assert asked_language([], {}) == code


def test_a_locale_that_python_does_not_know_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> tuple[str | None, str | None]:
        raise ValueError("unknown locale")

    monkeypatch.setattr(locale, "getlocale", unknown)
    assert asked_language([], {}) == "en"


@pytest.mark.parametrize(
    ("code", "words"), [("en", "The code on the host's screen."), ("ru", "Код с экрана хозяина.")]
)
def test_the_command_line_speaks_as_asked(tmp_path: Path, code: str, words: str) -> None:
    done = kozel("--lang", code, "join", "--help", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert words in done.stdout


def test_the_environment_is_asked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOZEL_LANG", "ar")
    assert "الرمز الظاهر على شاشة المضيف." in kozel("join", "--help", home=tmp_path).stdout
    monkeypatch.delenv("KOZEL_LANG")
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    assert "Код с экрана хозяина." in kozel("join", "--help", home=tmp_path).stdout


def test_what_goes_wrong_is_said_in_the_language_too(tmp_path: Path) -> None:
    done = kozel("--lang", "ru", "audit", tmp_path / "none.kozel", home=tmp_path)
    assert done.returncode == 2
    assert "Проверить ничего не удалось." in done.stdout


def test_an_unknown_language_is_refused_on_the_command_line(tmp_path: Path) -> None:
    done = kozel("--lang", "xx", "matches", home=tmp_path)
    assert done.returncode == 2
    assert "--lang" in done.stderr


def test_a_new_file_of_translations_is_spoken(tmp_path: Path, russian: Callable[[str], None]) -> None:
    update(tmp_path / "ru.po", "ru", [Key("{n} gnu", "{n} gnus", "herd.py")])
    text = (tmp_path / "ru.po").read_text(encoding="utf-8")
    for number, form in enumerate(("{n} гну-один", "{n} гну-два", "{n} гну-пять")):
        text = text.replace(f'msgstr[{number}] ""', f'msgstr[{number}] "{form}"')
    (tmp_path / "ru.po").write_text(text, encoding="utf-8")
    with speaking("ru"):
        assert [plural("{n} gnu", "{n} gnus", n, n=n) for n in (21, 3, 12)] == [
            "21 гну-один",
            "3 гну-два",
            "12 гну-пять",
        ]
