"""The player's history: logs kept on this computer, audited once, and what they add up to."""
