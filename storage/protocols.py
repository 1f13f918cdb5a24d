"""The short numbers that customers and operators read out: "AT-7K2M9P"."""

import hashlib

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH = 6


def short_code(prefix: str, seed: str, *, attempt: int = 0) -> str:
    """Make a code from a seed that nobody can guess; the same seed gives the same code.

    The alphabet leaves out what is misread or misheard (0 O, 1 I L, U). There are 30^6 = 729 million codes a prefix, so two
    seeds do collide now and then: the caller's unique index finds out, and the next `attempt` gives another code.
    """
    digest = hashlib.sha256(f"{prefix}\0{seed}\0{attempt}".encode()).digest()
    number = int.from_bytes(digest, "big")
    letters: list[str] = []
    for _ in range(_LENGTH):
        number, index = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[index])
    return f"{prefix}-{''.join(letters)}"
