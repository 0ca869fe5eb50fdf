"""What stays on disk: the profile with its keys, the store of events, log files."""
