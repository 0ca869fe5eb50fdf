"""The program as its user runs it: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def kozel(*arguments: str | Path, home: Path, seconds: float = 60.0) -> subprocess.CompletedProcess[str]:
    """Run `kozel` with its own profile folder, and fail if a traceback reaches the person."""
    done = subprocess.run(
        [sys.executable, "-m", "node.cli", *map(str, arguments)],
        env={**os.environ, "KOZEL_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "100", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=seconds,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def json_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one JSON object that is all of standard output."""
    assert done.stdout.count("\n") == 1, "nothing but the object on standard output"
    value = json.loads(done.stdout)
    assert isinstance(value, dict)
    return value
