"""The table in a browser: a page on loopback, one face of the node beside the terminal."""
