"""What the offline model has before it: the customer's words, the dialogue, the briefing, and its own calls so far."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from routing.briefing_reading import Briefing, parse_briefing
from routing.model import Language
from routing.values import flat

Json = dict[str, Any]
Side = Literal["customer", "shop"]

_ENGLISH_WORDS = (
    "the is my i you it was has not and of to please order where when want need refund card twice charged hello thanks"
    " have did can would return exchange address what how do does from this that arrived been in for"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_PORTUGUESE_WORDS = (
    "o a os as é e do da de meu minha eu você não que um uma para pra no na pedido onde quando quero preciso reembolso"
    " cartão obrigado obrigada foi está tá isso esse essa por com já cadê oi olá em mais mas"
)
_PORTUGUESE = frozenset(_PORTUGUESE_WORDS.split())
_ENGLISH_DAY = re.compile(r"\((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\)")


@dataclass(frozen=True, slots=True)
class Step:
    """One of this turn's tool calls and what it answered ({} while unanswered)."""

    tool: str
    args: Json
    result: Json

    @property
    def status(self) -> str:
        return str(self.result.get("status", ""))

    @property
    def data(self) -> Json:
        return self._object("data")

    @property
    def protocol(self) -> str | None:
        """The receipt's protocol, where there is one."""
        found = self._object("receipt").get("protocol") or self.data.get("protocol")
        return str(found) if found else None

    def _object(self, key: str) -> Json:
        value = self.result.get(key)
        return cast(Json, value) if isinstance(value, dict) else {}


@dataclass(frozen=True)
class Scene:
    """`tools` are the bound tools by name with their descriptions; `earlier` the dialogue before `text`, oldest first."""

    text: str
    language: Language = "pt"
    earlier: tuple[tuple[Side, str], ...] = ()
    briefing: Briefing | None = None
    steps: tuple[Step, ...] = ()
    tools: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def flat(self) -> str:
        return flat(self.text)

    @property
    def before(self) -> str:
        """Our last message, or nothing."""
        return next((text for side, text in reversed(self.earlier) if side == "shop"), "")

    @property
    def said(self) -> tuple[str, ...]:
        """The customer's earlier messages, newest first."""
        return tuple(text for side, text in reversed(self.earlier) if side == "customer")

    def step(self, tool: str, args: Mapping[str, Any] | None = None) -> Step | None:
        """Return the last answered call of a tool, with exactly these arguments if they are given."""
        for step in reversed(self.steps):
            if step.tool == tool and step.result and (args is None or step.args == args):
                return step
        return None

    def data(self, tool: str) -> Json:
        """Return what a tool answered with an ok, or {}."""
        step = self.step(tool)
        return step.data if step and step.status == "ok" else {}


def read_scene(messages: Sequence[BaseMessage], tools: Mapping[str, str]) -> Scene:
    """Read the rendered prompt and dialogue as a specialist gets them; anything may be missing."""
    system = "\n".join(m.text for m in messages if isinstance(m, SystemMessage))
    spoken = [m for m in messages if not isinstance(m, SystemMessage)]
    last = max((n for n, m in enumerate(spoken) if isinstance(m, HumanMessage)), default=-1)
    text = spoken[last].text if last >= 0 else ""
    earlier = tuple(_line(m) for m in spoken[: max(last, 0)] if m.text.strip() and not isinstance(m, ToolMessage))
    briefing = _briefing(system)
    return Scene(
        text=text,
        language=_language(briefing, [text, *(t for side, t in reversed(earlier) if side == "customer")]),
        earlier=earlier,
        briefing=briefing,
        steps=_steps(spoken[last + 1 :]),
        tools=tools,
    )


def _line(message: BaseMessage) -> tuple[Side, str]:
    return ("customer" if isinstance(message, HumanMessage) else "shop"), message.text


def _briefing(system: str) -> Briefing | None:
    try:
        return parse_briefing(system)
    except ValueError:
        return None


def _language(briefing: Briefing | None, said: Sequence[str]) -> Language:
    """Take the briefing's language (its weekday tells); without one, what the customer's words look like."""
    if briefing is not None and (now := briefing.notes.get("now")):
        return "en" if _ENGLISH_DAY.search(now) else "pt"
    words = re.findall(r"[^\W\d_]+", " ".join(said[:4]).lower())
    return "en" if sum(w in _ENGLISH for w in words) > sum(w in _PORTUGUESE for w in words) else "pt"


def _steps(messages: Sequence[BaseMessage]) -> tuple[Step, ...]:
    answers = {m.tool_call_id: _json(m.text) for m in messages if isinstance(m, ToolMessage)}
    calls = [call for m in messages if isinstance(m, AIMessage) for call in m.tool_calls]
    return tuple(Step(call["name"], dict(call["args"]), answers.get(call["id"] or "", {})) for call in calls)


def _json(text: str) -> Json:
    """Read a tool's answer; one that is no object counts as a plain success with that text."""
    try:
        read = json.loads(text)
    except ValueError:
        read = None
    return cast(Json, read) if isinstance(read, dict) else {"status": "ok", "data": {}, "says": text}
