"""What players at a table wait for: ``python -m tests.benchmarks.bench_table [--think SECONDS]``.

Four nodes in four processes play one match over loopback sockets. Printed are the time from a play at one
node to the changed view at the other three, beside a bare pyzmq round trip measured in the same run, and
the wait between deals. Players who think a little give the next deck time to be ready.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import zmq

from node.lobby.host import new_code
from node.network.addresses import LOOPBACK
from node.seating.worker import SeatConfig

ROUNDS = 2000


def bare_round_trips() -> list[float]:
    """Seconds of a bare pyzmq round trip of 300 bytes with CURVE on loopback, one after another."""
    context = zmq.Context()
    server_public, server_secret = zmq.curve_keypair()
    client_public, client_secret = zmq.curve_keypair()
    router = context.socket(zmq.ROUTER)
    router.curve_server, router.curve_publickey, router.curve_secretkey = True, server_public, server_secret
    port = router.bind_to_random_port(f"tcp://{LOOPBACK}")

    def echo() -> None:
        for _ in range(ROUNDS):
            router.send_multipart(router.recv_multipart())

    thread = threading.Thread(target=echo)
    thread.start()
    dealer = context.socket(zmq.DEALER)
    dealer.curve_serverkey, dealer.curve_publickey, dealer.curve_secretkey = (
        server_public,
        client_public,
        client_secret,
    )
    dealer.connect(f"tcp://{LOOPBACK}:{port}")
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        dealer.send(bytes(300))
        dealer.recv()
        times.append(time.perf_counter() - began)
    thread.join()
    dealer.close()
    router.close()
    context.term()
    return times[ROUNDS // 10 :]


def play(think: float, folder: Path) -> list[dict[str, Any]]:
    """Play one match in four processes; the notes of each seat."""
    code = new_code()
    seats: list[subprocess.Popen[str]] = []
    address = None
    try:
        for seat in range(4):
            config = SeatConfig(
                profile=str(folder / str(seat)),
                name=f"Player {seat}",
                play_as="medium",
                table="bench",
                table_id="00" * 16,
                code=code,
                host=seat == 0,
                address=address,
                listen=LOOPBACK,
                pause=think,
            )
            command = [sys.executable, "-m", "tests.benchmarks.measured_seat"]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            seats.append(process)
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(config.to_line())
            process.stdin.flush()
            if seat == 0:
                address = (LOOPBACK, json.loads(process.stdout.readline())["port"])
        return [json.loads(process.communicate()[0].splitlines()[-1]) for process in seats]
    finally:
        for process in seats:
            if process.poll() is None:
                process.kill()


def spread(name: str, seconds: list[float]) -> float:
    """Print median, p99 and count; return the median."""
    ordered = sorted(seconds)
    median, p99 = statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(f"{name:<46} median {median * 1e3:8.2f} ms   p99 {p99 * 1e3:8.2f} ms   n {len(ordered)}")
    return median


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--think", type=float, default=0.25, help="pause of every player before a play, in seconds"
    )
    think = parser.parse_args().think
    bare = spread("bare pyzmq round trip, CURVE, 300 bytes", bare_round_trips())
    with tempfile.TemporaryDirectory() as folder:
        notes = play(think, Path(folder))
    delays = []
    for seat in notes:
        for place, acted in seat["played"].items():
            seen = [other["seen"][place] for other in notes if place in other["seen"]]
            if len(seen) == 3:
                delays.append(max(seen) - acted)
    median = spread("play at one node to the view at the other three", delays)
    print(f"ratio to the bare round trip: {median / bare:.1f}")
    spread(
        f"wait between deals, players thinking {think} s", [wait for seat in notes for wait in seat["waits"]]
    )


if __name__ == "__main__":
    main()
