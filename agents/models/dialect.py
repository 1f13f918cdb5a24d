"""What real chat models get wrong about tool calls, put right in one place before anybody reads their answer.

Seen with servers of open models (Hermes and Qwen templates: `<tool_call>{…}</tool_call>`; Llama 3: `<function=name>{…}`;
Mistral: `[TOOL_CALLS] […]`): a call written as text, arguments as a string in a string, ids missing or used twice,
reasoning between `<think>` marks in the answer.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterator
from typing import Any, cast

from langchain_core.messages import AIMessage, ToolCall

Json = dict[str, Any]
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_OPENED_BEFORE = re.compile(r"\A[^<]*</think(?:ing)?>", re.IGNORECASE)
_MARKED = (
    re.compile(r"<tool_call>\s*(?P<call>.*?)\s*(?:</tool_call>|\Z)", re.DOTALL),
    re.compile(r"<function=(?P<name>[\w-]+)>\s*(?P<args>.*?)\s*(?:</function>|\Z)", re.DOTALL),
    re.compile(r"\[TOOL_CALLS\]\s*(?P<call>.*)\Z", re.DOTALL),
    re.compile(r"\A\s*```(?:json|tool_code)?\s*(?P<call>[\[{].*[\]}])\s*```\s*\Z", re.DOTALL),
    re.compile(r"\A\s*(?P<call>[\[{].*[\]}])\s*\Z", re.DOTALL),
)
_WRAPPERS = ("arguments", "args", "input", "__arg1")
_MOST_CALLS = 8
_MOST_CHARS = 20_000


def normalised(message: AIMessage, tools: Collection[str]) -> AIMessage:
    """Return the message with calls where calls were meant, each with arguments and an id of its own.

    A call in the text counts only where it names one of `tools`, the tools that the model was offered; anything else stays
    text, for the check of the reply to judge.
    """
    text = _without_thought(message.text)
    calls = [_repaired(call) for call in message.tool_calls] + list(_recovered(message))
    if not calls and len(text) <= _MOST_CHARS:
        calls, text = _called_in(text, tools)
    calls = _with_ids(calls[:_MOST_CALLS], of=message.id)
    if text == message.text and calls == message.tool_calls:
        return message
    return message.model_copy(update={"content": text, "tool_calls": calls, "invalid_tool_calls": []})


def opened(arguments: str) -> str:
    """Return a call's arguments as the JSON of an object where they are one in a string; anything else as it is."""
    inner = _value(arguments) if arguments.lstrip().startswith('"') else None
    return inner if isinstance(inner, str) and _object(inner) is not None else arguments


def _without_thought(text: str) -> str:
    """Leave out reasoning; a template that opens it in the prompt leaves only its end in the answer."""
    if "think" not in text.lower():
        return text
    return _OPENED_BEFORE.sub("", _THOUGHT.sub("", text)).strip()


def _repaired(call: ToolCall) -> ToolCall:
    """Open arguments that arrived as a string inside the one argument that a template knows."""
    args = call["args"]
    for key, value in args.items():
        inner = _object(value) if key in _WRAPPERS and isinstance(value, str) and len(args) == 1 else None
        if inner is not None:
            return ToolCall(name=call["name"], args=inner, id=call["id"], type="tool_call")
    return call


def _recovered(message: AIMessage) -> Iterator[ToolCall]:
    """Yield the calls whose arguments could not be read at first and can be after all."""
    for broken in message.invalid_tool_calls:
        args = _object(broken.get("args") or "{}")
        if args is not None and broken.get("name"):
            yield ToolCall(name=str(broken["name"]), args=args, id=broken.get("id"), type="tool_call")


def _called_in(text: str, tools: Collection[str]) -> tuple[list[ToolCall], str]:
    """Return the calls that stand in a text, and the text without them."""
    for pattern in _MARKED:
        found: list[ToolCall] = []
        for match in pattern.finditer(text):
            named = match.groupdict()
            written: Any = (
                {"name": named["name"], "arguments": named["args"]} if "name" in named else _value(named["call"])
            )
            found += _calls_of(written, tools)
        if found:
            return found, pattern.sub("", text).strip()
    return [], text


def _calls_of(written: Any, tools: Collection[str]) -> list[ToolCall]:
    """Read `{"name", "arguments" | "parameters" | "args"}`, one in `"function"`, or a list of such."""
    if isinstance(written, list):
        return [call for one in cast(list[Any], written) for call in _calls_of(one, tools)]
    if not isinstance(written, dict):
        return []
    outer = cast(Json, written)
    inner: Any = outer.get("function")
    call: Json = cast(Json, inner) if isinstance(inner, dict) else outer
    name: Any = call.get("name") or call.get("tool")
    keys = [key for key in ("arguments", "parameters", "args", "input") if key in call]
    args: Any = call[keys[0]] if keys else Json()
    read = _object(args) if isinstance(args, str) else args
    if not isinstance(name, str) or name not in tools or not isinstance(read, dict):
        return []
    return [ToolCall(name=name, args=cast(Json, read), id=None, type="tool_call")]


def _object(text: str) -> Json | None:
    """Read an object, also one that is a string in a string; None for what is none."""
    value = _value(text)
    if isinstance(value, str):
        value = _value(value)
    return cast(Json, value) if isinstance(value, dict) else None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        pass
    try:
        return json.loads(re.sub(r",\s*([}\]])", r"\1", text))
    except (json.JSONDecodeError, RecursionError):
        return None


def _with_ids(calls: list[ToolCall], *, of: str | None) -> list[ToolCall]:
    """Give each call an id of its own, also among the calls of other messages: an answer must find its call.

    `of` is the message's id. Made ids are short: OpenAI's servers take 40 characters.
    """
    stem = f"call_{hashlib.sha256(of.encode()).hexdigest()[:16]}_" if of else "call_"
    seen: set[str] = set()
    named: list[ToolCall] = []
    for place, call in enumerate(calls):
        own = call["id"] or f"{stem}{place}"
        while own in seen:
            own = f"{own}_{place}"
        seen.add(own)
        named.append(ToolCall(name=call["name"], args=call["args"], id=own, type="tool_call"))
    return named
