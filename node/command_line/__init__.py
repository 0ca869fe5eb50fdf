"""The command line in parts: what each command takes. What it does lives in :mod:`node.commands`."""
