"""A decision: who should speak now, why, and how sure the model was."""

from typing import Literal

from pydantic import Field

from routing.model import Frozen

Reason = Literal[
    "held_by_human",
    "sensitive",
    "asked_for_human",
    "waiting_person",
    "conversation_length",
    "pending_confirmation",
    "pending_question",
    "courtesy",
    "override",
    "only_agent",
    "addressed_by_name",
    "open_topic",
    "confident",
    "continuity",
    "low_confidence",
    "chose_option",
    "fallback_undecided",
    "fallback_unavailable",
]

OUT_OF_SCOPE = "out_of_scope"
NEEDS_QUESTION = "needs_question"
CLARIFICATION = "clarification"
COURTESY = "courtesy"
PERSON = "person"
RESPONDERS = (CLARIFICATION, OUT_OF_SCOPE, COURTESY, PERSON)


class Hop(Frozen):
    """One provider that was tried: what came of it and why the chain moved on."""

    provider: str
    outcome: Literal["ok", "error", "refused", "skipped"]
    why: str | None = None
    latency_ms: float = 0.0
    cost_usd: float = 0.0


class Option(Frozen):
    """One option of the question, with the sentence that says what belongs to it."""

    id: str
    role: str


class Question(Frozen):
    """What is asked of a provider. Options in this order: specialists as in the roster, out_of_scope, needs_question."""

    instructions: str
    options: tuple[Option, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(option.id for option in self.options)


class Exchange(Frozen):
    """What a provider may read beside the message: the last whole exchange and a compact past."""

    last_customer: str | None = None
    last_agent: str | None = None
    earlier: str | None = None
    current_agent: str | None = None
    pending_question: str | None = None


class Answer(Frozen):
    """A provider's validated answer: a probability per option (summing to 1) and what it cost."""

    probabilities: dict[str, float]
    provider: str
    model: str
    calibrated: bool
    latency_ms: float
    cost_usd: float = 0.0
    refused: str | None = None
    hops: tuple[Hop, ...] = ()
    asks_person: float | None = None
    continues: float | None = None
    is_request: float | None = None
    upset: float | None = None


class Decision(Frozen):
    """The outcome of a turn's first question. Numbers are None for turns decided by a rule.

    `target` is a specialist's id or one of RESPONDERS; `options` are the specialists that a clarification offers.
    """

    target: str
    reason: Reason
    detail: str | None = None
    probabilities: dict[str, float] | None = None
    confidence: float | None = None
    margin: float | None = None
    threshold: float | None = None
    provider: str | None = None
    model: str | None = None
    calibrated: bool | None = None
    latency_ms: float | None = None
    cost_usd: float | None = None
    hops: tuple[Hop, ...] = ()
    options: tuple[str, ...] = ()


class Thresholds(Frozen):
    """Gates of the policy; per option where `stay` or `switch` name one."""

    tau: float = Field(default=0.75, ge=0, le=1)
    tau_switch: float = Field(default=0.75, ge=0, le=1)
    margin_min: float = Field(default=0.10, ge=0, le=1)
    stay: dict[str, float] = Field(default_factory=dict[str, float])
    switch: dict[str, float] = Field(default_factory=dict[str, float])

    def to_stay(self, agent: str) -> float:
        return self.stay.get(agent, self.tau)

    def to_switch(self, agent: str) -> float:
        return self.switch.get(agent, self.tau_switch)
