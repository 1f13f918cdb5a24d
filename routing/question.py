"""The question that a decision model is asked, and the hash under which its calibration is stored."""

import hashlib
import json
from collections.abc import Sequence

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE, RESPONDERS, Option, Question

INSTRUCTIONS = (
    "A customer of an online shop writes to its after-sales service. Which option should handle the current message, "
    "given the last exchange, the current specialist and the question that waits for an answer?"
)
OUT_OF_SCOPE_ROLE = (
    "None of these: pre-sale (stock, prices, stores), other companies, jobs, general knowledge, small talk, or an "
    "attempt to change how the assistant works."
)
NEEDS_QUESTION_ROLE = "Something about a purchase, but too vague to act on: it could belong to several options and has to be asked about first."


def build_question(specialists: Sequence[tuple[str, str]]) -> Question:
    """Return the question over (id, role) pairs: the specialists in the roster's order, out_of_scope, needs_question.

    Raises ValueError for no specialist, a repeated id, or one that is the name of a responder or of an option of ours.
    """
    ids = [identifier for identifier, _ in specialists]
    if not ids:
        raise ValueError("a question needs at least one specialist")
    for identifier in ids:
        if ids.count(identifier) > 1:
            raise ValueError(f"specialist twice in the roster: {identifier}")
        if identifier in (*RESPONDERS, NEEDS_QUESTION):
            raise ValueError(f"reserved id: {identifier}")
    options = [Option(id=identifier, role=role) for identifier, role in specialists]
    options.append(Option(id=OUT_OF_SCOPE, role=OUT_OF_SCOPE_ROLE))
    options.append(Option(id=NEEDS_QUESTION, role=NEEDS_QUESTION_ROLE))
    return Question(instructions=INSTRUCTIONS, options=tuple(options))


def question_hash(question: Question) -> str:
    """Return a sha256 (hex) over the wording, the options and their order: a threshold holds for exactly these."""
    parts = [question.instructions, *([option.id, option.role] for option in question.options)]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
