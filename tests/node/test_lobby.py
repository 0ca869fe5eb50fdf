"""Joining a table: host and joiner over real sockets on the loopback address, and each against a bad peer."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from node import errors
from node.errors import LobbyError
from node.lobby.host import (
    MAX_CONVERSATIONS,
    MAX_WRONG_CODES,
    JoinedTable,
    LobbyHost,
    join,
    new_code,
)
from node.lobby.messages import VERSION, decode, encode, read_frame, write_frame
from node.lobby.pake import KeyExchange, Role, Session, read_code
from node.lobby.talk import Talk
from node.network.listening import USUAL_PORT
from tests.node.lobby_tables import (
    ANNA,
    ANNA_SEED,
    BORIS,
    BORIS_SEED,
    CODE,
    HOST,
    TABLE,
    VERA,
    VERA_SEED,
    Table,
    agree_as_host,
    caller,
    fake_host,
    hello,
    join_fake,
    run,
    saying,
)

# Joining


def test_a_guest_with_the_code_is_seated_and_both_know_each_other() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            joined = await table.join(expected_table=TABLE)
        lobby = (HOST, table.lobby.port)
        assert joined == JoinedTable(ANNA, TABLE, "Кухня", (HOST, ANNA.link_port), lobby)
        assert table.guests == [(BORIS, (HOST, BORIS.link_port))]
        assert table.new_codes == []

    run(scenario())


@pytest.mark.parametrize("typed", ["1234 5678", " 1234-5678 ", "١٢٣٤٥٦٧٨", "1234\u00a05678"])
def test_a_code_may_be_typed_as_people_type(typed: str) -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            await table.join(typed)
        assert table.guests

    run(scenario())


@pytest.mark.parametrize("typed", ["", "1234567", "123456789", "1234567x", "²²²²²²²²", "1234_678"])
def test_what_is_no_code_is_refused_without_spending_a_guess(typed: str) -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            with pytest.raises(errors.WrongCode, match="eight digits"):
                await table.join(typed)
            assert table.lobby._wrong_codes == 0

    run(scenario())


def test_codes_are_eight_digits_and_differ() -> None:
    codes = {new_code() for _ in range(50)}
    assert len(codes) > 45
    assert all(read_code(code) == code and len(code) == 8 for code in codes)


def test_listening_everywhere_serves_both_families_on_one_port() -> None:
    async def scenario() -> None:
        table = Table(host="*")
        async with table.lobby:
            joined = await table.join()
        assert joined.address[0] == HOST  # Not ::ffff:127.0.0.1, which a link could not dial.
        assert table.guests[0][1] == (HOST, BORIS.link_port)

    run(scenario())


def test_a_lobby_without_a_given_code_makes_one_up() -> None:
    async def scenario() -> None:
        table = Table(code=None)
        async with table.lobby:
            await table.join(table.lobby.code)
        assert table.guests

    run(scenario())


# Codes that are wrong


def test_five_wrong_codes_make_a_new_one_and_the_old_one_opens_no_more() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            for tried in range(MAX_WRONG_CODES):
                assert table.lobby.code == CODE, tried
                with pytest.raises(errors.WrongCode):
                    await table.join("87654321")
            assert table.new_codes == [table.lobby.code]
            assert table.lobby.code != CODE
            with pytest.raises(errors.WrongCode):
                await table.join(CODE)
            assert table.guests == []
            await table.join(table.lobby.code)
        assert [guest for guest, _ in table.guests] == [BORIS]

    run(scenario())


def test_conversations_begun_before_the_code_changed_add_no_guesses() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby, caller(table) as (reader, writer):
            talk = Talk(reader, writer)
            frame, _ = await talk.hear_any()
            exchange = KeyExchange(Role.JOINER, CODE, TABLE)
            await talk.say("key", exchange.message)
            session = exchange.finish(await talk.hear("key"), frame)
            for _ in range(MAX_WRONG_CODES):
                with pytest.raises(errors.WrongCode):
                    await table.join("87654321")
            # The right code, but of yesterday: refused, and not counted either.
            await talk.say("confirm", session.confirmation)
            assert decode(await read_frame(reader)) == ["refused", "wrong-code"]
            assert table.lobby._wrong_codes == 0

    run(scenario())


def test_a_caller_who_hangs_up_before_confirming_learns_nothing_and_spends_nothing() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            for _ in range(MAX_WRONG_CODES):
                async with caller(table) as (reader, writer):
                    talk = Talk(reader, writer)
                    await talk.hear_any()
                    await talk.say("key", KeyExchange(Role.JOINER, "87654321", TABLE).message)
                    # The host's key message depends on the code, but says nothing without the shared key.
                    assert len(await talk.hear("key")) == 33
            await table.join()
        assert table.new_codes == []

    run(scenario())


# Tables that do not take the guest


def test_a_full_table_says_so() -> None:
    async def scenario() -> None:
        table = Table(seats=0)
        async with table.lobby:
            with pytest.raises(errors.LobbyFull, match="Кухня"):
                await table.join()

    run(scenario())


def test_of_two_joiners_for_the_last_seat_one_gets_it() -> None:
    async def scenario() -> None:
        table = Table(seats=1)
        async with table.lobby:
            results = await asyncio.gather(
                table.join(),
                join(HOST, table.lobby.port, CODE, VERA, VERA_SEED),
                return_exceptions=True,
            )
        assert len(table.guests) == 1
        joined = [result for result in results if isinstance(result, JoinedTable)]
        refused = [result for result in results if isinstance(result, errors.JoinRefused | errors.LobbyFull)]
        assert (len(joined), len(refused)) == (1, 1)

    run(scenario())


def test_the_hosts_own_words_reach_the_guest_made_safe() -> None:
    async def scenario() -> None:
        table = Table(refusal="Not \x1b[31mtoday\nplease " + "x" * 500)
        async with table.lobby:
            with pytest.raises(errors.JoinRefused) as caught:
                await table.join()
        assert "Not [31mtoday please" in str(caught.value)
        assert str(caught.value).isprintable() and len(str(caught.value)) < 300
        assert table.guests == []

    run(scenario())


def test_the_hosts_own_profile_cannot_be_its_guest() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            with pytest.raises(errors.JoinRefused, match="profile"):
                await join(HOST, table.lobby.port, CODE, ANNA, ANNA_SEED)

    run(scenario())


def test_another_table_than_the_expected_one_is_not_tried() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            with pytest.raises(errors.TableNotFound, match="Кухня"):
                await table.join(expected_table=bytes(16))

    run(scenario())


def test_the_ninth_conversation_is_turned_away_and_a_later_one_is_not() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            callers = [
                await asyncio.open_connection(HOST, table.lobby.port) for _ in range(MAX_CONVERSATIONS)
            ]
            for reader, _ in callers:
                await read_frame(reader)
            with pytest.raises(errors.LobbyBusy):
                await table.join()
            for reader, writer in callers:
                writer.write_eof()
                assert await reader.read() == b""
                writer.close()
            await table.join()
        assert len(table.guests) == 1

    run(scenario())


def test_nobody_there_a_strange_name_and_an_impossible_port_are_said_plainly() -> None:
    async def scenario() -> None:
        async with fake_host(lambda _: asyncio.sleep(0)) as port:
            pass
        for host, number in ((HOST, port), ("a..b", 1), ("x" * 300, 1), (HOST, 99999999), ("\0", 1)):
            with pytest.raises(errors.LobbyUnreachable, match="Nobody answers"):
                await join(host, number, CODE, BORIS, BORIS_SEED)

    run(scenario())


def test_a_taken_port_is_said_plainly() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            with pytest.raises(errors.PortUnavailable, match=str(table.lobby.port)):
                await Table(port=table.lobby.port).lobby.start()

    run(scenario())


def test_without_a_wish_the_usual_port_is_taken_or_else_any() -> None:
    async def scenario() -> None:
        first, second = Table(port=None), Table(port=None)
        async with first.lobby, second.lobby:
            # By the first table, or by another program on this machine.
            assert second.lobby.port not in (0, USUAL_PORT, first.lobby.port)
            await first.join()
            await second.join()

    run(scenario())


def test_closing_hangs_up_on_whoever_is_joining() -> None:
    async def scenario() -> None:
        table = Table()
        await table.lobby.start()
        async with caller(table) as (reader, _):
            await read_frame(reader)
            await table.lobby.close()
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await read_frame(reader)
        await table.lobby.close()
        with pytest.raises(errors.LobbyUnreachable):
            await table.join()

    run(scenario())


# A bad host


def test_a_host_that_never_speaks_runs_into_the_deadline() -> None:
    async def silent(talk: Talk) -> None:
        await asyncio.sleep(0.4)

    async def stops_half_way(talk: Talk) -> None:
        await talk.send_frame(hello())
        await talk.hear("key")
        await asyncio.sleep(0.4)

    async def scenario() -> None:
        for behaviour in (silent, stops_half_way):
            with pytest.raises(errors.LobbyTimeout):
                await join_fake(behaviour, deadline=0.2)

    run(scenario())


def test_a_host_that_hangs_up_at_any_point_is_a_closed_table() -> None:
    async def at_once(talk: Talk) -> None:
        return

    async def after_hello(talk: Talk) -> None:
        await talk.send_frame(hello())

    async def after_keys(talk: Talk) -> None:
        await agree_as_host(talk)

    async def after_a_strange_refusal(talk: Talk) -> None:
        await talk.say("refused", "just-because")

    async def scenario() -> None:
        for behaviour in (at_once, after_hello, after_keys, after_a_strange_refusal):
            with pytest.raises(errors.LobbyClosed):
                await join_fake(behaviour)

    run(scenario())


@pytest.mark.parametrize("version", [0, 2, 2**32])
def test_another_version_is_named_whatever_follows_it(version: int) -> None:
    async def scenario() -> None:
        for frame in (hello(version), encode("kozel", version), encode("kozel", version, "new", 1, 2)):
            with pytest.raises(errors.VersionMismatch, match=str(version)):
                await join_fake(saying(frame))

    run(scenario())


@pytest.mark.parametrize(
    "frame",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xc1",
        b"\x80",
        encode(),
        encode("kozel", VERSION),
        encode("kozel", VERSION, TABLE[:-1], "name", 3),
        encode("kozel", VERSION, TABLE, "name", -1),
        encode("kozel", VERSION, TABLE, "name", 5),
        encode("kazel", VERSION, TABLE, "name", 3),
        encode("kozel", VERSION, TABLE, b"name", 3),
        b"\x91" * 1000 + b"\x90",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\x91\xc3",
    ],
)
def test_what_is_no_hello_is_no_table(frame: bytes) -> None:
    async def scenario() -> None:
        with pytest.raises(errors.NotATable):
            await join_fake(saying(frame))

    run(scenario())


def test_a_host_that_sends_the_joiners_own_message_back_is_refused() -> None:
    async def echo(talk: Talk) -> None:
        await talk.send_frame(hello())
        await talk.say("key", await talk.hear("key"))
        await talk.hear("confirm")

    async def echo_as_the_other_role(talk: Talk) -> None:
        await talk.send_frame(hello())
        await talk.say("key", b"B" + (await talk.hear("key"))[1:])
        await talk.hear("confirm")

    async def scenario() -> None:
        for behaviour in (echo, echo_as_the_other_role):
            with pytest.raises(errors.NotATable):
                await join_fake(behaviour)

    run(scenario())


@pytest.mark.parametrize(
    "point",
    [
        b"",
        b"B",
        b"B" + bytes(31),
        b"B" + bytes(32),
        b"B" + b"\1" + bytes(31),  # The neutral element.
        b"B" + b"\2" + bytes(31),  # Not on the curve.
        b"B" + b"\3" + bytes(31),  # On it, but outside the prime-order subgroup.
        b"B" + b"\xff" * 32,
        b"S" + b"\1" * 32,
    ],
)
def test_key_messages_that_are_no_points_of_the_group_are_refused(point: bytes) -> None:
    async def behaviour(talk: Talk) -> None:
        await talk.send_frame(hello())
        await talk.hear("key")
        await talk.say("key", point)
        await talk.hear("confirm")

    async def scenario() -> None:
        with pytest.raises(errors.NotATable):
            await join_fake(behaviour)

    run(scenario())


def test_a_host_that_does_not_know_the_code_is_unmasked() -> None:
    async def echoes_the_confirmation(talk: Talk) -> None:
        await talk.send_frame(hello())
        theirs = await talk.hear("key")
        exchange = KeyExchange(Role.HOST, CODE, TABLE)
        exchange.finish(theirs, hello())
        await talk.say("key", exchange.message)
        await talk.say("confirm", await talk.hear("confirm"))

    async def scenario() -> None:
        for behaviour in (lambda talk: agree_as_host(talk, "00000000"), echoes_the_confirmation):
            with pytest.raises(errors.HostUnproven):
                await join_fake(behaviour)

    run(scenario())


def test_somebody_in_between_who_changes_the_hello_is_unmasked() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:

            async def relay_with_another_name(talk: Talk) -> None:
                async with caller(table) as (reader, writer):
                    real = Talk(reader, writer)
                    await real.hear_any()
                    await talk.send_frame(hello(name="Мост"))
                    await real.say("key", await talk.hear("key"))
                    await talk.say("key", await real.hear("key"))
                    await real.say("confirm", await talk.hear("confirm"))
                    await talk.send_frame(await read_frame(reader))

            with pytest.raises(errors.WrongCode):
                await join_fake(relay_with_another_name)
            assert table.guests == []

    run(scenario())


def test_an_introduction_that_proves_nothing_is_refused() -> None:
    def altered(signed: bytes) -> bytes:
        return signed[:-1] + bytes([signed[-1] ^ 1])

    async def wrong_identity(talk: Talk, session: Session) -> None:
        await talk.introduce(session, VERA, ANNA_SEED)

    async def unsealed(talk: Talk, session: Session) -> None:
        await talk.say("sealed", b"x" * 100)

    async def sealed_by_the_joiner(talk: Talk, session: Session) -> None:
        await talk.say("sealed", await talk.hear("sealed"))

    async def another_thing(talk: Talk, session: Session) -> None:
        await talk.say("sealed", session.seal(encode("introduction", session.sign(ANNA_SEED, encode(1, 2)))))

    async def signed_for_another_session(talk: Talk, session: Session) -> None:
        other = dataclasses.replace(session, transcript=bytes(32))
        content = other.sign(ANNA_SEED, b"")[:64] + encode(
            ANNA.identity, ANNA.transport, "Анна", 1, ANNA.nonce, ""
        )
        await talk.say("sealed", session.seal(encode("introduction", content)))

    async def scenario() -> None:
        for behaviour in (
            wrong_identity,
            unsealed,
            sealed_by_the_joiner,
            another_thing,
            signed_for_another_session,
        ):

            async def host(talk: Talk, behaviour: Any = behaviour) -> None:
                await behaviour(talk, await agree_as_host(talk))

            with pytest.raises(errors.NotATable):
                await join_fake(host)

    run(scenario())


def test_a_host_that_claims_the_guests_own_keys_is_unmasked() -> None:
    async def scenario() -> None:
        async def host(talk: Talk) -> None:
            session = await agree_as_host(talk)
            await talk.hear("sealed")
            await talk.introduce(session, dataclasses.replace(ANNA, transport=BORIS.transport), ANNA_SEED)

        with pytest.raises(errors.HostUnproven):
            await join_fake(host)

    run(scenario())


def test_a_hostile_table_name_is_made_safe() -> None:
    async def host(talk: Talk) -> None:
        await talk.send_frame(hello(name="\x1b]0;evil\x07\u202e" + "x" * 99, free=0))

    async def scenario() -> None:
        with pytest.raises(errors.LobbyFull) as caught:
            await join_fake(host)
        assert str(caught.value).isprintable()

    run(scenario())


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_whatever_a_host_sends_the_joiner_raises_only_lobby_errors(data: st.DataObject) -> None:
    """A host that says something random at a random point of an otherwise honest conversation."""
    point = data.draw(st.integers(0, 3))
    field = st.one_of(st.binary(max_size=64), st.text(max_size=20), st.integers(-(2**63), 2**64 - 1))
    frame = data.draw(
        st.one_of(
            st.binary(min_size=1, max_size=100),
            st.lists(field, max_size=7).map(lambda fields: encode(*fields)),
            st.tuples(st.sampled_from(["key", "confirm", "sealed", "refused"]), field).map(
                lambda f: encode(*f)
            ),
        )
    )

    async def host(talk: Talk) -> None:
        if point > 0:
            await talk.send_frame(hello())
            theirs = await talk.hear("key")
        if point > 1:
            exchange = KeyExchange(Role.HOST, CODE, TABLE)
            session = exchange.finish(theirs, hello())
            await talk.say("key", exchange.message)
            await talk.hear("confirm")
        if point > 2:
            await talk.say("confirm", session.confirmation)
            await talk.hear("sealed")
            frame_or_seal = data.draw(st.sampled_from([frame, encode("sealed", session.seal(frame))]))
            await talk.send_frame(frame_or_seal)
        else:
            await talk.send_frame(frame)

    async def scenario() -> None:
        with pytest.raises(LobbyError) as caught:
            await join_fake(host)
        assert str(caught.value)

    run(scenario())


# A bad joiner


def test_a_dawdling_caller_is_hung_up_on() -> None:
    async def scenario() -> None:
        table = Table(deadline=0.2)
        async with table.lobby, caller(table) as (reader, writer):
            await read_frame(reader)
            writer.write(b"\x00")  # Half a length, and then nothing.
            assert await reader.read() == b""
        assert table.guests == []

    run(scenario())


@pytest.mark.parametrize(
    "sent",
    [
        b"\x00\x00",
        b"\x04\x01" + b"x" * 1025,
        b"\xff\xff",
        b"GET / HTTP/1.1\r\n\r\n" + b"x" * 40_000,
        b"\x00\x01\xc1",
        b"\x00\x0d" + encode("refused", "x") + b"\x00" * 99,
    ],
)
def test_a_caller_that_breaks_the_grammar_is_hung_up_on_and_the_next_is_served(sent: bytes) -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            async with caller(table) as (reader, writer):
                await read_frame(reader)
                writer.write(sent)
                with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                    await read_frame(reader)
            await table.join()
        assert len(table.guests) == 1

    run(scenario())


def test_a_guest_that_cannot_prove_its_identity_is_not_seated() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby, caller(table) as (reader, writer):
            talk = Talk(reader, writer)
            frame, _ = await talk.hear_any()
            exchange = KeyExchange(Role.JOINER, CODE, TABLE)
            await talk.say("key", exchange.message)
            session = exchange.finish(await talk.hear("key"), frame)
            await talk.say("confirm", session.confirmation)
            assert session.confirms(await talk.hear("confirm"))
            await talk.introduce(session, VERA, BORIS_SEED)
            assert await reader.read() == b""
        assert table.guests == []

    run(scenario())


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.binary(min_size=1, max_size=200), max_size=4))
def test_whatever_callers_send_the_lobby_goes_on(frames: list[bytes]) -> None:
    async def scenario() -> None:
        mistakes: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: mistakes.append(context))
        table = Table()
        async with table.lobby:
            async with caller(table) as (reader, writer):
                await read_frame(reader)
                for frame in frames:
                    await write_frame(writer, frame)
                writer.write_eof()
                with contextlib.suppress(ConnectionError):  # Hung up on with unread bytes in flight.
                    await reader.read()
            assert table.guests == [] and table.lobby.code == CODE
            await table.join()
        assert mistakes == []

    run(scenario())


# Callers' mistakes


def test_what_cannot_be_proven_or_sent_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="seed"):
        asyncio.run(join(HOST, 1, CODE, BORIS, ANNA_SEED))
    for wrong, message in (
        ({"table_id": b"short"}, "16 bytes"),
        ({"code": "123"}, "eight digits"),
        ({"identity_seed": BORIS_SEED}, "seed"),
        ({"port": 70000}, "65535"),
    ):
        options: dict[str, Any] = {
            "identity_seed": ANNA_SEED,
            "table_id": TABLE,
            "table_name": "x",
            "seats_free": lambda: 1,
            "on_guest": Table().seat,
        }
        with pytest.raises(ValueError, match=message):
            LobbyHost(ANNA, **(options | wrong))
    changes: list[tuple[dict[str, Any], str]] = [
        ({"identity": b""}, "32 bytes"),
        ({"transport": b"#" * 40}, "Z85"),
        ({"name": ""}, "printable"),
        ({"name": "x" * 25}, "printable"),
        ({"name": "a\nb"}, "printable"),
        ({"link_port": 65536}, "65535"),
        ({"nonce": b""}, "32 bytes"),
        ({"wish": "\x1b"}, "printable"),
    ]
    for change, message in changes:
        with pytest.raises(ValueError, match=message):
            dataclasses.replace(ANNA, **change)
