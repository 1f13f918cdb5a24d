"""What a specialist tells the conversation rather than the shop: not mine, a suspicion, a question to its memory."""

import re
from collections.abc import Iterable

from pydantic import Field, JsonValue

from routing.facts import Fact
from routing.text import fold
from tools.contract import Args, NotMine, Outcome, Suspicion, Tool, ToolContext
from tools.refusing import refuse, refused

RECALLED_AT_MOST = 20
RECALLED_CHARS = 800  # about 200 tokens


class NotMineArgs(Args):
    reason: str
    detail: str


class NoteHypothesis(Args):
    key: str = Field(min_length=1)
    value: str = Field(min_length=1)
    confidence: float = Field(ge=0, le=1)


class Recall(Args):
    key: str
    entity: str | None = None


async def not_mine(args: NotMineArgs, ctx: ToolContext) -> Outcome:
    """Say that the customer's request belongs to somebody else. The conversation then goes on there, in the same turn.

    Call it as soon as you see it, instead of answering or apologising; tell the customer nothing about it. `detail` is
    what the customer wants, in one short sentence. `reason` is one of these:
    """
    return Outcome(status="ok", signal=NotMine(reason=args.reason, detail=args.detail))


async def note_hypothesis(args: NoteHypothesis, ctx: ToolContext) -> Outcome:
    """Note something that you suspect and no tool has shown. It stays a suspicion; never state it as a fact.

    `key` is a short name in snake_case, `confidence` between 0 and 1.
    """
    key = re.sub(r"[^a-z0-9]+", "_", fold(args.key)).strip("_")
    if not key:
        return refused(refuse("hypothesis_key", ctx))
    return Outcome(status="ok", signal=Suspicion(key=key, value=args.value, confidence=args.confidence))


async def recall(args: Recall, ctx: ToolContext) -> Outcome:
    """Get the values of a fact key that the briefing's index names and does not show, newest first."""
    facts = await ctx.memory.recall(args.key, args.entity)
    kept: list[JsonValue] = []
    room = RECALLED_CHARS
    for fact in facts[:RECALLED_AT_MOST]:
        shown = _shown(fact)
        room -= sum(len(str(value)) for value in shown.values())
        if room < 0:
            break
        kept.append(shown)
    return Outcome(status="ok", data={"key": args.key, "facts": kept, "not_shown": len(facts) - len(kept)})


def describe_reasons(reasons: Iterable[tuple[str, str]]) -> str:
    """Write the reasons that `not_mine` takes as the end of its description: a line "- <reason>: <sentence>" each."""
    return "\n".join(f"- {reason}: {sentence}" for reason, sentence in reasons)


def _shown(fact: Fact) -> dict[str, JsonValue]:
    shown: dict[str, JsonValue] = {"value": fact.value, "source": fact.source, "status": fact.status}
    return {**shown, "entity": fact.entity, "turn": fact.turn}


TOOLS = (
    Tool(name="not_mine", kind="SIGNAL", args=NotMineArgs, run=not_mine, while_waiting=True),
    Tool(name="note_hypothesis", kind="SIGNAL", args=NoteHypothesis, run=note_hypothesis, while_waiting=True),
    Tool(name="recall", kind="READ", args=Recall, run=recall, while_waiting=True),
)
