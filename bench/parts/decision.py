"""One decision of the embedded model on one core: time, memory, load, texts a second in batches, and how often it is right."""

import json
import subprocess
import sys
import time
from typing import Any

from bench.decision import exchanges
from bench.place import environment
from bench.tables import table, verdict
from routing.providers.local_encoder import SentenceEncoder
from settings import ROOT

TITLE = "A decision"
BATCHES, TEXTS = (1, 8, 32), 512
ACCURACY = {
    "sealed first": "router_dev_b.json",
    "sealed second": "router_dev_c.json",
    "sealed third": "router_dev_d.json",
    "sealed last": "router_sealed.json",
}
P50_MS, P95_MS = 10, 30
# Shown beside a target that is missed.
WHY = (
    "A decision embeds four texts in the middle (the message, the last exchange, both joined, each clause), and the encoder is half of its "
    "time: read the line of batches of 1 for what this machine takes for one text. Done: the quadratic layer keeps its 256 strongest "
    "directions (a quarter of the memory read), rows of n-grams are counted in arrays. Not done: embedding a reply before it is asked about."
)
Json = dict[str, Any]


def measure(*, quick: bool = False) -> Json:
    """Time decisions in a process that is held to one core, then the encoder alone in batches."""
    command = [sys.executable, "-m", "bench.decision", *(["--at-most", "100"] if quick else [])]
    environ = environment("")
    environ.pop("DATABASE_URL")
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environ).stdout)
    texts = [message for message, _ in exchanges()][: 64 if quick else TEXTS]
    encoder = SentenceEncoder()
    encoder.embed(texts[:1])
    return {
        **found,
        "texts_per_s": {str(size): _throughput(encoder, texts, size) for size in BATCHES},
        "accuracy": _accuracy(),
    }


def _throughput(encoder: SentenceEncoder, texts: list[str], size: int) -> float:
    began = time.process_time()
    for start in range(0, len(texts), size):
        encoder.embed(texts[start : start + size])
    return len(texts) / (time.process_time() - began)


def _accuracy() -> Json:
    """Return the stored evaluation's figures: measured by scripts.evaluate, not here."""
    stored = {
        name: json.loads((ROOT / "evals" / "results" / file).read_text("utf-8")) for name, file in ACCURACY.items()
    }
    return {
        name: {"n": found["n"], **{k: found["metrics"]["accuracy"][k] for k in ("value", "low", "high")}}
        for name, found in stored.items()
    }


def render(figures: Json) -> str:
    f = figures
    rows = [
        [
            "embedded model",
            f["p50_ms"],
            f["p95_ms"],
            f["p99_ms"],
            f["cpu_ms"],
            f["load_s"],
            f["peak_mb"],
            f["decisions"],
        ]
    ]
    batches = [[f"batches of {size}", rate] for size, rate in f["texts_per_s"].items()]
    right = [[name, f"{a['value']:.1%} ({a['low']:.1%}–{a['high']:.1%})", a["n"]] for name, a in f["accuracy"].items()]
    met = f["p50_ms"] <= P50_MS and f["p95_ms"] <= P95_MS
    return "\n\n".join(
        [
            "Milliseconds of a decision with its context, one process on one core; no network, no price. A decision of a message with several clauses embeds each of them.",
            table(["", "p50", "p95", "p99", "CPU ms", "load s", "peak MB", "n"], rows),
            f"- p50 ≤ {P50_MS} ms, p95 ≤ {P95_MS} ms: {verdict(met)}" + ("" if met else f". {WHY}"),
            "The encoder alone, texts per second of CPU:",
            table(["", "texts/s"], batches),
            "How often it is right (from evals/results, 95 % interval):",
            table(["", "right", "n"], right),
        ]
    )
