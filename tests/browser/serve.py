"""`kozel play --no-browser` that stays on loopback: ``python -m tests.browser.serve FOLDER NAME``."""

from __future__ import annotations

import sys
from pathlib import Path

from node.commands.page import PageSettings, play_on_page
from node.network.addresses import LOOPBACK

if __name__ == "__main__":
    folder, name = sys.argv[1:]
    settings = PageSettings(Path(folder), name, browser=False, port=0, listen=LOOPBACK, interfaces=[LOOPBACK])
    sys.exit(play_on_page(settings))
