"""The one door through which every sentence that people read must pass.

The English sentence itself is the key, as in gettext, so a catalogue for another language can be
extracted from the calls of :func:`tr` and looked up here without touching any caller.
"""

from __future__ import annotations


def tr(message: str, /, **fields: object) -> str:
    """Return `message` in the reader's language with its `{fields}` filled in.

    A sentence that has no fields is returned as it stands, braces included.
    """
    return message.format(**fields) if fields else message


def plural(one: str, many: str, count: int, /, **fields: object) -> str:
    """Return the singular or the plural sentence for `count`, which is available as `{count}`."""
    return tr(one if count == 1 else many, count=count, **fields)
