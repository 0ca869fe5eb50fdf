"""From a short code that both sides know to keys that nobody else can have: SPAKE2 and key confirmation.

SPAKE2 (RFC 9382 describes the idea; the messages are those of the package `spake2`) allows whoever sits in
between exactly one guess at the code per run and nothing to search through afterwards. The identities
bound in are the two roles, the protocol's version and the table, and all later keys depend on a hash of
every byte exchanged before, so a changed hello or message ends in a confirmation that does not fit.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass, field
from enum import Enum

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from nacl.exceptions import CryptoError
from nacl.signing import SigningKey, VerifyKey
from spake2 import SPAKE2_A, SPAKE2_B, SPAKEError
from spake2.ed25519_basic import NotOnCurve

from node.lobby.messages import VERSION, Malformed
from protocol import domains
from protocol.crypto.errors import InvalidPoint
from protocol.crypto.group import decode_point

CODE_DIGITS = 8
_MESSAGE_BYTES = 33
_SIGNATURE_BYTES = 64


def new_code() -> str:
    """Return a fresh code of eight digits."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"


def read_code(typed: str) -> str | None:
    """Return the eight digits of a code as people type it, None if they are not eight.

    Spaces and hyphens may group them, and they may be digits of any script.
    """
    digits = "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() else char
        for char in typed
        if not (char.isspace() or char == "-")
    )
    return digits if len(digits) == CODE_DIGITS and digits.isdecimal() else None


class Role(Enum):
    """Who one is in a key exchange; the value is the label of what that side confirms, seals and signs."""

    JOINER = b"joiner"
    HOST = b"host"

    @property
    def other(self) -> Role:
        """The opposite role."""
        return Role.HOST if self is Role.JOINER else Role.JOINER


@dataclass(frozen=True, slots=True)
class Session:
    """What one side holds after the exchange. `transcript` is the hash (32 bytes) of all that was said."""

    role: Role
    transcript: bytes
    secret: bytes = field(repr=False)

    @property
    def confirmation(self) -> bytes:
        """The proof (32 bytes) of this side that it has got the session's key."""
        return self._key(b"confirm", self.role)

    def confirms(self, theirs: bytes) -> bool:
        """Tell whether the other side's proof shows that it has got the same key."""
        return hmac.compare_digest(self._key(b"confirm", self.role.other), theirs)

    def seal(self, plaintext: bytes) -> bytes:
        """Encrypt this side's message for the other. Each side seals one message per session, no more."""
        return self._encrypt(b"seal", plaintext)

    def open(self, ciphertext: bytes) -> bytes:
        """Decrypt what the other side has sealed. Raises Malformed."""
        return self._decrypt(b"seal", ciphertext)

    def prove(self, seed: bytes) -> bytes:
        """Return the sealed proof (80 bytes) that this side owns the identity of `seed`. Once per session."""
        return self._encrypt(b"prove", SigningKey(seed).sign(self._proven(self.role)).signature)

    def check_proof(self, identity: bytes, proof: bytes) -> None:
        """Check the other side's proof that it owns `identity`. Raises Malformed."""
        signature = self._decrypt(b"prove", proof)
        _verify(identity, self._proven(self.role.other), signature)

    def sign(self, seed: bytes, content: bytes) -> bytes:
        """Return `content` behind a signature, by the key of `seed`, that is good in this session only."""
        return SigningKey(seed).sign(self._signed(self.role, content)).signature + content

    def split_signed(self, signed: bytes) -> tuple[bytes, bytes]:
        """Return signature and content of what the other side has signed; `verify` comes next."""
        return signed[:_SIGNATURE_BYTES], signed[_SIGNATURE_BYTES:]

    def verify(self, identity: bytes, signature: bytes, content: bytes) -> None:
        """Check that the other side signed `content` with `identity` in this session. Raises Malformed."""
        _verify(identity, self._signed(self.role.other, content), signature)

    def _encrypt(self, purpose: bytes, plaintext: bytes) -> bytes:
        # One message under a key of its own: the nonce may be anything, so it is zero.
        key = self._key(purpose, self.role)
        return ChaCha20Poly1305(key).encrypt(bytes(12), plaintext, self.transcript)

    def _decrypt(self, purpose: bytes, ciphertext: bytes) -> bytes:
        try:
            key = self._key(purpose, self.role.other)
            return ChaCha20Poly1305(key).decrypt(bytes(12), ciphertext, self.transcript)
        except InvalidTag as error:
            raise Malformed("a seal that does not fit") from error

    def _proven(self, signer: Role) -> bytes:
        return b"".join((domains.LOBBY_RECOGNITION, b" ", signer.value, b" ", self.transcript))

    def _signed(self, signer: Role, content: bytes) -> bytes:
        return b"".join((domains.LOBBY_INTRODUCTION, b" ", signer.value, b" ", self.transcript, content))

    def _key(self, purpose: bytes, sender: Role) -> bytes:
        info = b" ".join((domains.LOBBY_KEY, purpose, sender.value))
        return HKDF(SHA256(), 32, salt=self.transcript, info=info).derive(self.secret)


class KeyExchange:
    """One side of one run. `message` is what to send; `finish` takes the other side's."""

    def __init__(self, role: Role, code: str, table_id: bytes) -> None:
        make = SPAKE2_A if role is Role.JOINER else SPAKE2_B
        joiner, host = (_identity(each, table_id) for each in (Role.JOINER, Role.HOST))
        self._role = role
        self._spake = make(code.encode(), idA=joiner, idB=host)
        self.message: bytes = self._spake.start()

    def finish(self, theirs: bytes, hello: bytes) -> Session:
        """Return the session. `hello` is the host's first frame as it was sent or received.

        A session comes out of a wrong code too: only the confirmation shows it. Raises Malformed for
        what is no message of the other role, this side's own sent back included.
        """
        if len(theirs) != _MESSAGE_BYTES:
            raise Malformed("a key message of a wrong length")
        try:
            decode_point(theirs[1:])  # The package lets other encodings of the neutral element through.
            secret: bytes = self._spake.finish(theirs)
        except (InvalidPoint, SPAKEError, NotOnCurve, ValueError) as error:
            raise Malformed("not a key message of the other side") from error
        spoken = in_order(self._role, self.message, theirs)
        return Session(self._role, transcript(domains.LOBBY_KEY, hello, *spoken), secret)


def in_order(role: Role, ours: bytes, theirs: bytes) -> tuple[bytes, bytes]:
    """Return the joiner's message and the host's, of which `role` sent the first argument."""
    return (ours, theirs) if role is Role.JOINER else (theirs, ours)


def transcript(*parts: bytes) -> bytes:
    """Return the hash (32 bytes) of a conversation: each part preceded by its length."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(4) + part)
    return hashed.digest()


def _verify(identity: bytes, message: bytes, signature: bytes) -> None:
    try:
        VerifyKey(identity).verify(message, signature)
    except (CryptoError, ValueError) as error:
        raise Malformed("a signature that does not fit") from error


def _identity(role: Role, table_id: bytes) -> bytes:
    return b" ".join((domains.LOBBY_KEY, str(VERSION).encode(), role.value, table_id))
