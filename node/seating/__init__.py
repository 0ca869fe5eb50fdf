"""Getting four nodes to one table and filling the seats, by people or by bots (§9.6)."""
