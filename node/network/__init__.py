"""Reaching other players' computers: addresses, discovery, and encrypted links."""
