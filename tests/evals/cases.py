"""Cases as a test writes them."""

from pathlib import Path

from evals.datasets import read_cases
from evals.integrity_cases import IntegrityCase, Line, Value

ROOT = Path(__file__).resolve().parents[2]
OWN = tuple(sorted((ROOT / "evals/cases/handoff").glob("*.jsonl")))
SHARED = tuple(sorted((ROOT.parent / "shared/data/integrity").glob("*.jsonl")))


def own(*names: str) -> tuple[IntegrityCase, ...]:
    """Return the project's own cases, of some files or of all."""
    return read_cases(IntegrityCase, [path for path in OWN if not names or path.stem in names])


def case(*turns: str, values: tuple[tuple[str, str, int], ...] = (), **more: object) -> IntegrityCase:
    """Make a case of "C: …" and "A: …" lines."""
    roles = {"C": "customer", "A": "agent", "P": "person"}
    lines = tuple(Line.model_validate({"role": roles[turn[0]], "text": turn[3:]}) for turn in turns)
    given = {
        "id": "t", "turns": lines, "boundary": len(lines), "lang": "pt",
        "values": tuple(Value(key=key, value=value, turn=turn) for key, value, turn in values),
    }  # fmt: skip
    return IntegrityCase.model_validate(given | more)
