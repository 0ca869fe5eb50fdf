"""The picture: well-formed, self-contained, harmless whatever people are called, and true."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from node.history.figures import Figures, Result, Together, Turn
from node.history.picture import picture_of
from node.i18n import speaking

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = Figures(
    won=31,
    lost=27,
    unfinished=5,
    goats_given=29,
    goats_given_with_eggs=4,
    goats_suffered=26,
    goats_suffered_with_eggs=3,
    deals_won=171,
    deals_lost=165,
    deals_eggs=9,
    defeat_points_given=612,
    defeat_points_taken=598,
    tricks=1234,
    molodkas=47,
    molodkas_won=38,
    partners=(Together(bytes(32), "Vera", 40, 22, 17), Together(b"b" * 32, "Gleb", 23, 9, 10)),
    course=(
        Turn(b"1" * 32, 1e9, Result.WON, 13, 8),
        Turn(b"2" * 32, 1.1e9, Result.LOST, 6, 12),
        Turn(b"3" * 32, 1.2e9, Result.UNFINISHED, 0, 2),
    ),
)


def texts(picture: str) -> list[str]:
    """What is written in the picture, without what is shown on pointing."""
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]


def test_the_picture_holds_the_numbers() -> None:
    written = " | ".join(texts(picture_of("Anna", FIGURES)))
    numbers = [*map(int, re.findall(r"\d+", written))]
    for number in (31, 27, 5, 29, 26, 4, 3, 612, 598, 171, 165, 345, 1234, 47, 38, 40, 22, 17, 23, 9, 10):
        assert number in numbers
    assert "Anna" in written
    assert "Vera" in written


def test_bars_are_as_long_as_what_they_stand_for() -> None:
    boxes = [
        e
        for e in ET.fromstring(picture_of("Anna", FIGURES)).iter(f"{SVG}rect")
        if e.find(f"{SVG}title") is not None
    ]
    heights = [float(box.get("height", "")) for box in boxes]
    given, taken = heights[0::2], heights[1::2]
    assert given[0] / taken[0] == pytest.approx(13 / 8, rel=0.01)
    assert taken[1] / given[1] == pytest.approx(12 / 6, rel=0.01)
    assert [box.get("class") for box in boxes[::2]] == ["won", "lost", "unfinished"]


def test_nothing_in_it_runs_or_comes_from_elsewhere() -> None:
    picture = picture_of("Anna", FIGURES)
    assert not re.search(
        r"script|href|url\(|@import|@font-face|<image|<use|foreignObject|\son\w+=|<!", picture
    )
    assert re.findall(r"https?://[^\s\"']*", picture) == ["http://www.w3.org/2000/svg"]


@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)</script>", '"><g onload="x"/>', "a & b", "]]>", "\ufffe\uffff", "ليلى", "🐐" * 24],
)
def test_names_are_only_ever_text(name: str) -> None:
    partners = (Together(bytes(32), name, 1, 1, 0),)
    root = ET.fromstring(picture_of(name, replace(FIGURES, partners=partners)))
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert kinds == {"svg", "title", "style", "rect", "text"}
    assert all(not attribute.startswith("on") for element in root.iter() for attribute in element.attrib)
    shown = name.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    assert shown in texts(picture_of("x", replace(FIGURES, partners=partners)))


def test_it_is_readable_in_light_and_dark() -> None:
    style = ET.fromstring(picture_of("Anna", FIGURES)).findtext(f"{SVG}style") or ""
    light, dark = style.split("@media (prefers-color-scheme:dark)")
    for kind, contrast in (
        (".paper", 1.0),
        ("text", 4.5),
        (".dim", 4.5),
        (".won", 3.0),
        (".lost", 3.0),
        (".unfinished", 3.0),
    ):
        for part in (light, dark):
            assert ratio(colour(part, kind), colour(part, ".paper")) >= contrast, (kind, part)


def colour(style: str, kind: str) -> str:
    """The fill of a class, as six hexadecimal digits."""
    found = re.findall(re.escape(kind) + r"\{[^}]*fill:#([0-9a-f]+)", style)
    return found[-1] if len(found[-1]) == 6 else "".join(2 * digit for digit in found[-1])


def ratio(one: str, other: str) -> float:
    """The contrast of two colours, as WCAG 2 defines it."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(digits: str) -> float:
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_who_has_won_is_not_told_by_colour_alone() -> None:
    """A mark of its own above a match that was won, below one that was lost; none if it was not finished."""
    boxes = list(ET.fromstring(picture_of("Anna", FIGURES)).iter(f"{SVG}rect"))
    line = next(float(box.get("y", "")) for box in boxes if box.get("class") == "line")
    marks = [box for box in boxes if box.get("width") == box.get("height") == "4.0"]
    assert [(mark.get("class"), float(mark.get("y", "")) < line) for mark in marks] == [
        ("won", True),
        ("lost", False),
    ]


def test_it_is_mirrored_for_readers_from_right_to_left() -> None:
    plain = ET.fromstring(picture_of("Anna", FIGURES))
    with speaking("ar"):
        mirrored = ET.fromstring(picture_of("Anna", FIGURES))
    assert (plain.get("direction"), mirrored.get("direction")) == ("ltr", "rtl")
    pairs = list(zip(plain.iter(f"{SVG}rect"), mirrored.iter(f"{SVG}rect"), strict=True))[1:]
    assert pairs
    for one, other in pairs:
        width = float(one.get("width", ""))
        assert float(one.get("x", "")) + width + float(other.get("x", "")) == pytest.approx(720, abs=0.2)
    assert {text.text for text in mirrored.iter(f"{SVG}text") if text.get("class") == "name"} == {
        "Vera",
        "Gleb",
    }
    for one, other in zip(plain.iter(f"{SVG}text"), mirrored.iter(f"{SVG}text"), strict=True):
        assert float(one.get("x", "")) + float(other.get("x", "")) == pytest.approx(720, abs=0.2)


def test_everything_lies_inside_however_much_there_is() -> None:
    many = replace(
        FIGURES,
        course=tuple(Turn(bytes(32), float(n), Result.WON, 99, 99) for n in range(500)),
        partners=tuple(Together(bytes(32), "W" * 24, 500 - n, 200, 200) for n in range(40)),
    )
    for figures in (Figures(), FIGURES, many):
        root = ET.fromstring(picture_of("W" * 24, figures))
        height = float(root.get("height", ""))
        for box in root.iter(f"{SVG}rect"):
            left, top = float(box.get("x", "0")), float(box.get("y", "0"))
            assert 0 <= left <= left + float(box.get("width", "")) <= 720.1
            assert 0 <= top <= top + float(box.get("height", "")) <= height + 0.1
        for text in root.iter(f"{SVG}text"):
            assert 0 < float(text.get("y", "")) < height
