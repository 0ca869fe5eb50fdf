"""Write all files of vectors, or look whether they are as they would be written.

``python -m tests.vectors [--check]``
"""

from __future__ import annotations

import sys

from tests.vectors.form import FOLDER, render
from tests.vectors.registry import FILES


def differing() -> list[str]:
    """The files that are not as they would be written, that are missing, or that nothing makes."""
    wanted = {f"{name}.json": render(make()) for name, make in FILES.items()}
    here = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    return sorted(name for name in wanted.keys() | here.keys() if wanted.get(name) != here.get(name))


def main(arguments: list[str]) -> int:
    """The command; exit code 1 when something differs, 2 for arguments that it does not have."""
    if arguments == ["--check"]:
        found = differing()
        print("\n".join(found) or "All vectors are as they would be written.")
        return 1 if found else 0
    if arguments:
        print("usage: python -m tests.vectors [--check]", file=sys.stderr)
        return 2
    for name, make in FILES.items():
        (FOLDER / f"{name}.json").write_text(render(make()), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
