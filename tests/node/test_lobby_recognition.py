"""Players who know each other from an earlier match need no code, and nobody else can pass for them."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from node import errors
from node.errors import LobbyError
from node.lobby.host import Introduction, JoinedTable
from node.lobby.join import join_known
from node.lobby.messages import CODE_NEEDED, Malformed, decode, encode, read_frame
from node.lobby.pake import Role, Session
from node.lobby.recognition import KEY_BYTES, Recognition
from node.lobby.talk import Refusal, Talk
from tests.node.lobby_tables import (
    ANNA,
    ANNA_SEED,
    BORIS,
    BORIS_SEED,
    HOST,
    TABLE,
    VERA,
    VERA_SEED,
    Behaviour,
    Table,
    caller,
    fake_host,
    hello,
    run,
)


def table_of_friends(*friends: Introduction, **options: Any) -> Table:
    """Anna's table; she knows Boris, or others."""
    known = {one.identity for one in friends or (BORIS,)}
    return Table(known=known.__contains__, **options)


async def come(
    port: int, me: Introduction = BORIS, seed: bytes = BORIS_SEED, host: bytes = ANNA.identity, **more: Any
) -> JoinedTable:
    return await join_known([(HOST, port)], host, me, seed, **more)


async def come_to_fake(behaviour: Behaviour, **options: Any) -> JoinedTable:
    async with fake_host(behaviour) as port:
        return await come(port, **options)


async def recognise_as_host(talk: Talk, seed: bytes = ANNA_SEED, identity: bytes = ANNA.identity) -> Session:
    """Do what a host does that owns `seed` and says that it is `identity`."""
    await talk.send_frame(hello())
    exchange = Recognition(Role.HOST)
    session = exchange.finish(await talk.hear("recognise"), hello(), identity)
    await talk.say("recognise", exchange.message + session.prove(seed))
    return session


async def recognise_as_guest(talk: Talk) -> Session:
    """Do what a guest does, up to its introduction."""
    frame, _ = await talk.hear_any()
    exchange = Recognition(Role.JOINER)
    await talk.say("recognise", exchange.message)
    answer = await talk.hear("recognise")
    session = exchange.finish(answer[:KEY_BYTES], frame, ANNA.identity)
    session.check_proof(ANNA.identity, answer[KEY_BYTES:])
    return session


def test_a_known_guest_is_seated_without_a_code_and_both_know_each_other() -> None:
    async def scenario() -> None:
        table = table_of_friends()
        async with table.lobby:
            joined = await come(table.lobby.port, expected_table=TABLE)
        lobby = (HOST, table.lobby.port)
        assert joined == JoinedTable(ANNA, TABLE, "Кухня", (HOST, ANNA.link_port), lobby)
        assert table.guests == [(BORIS, (HOST, BORIS.link_port))]

    run(scenario())


def test_an_unknown_guest_falls_back_to_the_code_which_costs_no_guess() -> None:
    async def scenario() -> None:
        table = table_of_friends()
        async with table.lobby:
            for _ in range(6):
                with pytest.raises(errors.CodeNeeded):
                    await come(table.lobby.port, VERA, VERA_SEED)
            assert table.guests == [] and table.new_codes == []
            await table.join()
        assert len(table.guests) == 1

    run(scenario())


def test_whoever_is_known_no_more_falls_back_to_the_code() -> None:
    async def scenario() -> None:
        known = {BORIS.identity}
        table = Table(known=known.__contains__)
        async with table.lobby:
            known.clear()
            with pytest.raises(errors.CodeNeeded):
                await come(table.lobby.port)
        assert table.guests == []

    run(scenario())


def test_a_table_that_knows_nobody_asks_everybody_for_the_code() -> None:
    async def scenario() -> None:
        table = Table()
        async with table.lobby:
            with pytest.raises(errors.CodeNeeded):
                await come(table.lobby.port)

    run(scenario())


def test_a_known_guest_is_refused_like_any_other_where_there_is_no_seat() -> None:
    async def scenario() -> None:
        full, unwilling = table_of_friends(seats=0), table_of_friends(refusal="Not today.")
        async with full.lobby, unwilling.lobby:
            with pytest.raises(errors.LobbyFull):
                await come(full.lobby.port)
            with pytest.raises(errors.JoinRefused, match="Not today"):
                await come(unwilling.lobby.port)
            with pytest.raises(errors.TableNotFound):
                await come(full.lobby.port, expected_table=bytes(16))

    run(scenario())


def test_the_hosts_own_profile_is_not_its_known_guest() -> None:
    async def scenario() -> None:
        table = table_of_friends(ANNA)
        async with table.lobby:
            with pytest.raises(errors.JoinRefused, match="profile"):
                await come(table.lobby.port, ANNA, ANNA_SEED)

    run(scenario())


# Somebody who passes for the host


def test_a_stranger_who_passes_for_the_host_is_unmasked_and_learns_nothing_of_the_guest() -> None:
    heard: list[bytes] = []

    async def all_heard(talk: Talk) -> None:
        while True:
            heard.append((await talk.hear_any())[0])

    async def another_key(talk: Talk) -> None:
        await recognise_as_host(talk, VERA_SEED)
        await all_heard(talk)

    async def another_identity(talk: Talk) -> None:
        await recognise_as_host(talk, VERA_SEED, VERA.identity)
        await all_heard(talk)

    async def no_proof(talk: Talk) -> None:
        await talk.send_frame(hello())
        await talk.hear("recognise")
        await talk.say("recognise", Recognition(Role.HOST).message + bytes(80))
        await all_heard(talk)

    async def scenario() -> None:
        for behaviour in (another_key, another_identity, no_proof):
            with pytest.raises(errors.HostUnproven, match="whom you know"):
                await come_to_fake(behaviour)
        assert heard == []

    run(scenario())


def test_the_guests_introduction_is_secret_to_whoever_listens() -> None:
    async def scenario() -> None:
        table = table_of_friends()
        relayed: list[bytes] = []

        async def relay(talk: Talk) -> None:
            async with caller(table) as (reader, writer):
                real = Talk(reader, writer)
                for side in (0, 1, 0, 1, 0):
                    frame, _ = await ((real, talk)[side]).hear_any()
                    relayed.append(frame)
                    await ((talk, real)[side]).send_frame(frame)

        async with table.lobby, fake_host(relay) as port:
            await come(port)
        said = b"".join(relayed)
        for secret in (BORIS.identity, BORIS.transport, BORIS.name.encode(), BORIS.nonce):
            assert secret not in said
        assert len(table.guests) == 1

    run(scenario())


def test_somebody_in_between_who_changes_hello_or_keys_is_unmasked() -> None:
    async def scenario() -> None:
        table = table_of_friends()

        async def another_name(talk: Talk) -> None:
            async with caller(table) as (reader, writer):
                real = Talk(reader, writer)
                await real.hear_any()
                await talk.send_frame(hello(name="Мост"))
                await real.say("recognise", await talk.hear("recognise"))
                await talk.say("recognise", await real.hear("recognise"))
                await talk.hear_any()

        async def keys_of_its_own(talk: Talk) -> None:
            async with caller(table) as (reader, writer):
                real = Talk(reader, writer)
                await talk.send_frame((await real.hear_any())[0])
                await talk.hear("recognise")
                await real.say("recognise", Recognition(Role.JOINER).message)
                await talk.say("recognise", await real.hear("recognise"))
                await talk.hear_any()

        async with table.lobby:
            for behaviour in (another_name, keys_of_its_own):
                with pytest.raises(errors.HostUnproven):
                    await come_to_fake(behaviour)
        assert table.guests == []

    run(scenario())


def test_a_recorded_host_proves_nothing_to_the_next_caller() -> None:
    recorded: list[bytes] = []

    async def replay(talk: Talk) -> None:
        await talk.send_frame(hello())
        await talk.hear("recognise")
        await talk.send_frame(recorded[0])

    async def scenario() -> None:
        table = table_of_friends()
        async with table.lobby, caller(table) as (reader, writer):
            talk = Talk(reader, writer)
            await talk.hear_any()
            await talk.say("recognise", Recognition(Role.JOINER).message)
            recorded.append(await read_frame(reader))
        with pytest.raises(errors.HostUnproven):
            await come_to_fake(replay)

    run(scenario())


def test_a_proof_that_a_stranger_got_from_the_host_is_no_proof_of_its_own() -> None:
    """Anybody may ask the host for its signature; it is good in that conversation only."""

    async def scenario() -> None:
        table = table_of_friends()

        async def pass_on(talk: Talk) -> None:
            async with caller(table) as (reader, writer):
                real = Talk(reader, writer)
                frame, _ = await real.hear_any()
                mine = Recognition(Role.JOINER)
                await real.say("recognise", mine.message)
                answer = await real.hear("recognise")
                asked = mine.finish(answer[:KEY_BYTES], frame, ANNA.identity)
                signature = asked._decrypt(b"prove", answer[KEY_BYTES:])
                await talk.send_frame(frame)
                own = Recognition(Role.HOST)
                session = own.finish(await talk.hear("recognise"), frame, ANNA.identity)
                await talk.say("recognise", own.message + session._encrypt(b"prove", signature))
                await talk.hear_any()

        async with table.lobby:
            with pytest.raises(errors.HostUnproven):
                await come_to_fake(pass_on)
        assert table.guests == []

    run(scenario())


def test_a_host_that_echoes_the_guests_key_is_no_table() -> None:
    async def echo(talk: Talk) -> None:
        await talk.send_frame(hello())
        await talk.say("recognise", await talk.hear("recognise") + bytes(80))

    async def scenario() -> None:
        with pytest.raises(errors.NotATable):
            await come_to_fake(echo)

    run(scenario())


def test_a_host_that_introduces_itself_as_somebody_else_is_unmasked() -> None:
    async def scenario() -> None:
        for face, seed in (
            (VERA, VERA_SEED),
            (dataclasses.replace(ANNA, transport=BORIS.transport), ANNA_SEED),
        ):

            async def host(talk: Talk, face: Introduction = face, seed: bytes = seed) -> None:
                session = await recognise_as_host(talk)
                await talk.hear("sealed")
                await talk.introduce(session, face, seed)

            with pytest.raises(errors.HostUnproven):
                await come_to_fake(host)

    run(scenario())


# Somebody who passes for the guest


def test_nobody_is_seated_with_the_identity_of_another() -> None:
    def borrowed(session: Session) -> bytes:
        return encode("introduction", session.sign(VERA_SEED, b"x"))

    async def scenario() -> None:
        table = table_of_friends()
        async with table.lobby:
            async with caller(table) as (reader, writer):
                talk = Talk(reader, writer)
                session = await recognise_as_guest(talk)
                await talk.introduce(session, BORIS, VERA_SEED)
                assert await reader.read() == b""
            async with caller(table) as (reader, writer):
                talk = Talk(reader, writer)
                session = await recognise_as_guest(talk)
                await talk.say("sealed", session.seal(borrowed(session)))
                assert await reader.read() == b""
        assert table.guests == []

    run(scenario())


def test_what_a_guest_once_said_seats_nobody_again() -> None:
    """The frames of a whole conversation, sent again from where they were recorded."""

    async def scenario() -> None:
        table = table_of_friends()
        said: list[bytes] = []

        async def relay(talk: Talk) -> None:
            async with caller(table) as (reader, writer):
                real = Talk(reader, writer)
                for side in (0, 1, 0, 1, 0):
                    frame, _ = await ((real, talk)[side]).hear_any()
                    if side == 1:
                        said.append(frame)
                    await ((talk, real)[side]).send_frame(frame)

        async with table.lobby:
            async with fake_host(relay) as port:
                await come(port)
            table.guests.clear()
            async with caller(table) as (reader, writer):
                talk = Talk(reader, writer)
                await talk.hear_any()
                await talk.send_frame(said[0])
                await talk.hear("recognise")
                await talk.send_frame(said[1])
                assert await reader.read() == b""
        assert table.guests == []

    run(scenario())


def test_a_signature_made_at_one_table_is_not_taken_at_another() -> None:
    """A host that knows the guest, too, cannot carry its proof on to Anna's table."""

    async def scenario() -> None:
        table = table_of_friends()
        outcome: list[bytes] = []

        async def carry_on(talk: Talk) -> None:
            mine = await recognise_as_host(talk, VERA_SEED, VERA.identity)
            signed = decode(mine.open(await talk.hear("sealed")))
            async with caller(table) as (reader, writer):
                real = Talk(reader, writer)
                session = await recognise_as_guest(real)
                await real.say("sealed", session.seal(encode(*signed)))
                outcome.append(await reader.read())

        async with table.lobby:
            with pytest.raises(errors.LobbyClosed):
                await come_to_fake(carry_on, host=VERA.identity)
        assert outcome == [b""]
        assert table.guests == []

    run(scenario())


def test_a_host_tells_strangers_only_that_the_code_is_needed() -> None:
    async def scenario() -> None:
        table = table_of_friends()
        async with table.lobby, caller(table) as (reader, writer):
            talk = Talk(reader, writer)
            session = await recognise_as_guest(talk)
            await talk.introduce(session, VERA, VERA_SEED)
            with pytest.raises(Refusal, match=CODE_NEEDED):
                await talk.meet(session)
            assert await reader.read() == b""

    run(scenario())


@pytest.mark.parametrize(
    "key",
    [
        b"",
        bytes(31),
        bytes(33),
        bytes(32),
        b"\1" + bytes(31),
        bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    ],
)
def test_keys_that_keep_no_secret_are_hung_up_on(key: bytes) -> None:
    with pytest.raises(Malformed):
        Recognition(Role.JOINER).finish(key, hello(), ANNA.identity)

    async def scenario() -> None:
        table = table_of_friends()
        async with table.lobby:
            async with caller(table) as (reader, writer):
                talk = Talk(reader, writer)
                await talk.hear_any()
                await talk.say("recognise", key)
                assert await reader.read() == b""
            await table.join()

    run(scenario())


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_whatever_a_host_answers_the_guest_raises_only_lobby_errors(data: st.DataObject) -> None:
    field = st.one_of(st.binary(max_size=120), st.text(max_size=20), st.integers(-(2**63), 2**64 - 1))
    frame = data.draw(
        st.one_of(
            st.binary(min_size=1, max_size=100),
            st.lists(field, max_size=7).map(lambda fields: encode(*fields)),
            st.tuples(st.sampled_from(["recognise", "sealed", "refused"]), field).map(lambda f: encode(*f)),
        )
    )
    point = data.draw(st.integers(0, 2))

    async def host(talk: Talk) -> None:
        if point < 2:
            await talk.send_frame(hello())
            await talk.hear("recognise")
            await talk.send_frame(frame)
            return
        session = await recognise_as_host(talk)
        await talk.hear("sealed")
        await talk.send_frame(data.draw(st.sampled_from([frame, encode("sealed", session.seal(frame))])))

    async def scenario() -> None:
        with pytest.raises(LobbyError) as caught:
            await come_to_fake(host)
        assert str(caught.value)

    run(scenario())


def test_two_known_guests_for_the_last_seat() -> None:
    async def scenario() -> None:
        table = table_of_friends(BORIS, VERA, seats=1)
        async with table.lobby:
            results = await asyncio.gather(
                come(table.lobby.port), come(table.lobby.port, VERA, VERA_SEED), return_exceptions=True
            )
        assert len(table.guests) == 1
        refused = [one for one in results if isinstance(one, errors.JoinRefused | errors.LobbyFull)]
        assert len(refused) == 1

    run(scenario())
