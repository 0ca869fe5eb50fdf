"""What the learners are made of does what it says."""

from __future__ import annotations

from random import Random

import pytest

from node.bots import foresight
from node.bots.foresight import foresee
from node.bots.thumb import THUMB, Thumb
from node.bots.thumb_weights import BY_HAND, BY_SELF_PLAY, Weights
from tests.training.foresight import Fit, features, learn, written
from tests.training.selfplay import deal_cards, duel
from tests.training.thumb import flat, weights_of


@pytest.mark.parametrize("weights", [BY_HAND, BY_SELF_PLAY])
def test_weights_become_numbers_and_weights_again(weights: Weights) -> None:
    assert weights_of(flat(weights)) == weights


def test_equals_win_nothing_of_each_other_and_what_was_learned_wins() -> None:
    assert duel(THUMB, Thumb(BY_SELF_PLAY), 20, Random(1)) == 0
    assert duel(THUMB, Thumb(BY_HAND), 400, Random(1)) > 0 > duel(Thumb(BY_HAND), THUMB, 400, Random(1))


def test_a_fit_finds_the_weights_that_it_was_shown() -> None:
    rng, fit = Random(1), Fit()
    truth = [rng.randint(-9, 9) for _ in range(97)]
    for _ in range(1500):
        found = features(deal_cards(rng))
        fit.add(found, sum(truth[feature] for feature in found))
    weights, deviation = fit.solve()
    assert deviation < 4  # What comes is anything from -80 to 80.
    for _ in range(50):
        found = features(deal_cards(rng))
        assert sum(weights[feature] for feature in found) == pytest.approx(
            sum(truth[feature] for feature in found), abs=6
        )


def test_the_features_are_those_that_foresight_weighs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module that the learner writes is read by `foresee` as the learner meant it."""
    fits = learn(60, Random(2))
    module: dict[str, object] = {"__name__": "learned"}
    exec(compile(written(fits), "learned", "exec"), module)
    stages = module["STAGES"]
    weights, deviation = fits[16].solve()
    deal = deal_cards(Random(3))
    deal.stock = deal.stock[:16]
    monkeypatch.setattr(foresight, "STAGES", stages)
    monkeypatch.setattr(foresight, "_TABLES", foresight.tables_of(stages))  # type: ignore[arg-type]
    ahead, foreseen_deviation = foresee(deal)
    assert ahead == pytest.approx(sum(weights[feature] for feature in features(deal)), abs=1.5)
    assert foreseen_deviation == pytest.approx(deviation, abs=0.1)
