"""How a person gets up from the table."""

from __future__ import annotations

__all__ = ["PersonLeft"]


class PersonLeft(Exception):
    """The person has typed quit, or the input has ended."""
