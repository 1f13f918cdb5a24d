"""What is wrong with a scenario's file, in words: the place, and the keys that would be right there."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

Location = tuple[int | str, ...]


def explained(name: str, model: type[BaseModel], tags: Mapping[str, type[BaseModel]], error: ValidationError) -> str:
    """Return one line per problem. `tags` are the kinds of a tagged union, which pydantic puts into its places."""
    lines = [f"{name} cannot be played:"]
    for problem in error.errors():
        place = problem["loc"]
        said = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            said = f"unknown key; known here: {', '.join(known_keys(model, tags, place[:-1]))}"
        shown = [str(part) for at, part in enumerate(place) if not _is_tag(place, at, tags)]
        lines.append(f"  {'.'.join(shown) or '(top)'}: {said}")
    return "\n".join(lines)


def known_keys(model: type[BaseModel], tags: Mapping[str, type[BaseModel]], place: Location) -> list[str]:
    """Return the keys that an object at a place may have."""
    here: type[BaseModel] | None = model
    for at, part in enumerate(place):
        if _is_tag(place, at, tags):
            here = tags[str(part)]
        elif here is not None and isinstance(part, str):
            field = next((f for name, f in here.model_fields.items() if part in (name, f.alias)), None)
            here = next(_models(field.annotation), None) if field is not None else here
    return sorted(f.alias or name for name, f in here.model_fields.items()) if here is not None else []


def _is_tag(place: Location, at: int, tags: Mapping[str, type[BaseModel]]) -> bool:
    """A tag stands right behind a step's number: "turns", 2, "say"."""
    return at >= 2 and place[at] in tags and isinstance(place[at - 1], int) and place[at - 2] == "turns"


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models inside an annotation, such as `tuple[Expectation, ...]` or `ReplyHolds | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
