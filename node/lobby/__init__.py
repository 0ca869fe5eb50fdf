"""The door of a table: a code is typed, keys are exchanged and pinned (§9.7)."""
