"""The audit: a whole match is fair, a part of one is incomplete, and nobody is blamed for a damaged file."""

from __future__ import annotations

import io
import json
import zlib

import pytest

from engine import SEATS, replay_record
from protocol.audit import Finding, audit_log, deal_records, match_summary
from protocol.events import SignedEvent
from protocol.genesis import decode_genesis
from protocol.logfile import MAGIC
from protocol.verdict import EQUIVOCATION
from tests.protocol.cheats import Cheat, told_twice
from tests.protocol.matches import audit, forgotten_proofs, log_file, played, rich, short


def test_fair_whichever_table_wrote_it() -> None:
    match = rich()
    for seat in SEATS:
        found = audit(log_file(match.setup.genesis, match.disks[seat]))
        assert (found.finding, found.verdict, found.problems) == (Finding.FAIR, None, [])
        assert (found.events, found.refused, found.missing) == (len(match.events), 0, 0)
        assert found.genesis == match.setup.genesis
        assert found.match is not None
        assert found.match.state == match.tables[seat].match.state
        assert found.match.finished == match.tables[seat].match.finished


def test_fair_with_every_proof_checked_anew() -> None:
    """The other audits of these tests remember the proofs that they have checked once."""
    with forgotten_proofs():
        found = audit(short().file())
    assert found.finding is Finding.FAIR


def test_progress_is_the_place_in_the_file() -> None:
    data = rich().file()
    places: list[int] = []
    audit_log(io.BytesIO(data), places.append)
    assert places == sorted(set(places))
    assert len(places) == len(rich().events)
    assert places[-1] == len(data)


def test_the_order_of_events_in_the_file_does_not_matter() -> None:
    """Feed by feed is as good as arrival order, as long as no more than the pending limit has to wait."""
    match = rich()
    events = sorted(match.events, key=lambda event: (event.seq // 20, event.author, event.seq))
    found = audit(log_file(match.setup.genesis, [event.signed for event in events]))
    assert found.finding is Finding.FAIR


def test_a_log_cut_after_any_event_is_incomplete_and_blames_nobody() -> None:
    match = rich()
    first_deal_ends = match.index("result", 3)
    cuts = [*range(first_deal_ends), *range(first_deal_ends, len(match.events), 19), len(match.events) - 1]
    for count in cuts:
        found = audit(match.file(count))
        assert (found.finding, found.verdict, found.problems) == (Finding.INCOMPLETE, None, [])
        assert found.events == count


def test_a_log_that_lacks_one_feed_blames_nobody() -> None:
    match = rich()
    for seat in SEATS:
        found = audit(log_file(match.setup.genesis, [e.signed for e in match.events if e.author != seat]))
        assert found.finding is Finding.DAMAGED
        assert found.verdict is None
        assert found.missing > 0


def test_a_damaged_end_leaves_what_came_before() -> None:
    found = audit(rich().file()[:-1])
    assert (found.finding, found.verdict) == (Finding.DAMAGED, None)
    assert found.events == len(rich().events) - 1
    assert len(found.problems) == 1


def test_a_damaged_middle_blames_nobody() -> None:
    data = bytearray(rich().file())
    for place in range(40, len(data), len(data) // 25):
        data[place] ^= 1
        found = audit(bytes(data))
        assert found.finding in {Finding.DAMAGED, Finding.UNREADABLE}
        assert found.verdict is None
        data[place] ^= 1


@pytest.mark.parametrize("data", [b"", b"something else", MAGIC, MAGIC + b"\x00\x02", MAGIC + b"\x00\x01"])
def test_unreadable(data: bytes) -> None:
    found = audit(data)
    assert found.finding is Finding.UNREADABLE
    assert found.verdict is None
    assert len(found.problems) == 1


def test_a_genesis_that_nobody_can_accept() -> None:
    stream = rich().file(0)
    damaged = stream.replace(b"anytime", b"anytimf")
    body = damaged[18:]
    data = damaged[:14] + zlib.crc32(body).to_bytes(4, "big") + body
    found = audit(data)
    assert found.finding is Finding.UNREADABLE
    assert found.problems[0].code == "options"


def test_an_event_of_another_match_inside() -> None:
    match, other = rich(), played(4)
    events = [event.signed for event in match.events]
    found = audit(log_file(match.setup.genesis, [*events[:20], other.events[5].signed, *events[20:]]))
    assert (found.finding, found.verdict, found.refused) == (Finding.DAMAGED, None, 1)
    assert (found.problems[0].code, found.problems[0].count) == ("other-match", 1)
    assert found.match is not None
    assert found.match.whole  # what does not belong has changed nothing


def test_a_forged_event_inside_blames_nobody() -> None:
    match = rich()
    events = [event.signed for event in match.events]
    events[30] = SignedEvent(events[30].data, bytes(64))
    found = audit(log_file(match.setup.genesis, events))
    assert (found.finding, found.verdict) == (Finding.DAMAGED, None)
    assert found.problems[0].code == "bad-signature"


@pytest.mark.parametrize("late", [False, True], ids=["at once", "at the end of the file"])
def test_a_fork_inside(late: bool) -> None:
    match = rich()
    count, honest, twin = told_twice(match)
    events = [event.signed for event in match.events]
    events.insert(len(events) if late else count + 1, twin.signed)
    found = audit(log_file(match.setup.genesis, events))
    assert found.finding is Finding.CHEAT
    assert found.verdict is not None
    assert (found.verdict.culprit, found.verdict.fault) == (honest.author, EQUIVOCATION)
    assert found.verdict.events == tuple(sorted((honest.id, twin.id)))


def test_nothing_of_the_events_is_kept_but_ids_and_vectors() -> None:
    found = audit(rich().file())
    assert found.match is not None
    log = found.match.log
    entries = [entry for seat in SEATS for entry in log.entries_from(seat, 0)]
    assert len(entries) == len(rich().events)
    assert all(entry.signed is None for entry in entries)
    assert not found.match.find_deal(0)  # nor of deals of which nothing more can be said


def test_summary_is_a_record_that_the_engine_replays() -> None:
    found = audit(rich().file())
    assert found.match is not None
    summary = json.loads(json.dumps(match_summary(found.match)))
    state = replay_record(summary)
    assert list(state.score) == summary["score"]
    assert (state.goat, state.eggs) == (summary["goat"], summary["eggs"])
    assert summary["match_id"] == rich().setup.genesis.match_id.hex()
    assert [player["name"] for player in summary["players"]] == [f"Player {seat}" for seat in SEATS]
    assert summary["verdict"] is None


def test_summary_of_a_deal_that_was_broken_off() -> None:
    match = rich()
    found = audit(match.file(match.index("result") - 5))
    assert found.match is not None
    (deal,) = deal_records(found.match)
    assert deal["points"] is None
    assert deal["hands"] == [None] * 4  # still hidden
    assert deal["tricks"]
    assert deal_records(found.match) == json.loads(json.dumps(deal_records(found.match)))


def test_summary_before_any_card() -> None:
    found = audit(rich().file(4))
    assert found.match is not None
    assert match_summary(found.match)["deals"] == []


def test_summary_names_the_culprit() -> None:
    match = rich()
    cheat = Cheat(match, 2)
    cheat.take(event.signed for event in match.events[:50])
    bad = cheat.sign("no-such-kind", ())
    events = [*(event.signed for event in match.events[:50]), bad.signed]
    found = audit(log_file(match.setup.genesis, events))
    assert found.match is not None
    verdict = match_summary(found.match)["verdict"]
    assert isinstance(verdict, dict)
    assert verdict["culprit"] == 2
    assert verdict["fault"] == "unknown-kind"
    assert verdict["events"] == [bad.id.hex()]


def test_the_genesis_in_the_file_is_the_one_that_was_signed() -> None:
    found = audit(rich().file())
    assert found.genesis is not None
    assert decode_genesis(found.genesis.encode()).match_id == rich().setup.genesis.match_id
