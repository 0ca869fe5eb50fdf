"""What all tests of this folder share."""

from __future__ import annotations

import pytest

from tests.simulation.campaign import Campaign


@pytest.fixture
def campaign() -> Campaign:
    """A campaign that cuts failures down only a little: the command line does it better."""
    return Campaign(budget=20)
