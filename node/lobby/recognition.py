"""How two who have finished a match together know each other again, without a code (§9.7, recognition).

The joiner knows which identity key the host must have. Both send fresh X25519 keys; the host proves its
identity first, so that a stranger who only claims to be the host learns nothing of who is calling; then
the joiner introduces itself as it does after a code. The ephemeral keys are forgotten with the conversation,
so keys that are stolen later open nothing that was recorded. What is signed is bound to the hello,
hence to the table, to both ephemeral keys and to the host's identity: nothing of it can be used again.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from node.lobby.messages import Malformed
from node.lobby.pake import Role, Session, in_order, transcript
from protocol import domains

KEY_BYTES = 32


class Recognition:
    """One side of one run. `message` (32 bytes) is what to send; `finish` takes the other side's."""

    def __init__(self, role: Role) -> None:
        self._role = role
        self._secret = X25519PrivateKey.generate()
        self.message: bytes = self._secret.public_key().public_bytes_raw()

    def finish(self, theirs: bytes, hello: bytes, host_identity: bytes) -> Session:
        """Return the session. `hello` is the host's first frame as it was sent or received.

        `host_identity` (32 bytes) is the host's own, or the one that the joiner expects: where they differ
        nothing that is sealed opens. Raises Malformed for what is no usable key.
        """
        if len(theirs) != KEY_BYTES or theirs == self.message:
            raise Malformed("not a key of the other side")
        try:
            secret = self._secret.exchange(X25519PublicKey.from_public_bytes(theirs))
        except ValueError as error:  # A point of small order: the secret would be zero for everybody.
            raise Malformed("a key that keeps no secret") from error
        spoken = in_order(self._role, self.message, theirs)
        bound = transcript(domains.LOBBY_RECOGNITION, hello, *spoken, host_identity)
        return Session(self._role, bound, secret)
