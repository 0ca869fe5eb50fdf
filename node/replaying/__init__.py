"""A logged match looked at again, moment by moment: the moments, the way through them, and a player."""
