"""What all tests begin from."""

from __future__ import annotations

import importlib.util
import os

# Tests read English sentences, whatever the locale of the machine; processes that they start inherit this.
os.environ["KOZEL_LANG"] = "en"

# What drives a browser comes with the extra `browser` alone. Without it `pytest -m browser` finds nothing,
# and fails.
collect_ignore = [] if importlib.util.find_spec("playwright") else ["browser"]
