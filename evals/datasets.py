"""Read cases from JSONL, and refuse what is no case with its file and line."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

Case = TypeVar("Case", bound=BaseModel)


class BadCases(ValueError):
    """A dataset cannot be used. The message names the file, the line and what is wrong."""


def read_cases(model: type[Case], paths: Sequence[Path]) -> tuple[Case, ...]:
    """Return the cases of JSONL files in their order; blank lines do not count. Raises `BadCases`."""
    found: list[Case] = []
    for path in paths:
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadCases(f"{path}: cannot be read ({error})") from error
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                found.append(model.model_validate_json(line))
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"])
                raise BadCases(f"{path}:{number}: {where or 'line'}: {first['msg']}") from error
    if not found:
        raise BadCases("no cases: " + ", ".join(str(path) for path in paths))
    return tuple(found)
