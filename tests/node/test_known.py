"""Whom a player knows from earlier matches."""

from __future__ import annotations

import json
from dataclasses import replace

from engine import Options
from node.storage.known import known_players
from node.storage.store import StoredMatch
from protocol.genesis import Genesis, Member

ME, ANNA, BORIS, VERA, GLEB = (
    Member(bytes([n]) * 32, bytes([n + 100]) * 32, name)
    for n, name in enumerate(("Olga", "Anna", "Boris", "Vera", "Gleb"))
)


def match(
    *members: Member, seat: int = 0, finished: bool = True, for_show: bool = False, **summary: object
) -> StoredMatch:
    genesis = Genesis("t", Options(), members, tuple(bytes([n]) * 32 for n in range(4)), for_show=for_show)
    told = json.dumps({"fault": None, "culprit": None} | summary)
    return StoredMatch(genesis.match_id, genesis.encode(), seat, bytes(32), 0.0, finished, told)


FIRST = match(ME, ANNA, BORIS, VERA)


def test_the_others_of_a_finished_match_are_known() -> None:
    assert known_players([FIRST]) == {one.identity: one.name for one in (ANNA, BORIS, VERA)}
    assert ME.identity not in known_players([match(ANNA, ME, BORIS, VERA, seat=1)])


def test_the_latest_name_counts() -> None:
    renamed = match(replace(ANNA, name="Anna II"), BORIS, ME, VERA, seat=2)
    assert known_players([FIRST, renamed])[ANNA.identity] == "Anna II"


def test_unfinished_matches_matches_for_show_and_unreadable_ones_make_nobody_known() -> None:
    unreadable = replace(FIRST, genesis=b"\x90")
    for strange in (
        match(ME, ANNA, BORIS, VERA, finished=False),
        match(ME, ANNA, BORIS, VERA, for_show=True),
    ):
        assert known_players([strange, unreadable]) == {}


def test_a_proven_cheat_is_known_no_more_and_the_others_of_that_match_are_not_made_known() -> None:
    caught = match(ME, ANNA, GLEB, VERA, fault="bad-share", culprit=1)
    for matches in ([FIRST, caught], [caught, FIRST]):
        assert known_players(matches) == {one.identity: one.name for one in (BORIS, VERA)}


def test_a_summary_that_cannot_be_read_makes_nobody_known() -> None:
    for summary in ("{", "[]", "7"):
        assert known_players([replace(FIRST, summary=summary)]) == {}
    assert known_players([replace(FIRST, summary="")]) != {}
