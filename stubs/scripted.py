"""Stand-ins that follow a script: specialists that do what is written down, and a router that sends by words.

For what a deterministic model would never do on its own. Rules, tools and records around them are the real ones, and
whoever plays a script says so on the screen: `LABEL` is its name there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field, JsonValue, model_validator

from agents.models.registry import ChatModels
from agents.spec import AgentSpec
from routing.decision import Answer, Exchange, Question
from routing.model import Frozen
from routing.ports import Decider
from routing.values import flat
from stubs.stand_in import StandIn

LABEL = "roteiro"
_SURE = 0.96
_DECLINE = "not_mine"


class ScriptError(RuntimeError):
    """A script that does not fit what happened: it was asked more often than it has answers, or names nobody."""


class Use(Frozen):
    """One tool call."""

    tool: str
    args: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


class Visit(Frozen):
    """What a specialist does when it is called: its tool calls one after the other, then its words.

    `when` (without accents, in lower case) must occur in the customer's last message. A visit is used once, unless it
    is `every_time`.
    """

    when: str | None = None
    calls: tuple[Use, ...] = ()
    say: str = ""
    every_time: bool = False

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if not self.say and (not self.calls or self.calls[-1].tool != _DECLINE):
            raise ValueError(f"a visit ends with `say`, or with a call of {_DECLINE}")
        return self


class Send(Frozen):
    """Where the router sends a message in which `when` occurs; without `when` every message."""

    when: str | None = None
    to: str


class Script(Frozen):
    """Stand-ins by specialist, and the router's rules in their order. Whoever is not named is the real one."""

    router: tuple[Send, ...] = ()
    specialists: dict[str, tuple[Visit, ...]] = Field(default_factory=dict[str, tuple[Visit, ...]])

    def check(self, specialists: Sequence[str], options: Sequence[str]) -> None:
        """Raise ScriptError for a name that nobody has; it says which names there are."""
        for name in self.specialists:
            if name not in specialists:
                raise ScriptError(f"no specialist {name!r}; there are: {', '.join(specialists)}")
        for rule in self.router:
            if rule.to not in options:
                raise ScriptError(f"the router cannot send to {rule.to!r}; there are: {', '.join(options)}")


@dataclass(slots=True)
class _Progress:
    """Which visits are used up, and the one that goes on."""

    used: set[int] = field(default_factory=set[int])
    now: Visit | None = None


class ScriptedSpecialist(StandIn):
    """A chat model that does the next visit of its script. Raises ScriptError when there is none left."""

    agent: str
    visits: tuple[Visit, ...]
    progress: Any = Field(default_factory=_Progress)  # shared by the copies that tags and bound tools make

    @property
    def _llm_type(self) -> str:
        return "bastao-scripted"

    async def answer(self, messages: list[BaseMessage], *, stop: list[str] | None, given: dict[str, Any]) -> AIMessage:
        said = {"response_metadata": {"model_name": LABEL, "cost": 0.0}}
        if "tools" not in given:  # the check found a claim without proof: a script knows no better words
            return AIMessage("", **said)
        last = max((n for n, m in enumerate(messages) if m.type == "human"), default=-1)
        made = sum(1 for m in messages[last + 1 :] if isinstance(m, AIMessage) and m.tool_calls)
        if not made:
            self.progress.now = self._next(messages[last].text if last >= 0 else "")
        visit: Visit = self.progress.now
        if made < len(visit.calls):
            use = visit.calls[made]
            call = {"name": use.tool, "args": dict(use.args), "id": f"{self.agent}_{made}", "type": "tool_call"}
            return AIMessage("", tool_calls=[call], **said)
        return AIMessage(visit.say, **said)

    def _next(self, text: str) -> Visit:
        progress: _Progress = self.progress
        for number, visit in enumerate(self.visits):
            if number in progress.used or (visit.when is not None and visit.when not in flat(text)):
                continue
            if not visit.every_time:
                progress.used.add(number)
            return visit
        raise ScriptError(f"the script of {self.agent!r} has nothing (left) for {text!r}")


class ScriptedModels:
    """Scripted specialists, and the given models for the others."""

    def __init__(self, script: Script, base: ChatModels) -> None:
        self._base = base
        self._scripted = {
            agent: ScriptedSpecialist(agent=agent, visits=visits) for agent, visits in script.specialists.items()
        }
        alone = not self._scripted
        self.name = base.name if alone else LABEL
        self.label = base.label if alone else LABEL
        self.simulated = base.simulated or not alone

    def for_agent(self, spec: AgentSpec) -> BaseChatModel:
        return self._scripted.get(spec.id) or self._base.for_agent(spec)


class ScriptedRouter:
    """Decides by the script's rules; the given decider gets what no rule is about."""

    def __init__(self, rules: Sequence[Send], base: Decider) -> None:
        self._rules, self._base = tuple(rules), base

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        words = flat(message)
        rule = next((r for r in self._rules if r.when is None or r.when in words), None)
        if rule is None:
            return await self._base.decide(message, exchange, question, thread_id=thread_id)
        rest = (1 - _SURE) / max(1, len(question.ids) - 1)
        shares = {option: _SURE if option == rule.to else rest for option in question.ids}
        return Answer(probabilities=shares, provider=LABEL, model=LABEL, calibrated=True, latency_ms=0.0)
