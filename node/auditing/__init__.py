"""Auditing log files: what was found, in words and as data, and many files on all cores."""
