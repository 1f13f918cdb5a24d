"""Between our question and langchain-core's decisions: the request that is sent, the answer that comes back."""

import math
import re
from typing import Any

from langchain_core.decisions import Choice, ClassifierRequest, ClassifierResponse, Noul, Score
from langchain_core.decisions import Question as WireQuestion

from routing.decision import Answer, Exchange, Hop, Question
from routing.providers.calibration import CalibrationFile, applies, apply_temperature
from routing.providers.errors import ProviderError
from routing.providers.redaction import redact
from routing.text import visible
from routing.validation import InvalidAnswer, validate

ROUTE, IS_REQUEST, CONTINUES, ASKS_PERSON, UPSET = "route", "is_request", "continues", "asks_person", "upset"
MESSAGE, CURRENT, PENDING = "message", "current_specialist", "pending_question"
LAST_CUSTOMER, LAST_AGENT, EARLIER = "last_customer_message", "last_specialist_reply", "earlier_summary"

# Characters sent of each part. Decision models bill and slow down by the token, and the point of a long message is at
# its ends more often than in its middle.
_LIMITS = {MESSAGE: 4000, LAST_CUSTOMER: 1200, LAST_AGENT: 1200, EARLIER: 1200, PENDING: 600}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_SIDE_QUESTIONS: dict[str, Noul | Score] = {
    IS_REQUEST: Noul(instructions="Is the current message a request to a shop's after-sales service about a purchase?"),
    CONTINUES: Noul(instructions="Does the current message continue the subject of the last exchange?"),
    ASKS_PERSON: Noul(instructions="Does the customer ask, in the current message, to be served by a human being?"),
    UPSET: Score(
        instructions="How upset is the customer in the current message?",
        criteria=["Calm or neutral.", "Annoyed or worried, but civil.", "Very angry, or insulting."],
    ),
}


class DecisionResponse(ClassifierResponse):
    """A response with what the base class drops. `cost_usd` is in US dollars, `latency_ms` in milliseconds.

    `refused` is the provider's own abstention: low confidence with that detail, not an error.
    """

    provider: str
    cost_usd: float = 0.0
    latency_ms: float = 0.0
    calibrated: bool = False
    refused: str | None = None
    hops: tuple[Hop, ...] = ()


def to_request(
    message: str, *, exchange: Exchange, question: Question, remote: bool, extras: bool = False
) -> ClassifierRequest:
    """Return state and questions. `remote` puts typed placeholders in and bounds every part; `extras` asks the side questions.

    Options go as strings under their own ids, in the question's order. Parts that are absent are left out.
    """
    parts = {
        MESSAGE: message,
        CURRENT: exchange.current_agent,
        PENDING: exchange.pending_question,
        LAST_CUSTOMER: exchange.last_customer,
        LAST_AGENT: exchange.last_agent,
        EARLIER: exchange.earlier,
    }
    state: dict[str, Any] = {}
    for name, text in parts.items():
        if text is not None and (text or name == MESSAGE):
            state[name] = _sendable(text, _LIMITS.get(name)) if remote else text
    questions: dict[str, WireQuestion] = {
        ROUTE: Choice(
            instructions=question.instructions, criteria={option.id: option.role for option in question.options}
        )
    }
    if extras:
        questions |= _SIDE_QUESTIONS
    return ClassifierRequest(state=state, questions=questions)


def from_response(
    response: DecisionResponse, *, question: Question, calibration: CalibrationFile | None = None
) -> Answer:
    """Return the validated answer, with the calibration's temperature where it was made for exactly this.

    Raises `ProviderError("garbage", code)`. A refusal becomes even odds: nobody said which option is likelier.
    """
    if response.refused is not None:
        even = dict.fromkeys(question.ids, 1 / len(question.ids))
        return _answer(response, even, calibrated=False)
    choice = response.choices.get(ROUTE)
    if choice is None:
        raise ProviderError("garbage", "no answer to the question", cost_usd=response.cost_usd)
    try:
        probabilities = validate(question, choice.probabilities, choice.choice)
    except InvalidAnswer as invalid:
        raise ProviderError("garbage", invalid.code, cost_usd=response.cost_usd) from None
    calibrated = response.calibrated
    if calibration is not None:
        calibrated = applies(calibration, provider=response.provider, build=response.model, question=question)
        if calibrated:
            probabilities = apply_temperature(probabilities, calibration.temperature)
    return _answer(response, probabilities, calibrated=calibrated)


def _answer(response: DecisionResponse, probabilities: dict[str, float], *, calibrated: bool) -> Answer:
    return Answer(
        probabilities=probabilities,
        provider=response.provider,
        model=response.model,
        calibrated=calibrated,
        latency_ms=response.latency_ms,
        cost_usd=response.cost_usd,
        refused=response.refused,
        hops=response.hops,
        asks_person=_noul(response, ASKS_PERSON),
        continues=_noul(response, CONTINUES),
        is_request=_noul(response, IS_REQUEST),
        upset=_upset(response),
    )


def _noul(response: DecisionResponse, name: str) -> float | None:
    answer = response.nouls.get(name)
    return None if answer is None or not 0.0 <= answer.noul <= 1.0 else answer.noul


def _upset(response: DecisionResponse) -> float | None:
    """Return how upset the customer is from 0 to 1; a score outside its levels counts as not answered."""
    answer = response.scores.get(UPSET)
    if answer is None or not math.isfinite(answer.score):
        return None
    share = answer.score / (len(_SIDE_QUESTIONS[UPSET].criteria or ()) - 1)  # pyright: ignore[reportArgumentType]
    return share if 0.0 <= share <= 1.0 else None


def _sendable(text: str, limit: int | None) -> str:
    """Return text that survives JSON and UTF-8, with placeholders, cut in its middle to `limit` characters."""
    if limit is not None and len(text) > 2 * limit:
        text = f"{text[:limit]} {text[-limit:]}"
    clean = redact(_CONTROL.sub(" ", visible(text)))
    if limit is None or len(clean) <= limit:
        return clean
    return f"{clean[: limit * 2 // 3]} […] {clean[-(limit // 3) :]}"
