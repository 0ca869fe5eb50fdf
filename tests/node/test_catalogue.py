"""The developer's command that keeps the catalogues: what it finds, keeps and forgets."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.catalogue import Key, Unreadable, page_keys, python_keys, sentences, untranslated, update


def test_keys_are_found_in_python(tmp_path: Path) -> None:
    (tmp_path / "node").mkdir()
    table = 'TABLE: dict[str, str] = {"a": "in a " "table"}\n'
    source = table + 'tr("one", x=1)\nplural("two", "twos", 2)\ntr(TABLE[a])'
    (tmp_path / "node" / "some.py").write_text(source, encoding="utf-8")
    assert list(python_keys(tmp_path)) == [
        Key("in a table", None, "node/some.py"),
        Key("one", None, "node/some.py"),
        Key("two", "twos", "node/some.py"),
    ]


@pytest.mark.parametrize(
    "source",
    ["tr(message)", "plural(one, many, 2)", "tr(f'{a} day')", "tr(TABLE[a])", "tr('a' if b else 'c')"],
)
def test_a_key_must_be_written_out(source: str) -> None:
    with pytest.raises(Unreadable, match=r"some\.py"):
        list(sentences(ast.parse(source), "some.py"))


def test_keys_are_found_on_the_page(tmp_path: Path) -> None:
    folder = tmp_path / "node" / "web" / "page" / "parts"
    folder.mkdir(parents=True)
    numbers = 'show(tn("{count} card", "{count} cards", n));\n'
    source = f'show(t("Your turn"));\n{numbers}show(t("a " +\n  "b", {{x: 1}}));'
    (folder / "some.js").write_text(source, encoding="utf-8")
    assert list(page_keys(tmp_path)) == [
        Key("Your turn", None, "node/web/page/parts/some.js"),
        Key("{count} card", "{count} cards", "node/web/page/parts/some.js"),
        Key("a b", None, "node/web/page/parts/some.js"),
    ]


@pytest.mark.parametrize("source", ["show(t(message));", "t(`Your ${thing}`)", "tn(one, many, 2)"])
def test_a_key_of_the_page_must_be_written_out_too(tmp_path: Path, source: str) -> None:
    folder = tmp_path / "node" / "web" / "page"
    folder.mkdir(parents=True)
    (folder / "some.js").write_text(f'export function t(message) {{}}\nput("a");\n{source}', encoding="utf-8")
    with pytest.raises(Unreadable, match=r"some\.js:3"):
        list(page_keys(tmp_path))


def _translate(path: Path, key: str, translation: str) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace(f'msgid "{key}"\nmsgstr ""', f'msgid "{key}"\nmsgstr "{translation}"'), "utf-8"
    )


def test_an_update_keeps_what_was_translated(tmp_path: Path) -> None:
    path = tmp_path / "ru.po"
    first = [Key("Your turn", None, "a.js"), Key("{n} card", "{n} cards", "a.js")]
    assert len(untranslated(update(path, "ru", first))) == 2
    _translate(path, "Your turn", "Ваш ход")
    before = path.read_bytes()
    assert [one.id for one in untranslated(update(path, "ru", first))] == [("{n} card", "{n} cards")]
    assert path.read_bytes() == before


def test_a_translation_without_use_waits_until_it_is_wanted_or_dropped(tmp_path: Path) -> None:
    path, turn, other = tmp_path / "ru.po", Key("Your turn", None, "a.js"), Key("Quit", None, "a.js")
    update(path, "ru", [turn, other])
    _translate(path, "Your turn", "Ваш ход")
    for _ in range(2):
        assert list(update(path, "ru", [other]).obsolete) == ["Your turn"]
    found = update(path, "ru", [turn, other]).get("Your turn")
    assert found is not None
    assert found.string == "Ваш ход"
    update(path, "ru", [other], drop=True)
    assert "Ваш ход" not in path.read_text(encoding="utf-8")


def test_a_reworded_key_begins_with_the_old_translation(tmp_path: Path) -> None:
    path = tmp_path / "ru.po"
    update(path, "ru", [Key("It is your turn now.", None, "a.js")])
    _translate(path, "It is your turn now.", "Сейчас ваш ход.")
    catalogue = update(path, "ru", [Key("It is your turn.", None, "a.js")])
    assert [(one.id, one.string) for one in untranslated(catalogue)] == [
        ("It is your turn.", "Сейчас ваш ход.")
    ]
