"""A folder that really cannot be written, also where the tests run as root."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_NOBODY = 65534


@contextmanager
def read_only_folder() -> Iterator[Path]:
    """Yield a folder without the right to write; root, who may write anywhere, is somebody else meanwhile."""
    if sys.platform == "win32":
        pytest.skip("Windows has no read-only folders")
    folder = Path(tempfile.mkdtemp())
    is_root = os.geteuid() == 0
    folder.chmod(0o555)
    if is_root:
        os.seteuid(_NOBODY)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)
