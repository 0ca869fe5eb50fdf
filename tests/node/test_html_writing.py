"""The document as a file, what writes it, and the elements that it is made of."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from node.auditing.html import html_report, written_to
from node.auditing.html.elements import Markup, element, isolated, joined
from node.auditing.running import audit_all
from node.commands.audit import audit_files
from node.errors import ExportFailed
from tests.node.documents import Audited
from tests.protocol.matches import remembered_proofs, rich


@pytest.fixture(scope="module")
def report_of(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    return Audited(tmp_path_factory.mktemp("audited"))


def test_the_command_writes_it(
    report_of: Audited, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [report_of(harm).files[0] for harm in ("fair", "cheat", "missing")]
    target = tmp_path / "new" / "report.html"
    with remembered_proofs():
        plain = audit_files(files, as_json=True, jobs=1)
        printed = capsys.readouterr().out
        assert audit_files(files, as_json=True, jobs=1, html=target) == plain == 1
        assert capsys.readouterr().out == printed
        reports = list(audit_all(files, jobs=1, with_match=True))
        assert target.read_text(encoding="utf-8") == html_report(reports)
        assert audit_files(files[:1], as_json=False, jobs=1, html=target.parent) == 0
    assert capsys.readouterr().out.endswith(f"Written: {target.parent / 'kozel-audit.html'}\n")
    assert sorted(file.name for file in target.parent.iterdir()) == ["kozel-audit.html", "report.html"]


@pytest.mark.parametrize("name", ["other.kozel", "log"])
def test_no_log_is_replaced(name: str, tmp_path: Path) -> None:
    log = report_file(tmp_path).rename(tmp_path / "log")
    before = log.read_bytes()
    with pytest.raises(typer.BadParameter):
        audit_files([log], as_json=True, jobs=1, html=tmp_path / name)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("log", before)]


def test_what_cannot_be_written_is_said_before_anything_is_audited(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with (
        pytest.raises(ExportFailed, match="could not be written"),
        written_to(blocked / "report.html"),
    ):
        pytest.fail("there is nowhere to write to")


def test_a_report_that_fails_leaves_what_was_there(report_of: Audited, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("before")
    with pytest.raises(BrokenPipeError), written_to(target) as document:
        document.add(report_of("fair"))
        raise BrokenPipeError  # The reader of what is printed has gone: no fault of the document.
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("report.html", "before")]


def report_file(folder: Path) -> Path:
    file = folder / "log.kozel"
    file.write_bytes(rich().file(4))
    return file


def test_text_is_escaped_unless_it_is_markup() -> None:
    hostile = "<b a=\"'&"
    made = element("p", hostile, [1, None, element("b", hostile)], title=hostile, aria_label=None)
    escaped = "&lt;b a=&quot;&#39;&amp;"
    assert made == f'<p title="{escaped}">{escaped}1<b>{escaped}</b></p>'
    assert joined(made + "<") == joined(str(made) + "<"), "markup that was added to is text again"
    assert isinstance(joined("a"), Markup)
    assert element("td", class_="x") == '<td class="x"></td>'
    assert element("br") == "<br/>"


def test_directions_do_not_leak() -> None:
    assert isolated("a\u2067b\u2069c") == "\u2068a\ufffdb\ufffdc\u2069"
    assert joined("\u202ea\x00\ud800") == "\ufffda\ufffd\ufffd"
