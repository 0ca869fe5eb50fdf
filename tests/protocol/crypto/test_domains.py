from __future__ import annotations

from itertools import permutations

from protocol import domains


def labels() -> dict[str, bytes]:
    found = {name: value for name, value in vars(domains).items() if isinstance(value, bytes)}
    del found["SUITE"]
    return found


def test_every_label_names_the_suite_and_something_else() -> None:
    assert len(labels()) > 20
    for name, label in labels().items():
        assert name.isupper()
        assert label.startswith(domains.SUITE)
        assert label != domains.SUITE


def test_labels_are_distinct_and_none_begins_another() -> None:
    for (first, one), (second, other) in permutations(labels().items(), 2):
        assert not other.startswith(one), f"{first} is the beginning of {second}"
