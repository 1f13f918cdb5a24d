"""One sentence encoder for all that read a customer's message: what one has embedded the next one need not embed again."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache

import numpy as np

from routing.providers.local_encoder import Encoder, SentenceEncoder, Vectors

# Vectors that are kept (2 KB each): those of the turns that are being decided. Training's batches pass by.
_KEPT = 256
_BATCH = 32


class SharedEncoder:
    """An `Encoder` that remembers the vectors of the latest texts."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts or len(texts) > _BATCH:
            return self._encoder.embed(texts)
        with self._lock:
            known = {text: self._vectors[text] for text in texts if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        fresh = dict(zip(missing, self._encoder.embed(missing), strict=True)) if missing else {}
        known |= fresh
        with self._lock:
            self._vectors |= fresh
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)
        return np.stack([known[text] for text in texts])

    def exists(self, word: str) -> bool:
        return self._encoder.exists(word)


@cache
def shared_encoder() -> SharedEncoder:
    """Return the process's encoder; its weights are loaded at the first text."""
    return SharedEncoder(SentenceEncoder())
