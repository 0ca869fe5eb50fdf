"""One player's program: sockets, discovery, disk, clock, people and bots, around the protocol."""
