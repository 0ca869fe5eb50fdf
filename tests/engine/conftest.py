"""Hypothesis without clocks: how long an example takes on a busy machine says nothing about the game."""

from hypothesis import HealthCheck, settings

settings.register_profile("no-clocks", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no-clocks")
