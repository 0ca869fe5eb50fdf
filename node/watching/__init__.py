"""Watching a match without a seat (§9.10): the host's side and the spectator's."""
