"""The log and the deal: who played what, dealt by nobody, checkable by everybody.

No input or output, no clock and no randomness of its own: bytes, commands, keys and secrets in,
effects out. ``docs/protocol.md`` is the normative description; comments cite its clauses as §4.3.
"""
