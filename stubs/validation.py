"""What the decision APIs refuse: requests checked by hand, with the errors that their servers give."""

from typing import Any, cast

Json = dict[str, Any]

MOST_OPTIONS = 255
MOST_LEVELS = 10
# Both real models take some 32k tokens; a token is at least about three characters of ordinary text.
MOST_CHARACTERS = 3 * 32_768
TYPES = ("noul", "choice", "score")


def problems_of(body: object) -> list[Json]:
    """Return what is wrong with a System One request, in the form `{"loc", "msg", "type"}`; [] for a good one."""
    if not isinstance(body, dict):
        return [_problem([], "Input should be a valid dictionary", "dict_type")]
    given = cast(Json, body)
    found = [
        _problem([name], "Field required", "missing") for name in ("state", "model", "questions") if name not in given
    ]
    if "state" in given and not _is_text(given["state"]):
        found.append(_problem(["state"], "Input should be a valid string, object or array", "union_type"))
    if "model" in given and not isinstance(given["model"], str):
        found.append(_problem(["model"], "Input should be a valid string", "string_type"))
    if "questions" not in given:
        return found
    questions = given["questions"]
    if not isinstance(questions, dict):
        return [*found, _problem(["questions"], "Input should be a valid dictionary", "dict_type")]
    if not questions:
        text = "Dictionary should have at least 1 item after validation, not 0"
        return [*found, _problem(["questions"], text, "too_short")]
    for name, question in cast(Json, questions).items():
        found += _question(name, question)
    return found


def too_long(body: Json) -> bool:
    """Tell whether state and longest question are beyond the models' context."""
    longest = max((len(str(question)) for question in cast(Json, body["questions"]).values()), default=0)
    return len(str(body["state"])) + longest > MOST_CHARACTERS


def openai_problems_of(body: object) -> list[Json]:
    """Return what is wrong with an OpenAI decisions request, by the System One rules on its translation."""
    match body:
        case {"model": str(), "input": str() | list(), "questions": list(questions)} if questions:
            pass
        case _:
            return [_problem([], "model, input and at least one question are required", "missing")]
    names: list[object] = [q.get("name") if isinstance(q, dict) else None for q in cast(list[Any], questions)]
    if not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        return [_problem(["questions"], "every question needs a name of its own", "value_error")]
    found: list[Json] = []
    for question in cast(list[Json], questions):
        translated = from_openai(question)
        if translated is None:
            found.append(_problem(["questions", str(question["name"])], "not a question", "value_error"))
            continue
        found += _question(str(question["name"]), translated)
        if translated["type"] == "choice" and len(translated["criteria"]) < 2:
            found.append(_problem(["questions", str(question["name"])], "at least 2 choices", "too_short"))
    return found


def from_openai(question: Json) -> Json | None:
    """Translate one of OpenAI's questions to System One's form. None for what has no translation."""
    instructions = question.get("instructions")
    match question:
        case {"type": "choice", "choices": list(choices)} if all(_has(choice, "value") for choice in choices):
            criteria = {choice["value"]: choice.get("description") for choice in choices}
            return {"type": "choice", "instructions": instructions, "criteria": criteria}
        case {"type": "predicate"} if "criteria" not in question:
            return {"type": "noul", "instructions": instructions}
        case {"type": "score", "levels": list(levels)} if all(_has(level, "label") for level in levels):
            return {"type": "score", "instructions": instructions, "criteria": [level["label"] for level in levels]}
        case _:
            return None


def _question(name: str, question: object) -> list[Json]:
    where: list[object] = ["questions", name]
    if not isinstance(question, dict):
        return [_problem(where, "Input should be a valid dictionary", "model_attributes_type")]
    given = cast(Json, question)
    kind, criteria = given.get("type"), given.get("criteria")
    if kind not in TYPES:
        text = "Invalid discriminator value. Expected 'noul' | 'choice' | 'score'"
        return [_problem([*where, "type"], text, "union_tag_invalid")]
    where = [*where, kind]
    found: list[Json] = []
    if given.get("instructions") is not None and not _is_text(given["instructions"]):
        found.append(_problem([*where, "instructions"], "Input should be a valid string", "string_type"))
    match kind:
        case "noul" if criteria is not None and (not isinstance(criteria, dict) or set(criteria) - {"true", "false"}):
            found.append(_problem([*where, "criteria"], "Input should have 'true' and 'false'", "model_type"))
        case "choice":
            found += _choice(where, criteria)
        case "score":
            found += _levels(where, criteria)
        case _:
            pass
    return found


def _choice(where: list[object], criteria: object) -> list[Json]:
    where = [*where, "criteria"]
    if not isinstance(criteria, dict):
        return [_problem(where, "Input should be a valid dictionary", "dict_type")]
    options = cast(Json, criteria)
    if not 1 <= len(options) <= MOST_OPTIONS:
        return [_problem(where, f"Dictionary should have 1 to {MOST_OPTIONS} items, not {len(options)}", "too_long")]
    bad = [name for name, text in options.items() if text is not None and not _is_text(text)]
    return [_problem([*where, name], "Input should be a valid string", "string_type") for name in bad]


def _levels(where: list[object], criteria: object) -> list[Json]:
    where = [*where, "criteria"]
    if not isinstance(criteria, list):
        return [_problem(where, "Input should be a valid list", "list_type")]
    levels = cast(list[object], criteria)
    if not 1 <= len(levels) <= MOST_LEVELS:
        return [_problem(where, f"List should have 1 to {MOST_LEVELS} items, not {len(levels)}", "too_long")]
    bad = [place for place, text in enumerate(levels) if not _is_text(text)]
    return [_problem([*where, place], "Input should be a valid string", "string_type") for place in bad]


def _problem(where: list[object], text: str, kind: str) -> Json:
    return {"loc": ["body", *where], "msg": text, "type": kind}


def _is_text(value: object) -> bool:
    return isinstance(value, str | dict | list)


def _has(item: object, name: str) -> bool:
    return isinstance(item, dict) and isinstance(cast(Json, item).get(name), str)
