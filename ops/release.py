"""What runs, as one hash: two turns with the same release were answered by the same code, texts, examples and thresholds."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from agents.roster import Roster
from routing.model import Frozen
from routing.providers.calibration import CalibrationFile
from routing.reasons import ReasonTable

_PACKAGES = ("agents", "api", "graph", "ops", "routing", "storage", "tools", "ui")
_FILES = ("app.py", "settings.py", "requirements.txt")
_LENGTH = 12


class Release(Frozen):
    """`id` is the hash of the parts: first twelve hex digits of SHA-256 each, so that it shows what changed."""

    code: str
    config: str
    prompts: str
    reasons: str
    examples: str
    calibration: str

    @property
    def id(self) -> str:
        return _hash(f"{name}={value}".encode() for name, value in sorted(self.model_dump().items()))

    @property
    def parts(self) -> dict[str, str]:
        return self.model_dump()


def release_of(
    *, root: Path, base: Path, config: Mapping[str, Any], roster: Roster, reasons: ReasonTable,
    calibrations: Mapping[str, CalibrationFile],
) -> Release:  # fmt: skip
    """Hash what decides how a turn is answered.

    `root` is the code's folder; `base` the configuration's, whose own modules (a shop adapter, a further specialist) count as
    code. `config` is the validated configuration without paths of this machine.
    """
    own = [] if base == root else sorted(base.glob("*.py"))
    specs = [spec.model_dump_json() for spec in roster.specs]
    return Release(
        code=_hash(_named(_code(root), root) + _named(own, base)),
        config=_hash([_json(config), *(spec.encode() for spec in specs)]),
        prompts=_hash(f"{agent}={prompt.text}".encode() for agent, prompt in sorted(roster.prompts.items())),
        reasons=_hash([reasons.model_dump_json().encode()]),
        examples=_hash(
            part
            for target, path in [*sorted(roster.files.items()), *_signs(root, base)]
            if path.exists()
            for part in (target.encode(), path.read_bytes())
        ),
        calibration=_hash(f"{name}={file.model_dump_json()}".encode() for name, file in sorted(calibrations.items())),
    )


def _signs(root: Path, base: Path) -> list[tuple[str, Path]]:
    folders = dict.fromkeys(place / "agents" / "examples_person" for place in (root, base))
    return [(path.stem, path) for folder in folders for path in sorted(folder.glob("*.jsonl"))]


def _code(root: Path) -> list[Path]:
    modules = [path for package in _PACKAGES for path in (root / package).rglob("*.py")]
    return sorted([*modules, *(path for name in _FILES if (path := root / name).exists())])


def _named(paths: Iterable[Path], root: Path) -> list[bytes]:
    return [part for path in paths for part in (path.relative_to(root).as_posix().encode(), path.read_bytes())]


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode()


def _hash(parts: Iterable[bytes]) -> str:
    """Hash the parts with their lengths, so that no two lists of parts are alike."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:_LENGTH]
