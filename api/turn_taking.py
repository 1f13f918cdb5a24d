"""Who speaks now: turn-taking as an endpoint, for front ends and agents of any kind. Nothing is stored."""

from typing import Annotated, Literal

from fastapi import APIRouter, Body
from fastapi.openapi.models import Example
from pydantic import BaseModel, ConfigDict, Field

from api.door import Opened
from api.identity import AnybodyAsks
from api.problems import documented
from api.wire import AgentId, Text
from api.wire import Body as RequestBody
from ops.rooms import Guest, Room, who_speaks
from routing.decision import CLARIFICATION, Hop, Reason
from routing.pending import Choice, PendingQuestion

router = APIRouter(prefix="/turn-taking", tags=["turn-taking"])

RULES: dict[Reason, str] = {
    "held_by_human": "a person has the conversation",
    "sensitive": "the message speaks of a sensitive topic: a person",
    "asked_for_human": "the customer asks for a person",
    "waiting_person": "a person is awaited, and the message is about that",
    "conversation_length": "the conversation has more messages than it may: a person",
    "pending_confirmation": "the message answers the proposal that waits for a yes",
    "pending_question": "a bare answer belongs to whoever asked the last question",
    "courtesy": "only a greeting, thanks or goodbye",
    "override": "the caller chose",
    "only_agent": "nobody else is in the room",
    "addressed_by_name": "the customer speaks to this agent by name",
    "open_topic": "a subject of the customer's was waiting",
    "confident": "the likeliest agent of the room reaches its threshold, by the margin where it is another than the current one",
    "continuity": "the current agent goes on: it is the likeliest, it waits for an answer, or nothing readable was said",
    "low_confidence": "nobody reaches the threshold: ask before acting",
    "chose_option": "the customer picked an option of the clarification",
    "fallback_undecided": "nothing decides and this room cannot ask back: the current agent, else the first of the room",
    "fallback_unavailable": "no decision provider answered: the current agent, else the first of the room",
}


class GuestIn(RequestBody):
    """An agent that is not of the roster: what it does, in one sentence, and what customers call it."""

    id: AgentId
    role: Text = Field(min_length=1, max_length=1_000)
    names: list[AgentId] = Field(default_factory=list, max_length=10)
    aliases: list[AgentId] = Field(default_factory=list, max_length=20)


class OptionIn(RequestBody):
    id: AgentId
    label: Text = Field(max_length=200)


class QuestionIn(RequestBody):
    """The last question that the customer saw. `by` is who asked: the current agent, or "clarification"."""

    text: Text = Field(max_length=2_000)
    by: AgentId | None = None
    options: list[OptionIn] = Field(default_factory=list, max_length=20)
    expects: Literal["anything", "yes_no", "identifier", "choice"] = "anything"


class DecideIn(RequestBody):
    """A room, a message, and what the customer is answering.

    `agents` are ids of the roster or of the responders (clarification, out_of_scope, courtesy, person), or agents of your
    own given with a role, which needs a decision provider that reads roles.
    """

    model_config = ConfigDict(json_schema_extra={"required": ["agents", "message"]})

    agents: list[AgentId | GuestIn] = Field(default_factory=list, max_length=50, examples=[["support", "billing"]])
    message: Text = Field(max_length=20_000)
    current_agent: AgentId | None = None
    pending_question: Annotated[Text, Field(max_length=2_000)] | QuestionIn | None = None

    def room(self) -> Room:
        guests = [
            Guest(id=agent.id, role=agent.role, names=tuple(agent.names), aliases=tuple(agent.aliases))
            for agent in self.agents
            if isinstance(agent, GuestIn)
        ]
        ids = tuple(agent if isinstance(agent, str) else agent.id for agent in self.agents)
        return Room(ids=ids, guests=tuple(guests))

    def question(self) -> PendingQuestion | None:
        if self.pending_question is None:
            return None
        asked = self.pending_question
        given = QuestionIn(text=asked) if isinstance(asked, str) else asked
        options = tuple(Choice(id=option.id, label=option.label) for option in given.options)
        by = given.by or self.current_agent or CLARIFICATION
        return PendingQuestion(by=by, text=given.text, options=options, expects=given.expects)


class DecideOut(BaseModel):
    """The one respondent. Numbers and provider are there only where a decision model was asked."""

    agent: str
    reason: Reason
    rule: str
    detail: str | None = None
    probabilities: dict[str, float] | None = None
    confidence: float | None = None
    margin: float | None = None
    threshold: float | None = None
    provider: str | None = None
    model: str | None = None
    calibrated: bool | None = None
    options: list[str] | None = None
    hops: list[Hop] | None = None


_EXAMPLES: dict[str, Example] = {
    "by_name": {
        "summary": "Called by name",
        "value": {"agents": ["support", "returns", "billing"], "message": "Financeiro: cadê meu estorno?"},
    },
    "by_model": {
        "summary": "Decided by the provider",
        "value": {"agents": ["support", "billing"], "message": "fui cobrada duas vezes no pix", "current_agent": "support"},
    },
    "bare_answer": {
        "summary": "The answer to a question",
        "value": {
            "agents": ["support", "billing"], "message": "10405", "current_agent": "support",
            "pending_question": "Qual é o número do pedido?",
        },
    },
}  # fmt: skip


@router.post("/decide", response_model_exclude_none=True, responses=documented(400, 401, 403, 413, 422))
async def decide(
    door: Opened, _: AnybodyAsks, body: Annotated[DecideIn, Body(openapi_examples=_EXAMPLES)]
) -> DecideOut:  # fmt: skip
    """Name the one agent of a room that answers a message, and the rule that says so. Stores nothing.

    Probabilities are restricted to the room and renormalised before the policy. A sensitive message, or one that asks for a
    person, gives `person`, listed or not.
    """
    decision = await who_speaks(
        door.services, body.room(), body.message, current=body.current_agent, question=body.question()
    )
    return DecideOut(
        agent=decision.target, reason=decision.reason, rule=f"{decision.reason}: {RULES[decision.reason]}",
        detail=decision.detail, probabilities=decision.probabilities, confidence=decision.confidence,
        margin=decision.margin, threshold=decision.threshold, provider=decision.provider, model=decision.model,
        calibrated=decision.calibrated, options=list(decision.options) or None, hops=list(decision.hops) or None,
    )  # fmt: skip
