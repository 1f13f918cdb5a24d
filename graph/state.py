"""What a conversation remembers between turns, and what the nodes of one turn pass on. Plain JSON throughout.

The history lives in `messages` and the facts in `facts`; the state holds a bounded window of both, so that a checkpoint
of turn 500 weighs what one of turn 5 does.
"""

from typing import Any, NotRequired, TypedDict

Json = dict[str, Any]


class State(TypedDict, total=False):
    """Remembered keys first; the turn's own keys are emptied by the reply node before the checkpoint is taken."""

    # remembered
    dialogue: list[Json]
    read_to: int
    turn: int
    language: str
    current: str | None
    contact_id: str
    leg: Json | None
    facts: list[Json]
    entities: list[str]
    hypotheses: list[Json]
    question: Json | None
    proposal: Json | None
    proposal_asked: bool
    open_topics: list[Json]
    clarifications: int
    questions_asked: int
    last_courtesy: str | None
    explained_beside: bool
    refusals: list[Json]
    leg_words: list[str]
    summary: str
    progress: int
    proved_orders: list[str]

    # this turn
    inbox: NotRequired[list[str]]
    heard: NotRequired[list[Json]]
    cut: NotRequired[bool]
    ruling: NotRequired[Json | None]
    decision: NotRequired[Json | None]
    step: NotRequired[str]
    stop_code: NotRequired[str | None]
    why: NotRequired[Json | None]
    speaker: NotRequired[str | None]
    previous: NotRequired[str | None]
    declined: NotRequired[Json | None]
    drafts: NotRequired[list[Json]]
    outcomes: NotRequired[list[Json]]
    handoffs: NotRequired[list[Json]]
    new_facts: NotRequired[list[Json]]
    replaced: NotRequired[list[Json]]
    topic: NotRequired[Json | None]
    proposed_now: NotRequired[bool]
    model_calls: NotRequired[int]
    cost_usd: NotRequired[float]
    tokens: NotRequired[Json]
    settled: NotRequired[list[Json]]
    called: NotRequired[Json | None]
    question_now: NotRequired[Json | None]
    courtesy_now: NotRequired[str | None]
    ending: NotRequired[str]


def fresh_turn() -> "State":
    """Return the turn's own keys, empty: set when a turn begins, and again before its checkpoint is taken."""
    return {
        "inbox": [],
        "heard": [], "cut": False, "ruling": None, "decision": None, "step": "", "stop_code": None, "why": None, "speaker": None,
        "previous": None, "declined": None, "drafts": [], "outcomes": [], "handoffs": [], "new_facts": [], "replaced": [],
        "topic": None, "proposed_now": False, "model_calls": 0, "cost_usd": 0.0, "tokens": {}, "settled": [], "called": None,
        "question_now": None, "courtesy_now": None, "ending": "replied",
    }  # fmt: skip
