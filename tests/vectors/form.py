"""What a file of vectors is, how it is written and how it is read.

A file is a JSON object: `origin` says how it was made, `clause` which clause of docs/protocol.md it is about,
`labels` which labels of §6.1 its values depend on, and `cases` what must come out, one case on a line.

A case has a `name` and says in `do` which operation it is about; the operation's inputs stand beside that,
byte strings in hexadecimal. With `valid` true the operation must succeed, and give `expected` if it is there.
With `valid` false it must refuse the inputs with the code `error`, or, where that is `other-value`, give
something else than `expected`: the value that comes out when a step is done wrongly, in the way that the name
of the case says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from node.lobby.messages import Malformed
from protocol.crypto.errors import (
    InvalidPoint,
    InvalidScalar,
    MalformedProof,
    NotACard,
    ProofRefused,
)
from protocol.errors import ProtocolError

FOLDER: Final = Path(__file__).parent
OTHER_VALUE: Final = "other-value"

Case: TypeAlias = dict[str, Any]
Operation: TypeAlias = Callable[[Case], Any]
Operations: TypeAlias = Mapping[str, Operation]

CODES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (MalformedProof, "length"),
    (InvalidPoint, "point"),
    (InvalidScalar, "scalar"),
    (ProofRefused, "proof"),
    (NotACard, "not-a-card"),
    (Malformed, "malformed"),
)
"""Codes of refusals for which the document has none of its own: in cryptography, and at the lobby."""


@dataclass(frozen=True)
class Vectors:
    """One file before it is written."""

    origin: str
    clause: str
    labels: tuple[str, ...]
    cases: tuple[Case, ...]


def code_of(error: Exception) -> str:
    """The code of a refusal; what is no refusal is raised again."""
    if isinstance(error, ProtocolError):
        return error.code
    for kind, code in CODES:
        if isinstance(error, kind):
            return code
    raise error


class Maker:
    """Makes the cases of one group: what is valid is computed, what must be refused is told."""

    def __init__(self, operations: Operations) -> None:
        self._operations = operations

    def valid(self, name: str, do: str, /, **inputs: Any) -> Case:
        """A case whose value is what the operation gives now; none stands there if it gives nothing."""
        case = {"name": name, "do": do, **inputs}
        value = self._operations[do](case)
        return {**case, "valid": True} if value is None else {**case, "expected": value, "valid": True}

    def refused(self, name: str, error: str, do: str, /, **inputs: Any) -> Case:
        """A case that must be refused with this code."""
        return {"name": name, "do": do, **inputs, "valid": False, "error": error}

    def wrong(self, name: str, value: Any, do: str, /, **inputs: Any) -> Case:
        """A case in which something else than `value` must come out."""
        return {"name": name, "do": do, **inputs, "expected": value, "valid": False, "error": OTHER_VALUE}


def render(vectors: Vectors) -> str:
    """The text of a file."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in vectors.cases)
    head = {"origin": vectors.origin, "clause": vectors.clause, "labels": list(vectors.labels)}
    start = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()
    )
    return f'{{{start},\n"cases": [\n{lines}\n]}}\n'


def read(name: str) -> dict[str, Any]:
    """A file as it lies in this folder."""
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content


def at(case: Case, key: str) -> bytes:
    """An input of bytes."""
    return bytes.fromhex(case[key])


def pieces(case: Case, key: str) -> list[bytes]:
    """An input of several byte strings."""
    return [bytes.fromhex(piece) for piece in case[key]]


def resolved(cases: Sequence[Case]) -> list[Case]:
    """The cases with all their inputs.

    A case with `as` has the inputs of the valid case of that name in its file, apart from its own; `changes`
    says for an input of bytes what stands there instead from some byte on: pairs of place and bytes.
    """
    named = {case["name"]: case for case in cases if case["valid"] and "as" not in case}
    return [_resolved(case, named) for case in cases]


def _resolved(case: Case, named: Mapping[str, Case]) -> Case:
    if "as" not in case:
        return case
    base = {key: value for key, value in named[case["as"]].items() if key not in {"expected", "error"}}
    full = {**base, **{key: value for key, value in case.items() if key not in {"as", "changes"}}}
    for key, patches in case.get("changes", {}).items():
        data = bytearray.fromhex(full[key])
        for place, piece in patches:
            data[place : place + len(piece) // 2] = bytes.fromhex(piece)
        full[key] = data.hex()
    return full
