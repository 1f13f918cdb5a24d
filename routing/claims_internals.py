"""What belongs to the machinery and never to a customer: identifiers, tool names however they are written, traces, templates."""

import re
from collections.abc import Collection
from functools import cache

from routing.pattern import Pattern

_PREFIXED = r"\b(?:call|toolu|chatcmpl|run|msg|resp|thread|turn|req|sess|ckpt)_[A-Za-z0-9]{6,}"
_JSON = r"\{\s*['\"][\w-]+['\"]\s*:|\[\s*\{|['\"]\w+['\"]\s*:\s*(?:['\"{\[]|true\b|false\b|null\b|\d)|\[object Object\]|\bundefined\b|\bNaN\b"
_TRACE = (
    r"Traceback \(most recent|\b[A-Z]\w{0,60}(?:Error|Exception)\b|^[ \t]*File \"[^\"]{1,200}\", line \d+|\bat [\w.$]{1,80}\([\w.]{1,60}:\d+"
    r"|\b(?:HTTP|status(?: code)?)[ /:=]{0,2}[45]\d\d\b|\bInternal Server Error\b|\bSELECT \S{1,60} FROM\b|\bconnection refused\b|\bstack ?trace\b"
)
_TAGS = r"</?[a-z]+(?:_[a-z]+)*>|<\|\w+\|>|</?briefing>|^[ \t]*(?:Assistant|System|Human|User|Tool)[ \t]*:"
_TEMPLATE = r"\{\{?\s*[a-z]\w*\s*\}?\}|\$[a-z]+_[a-z_]+|\[(?:nome|name|inserir|insert|valor|value)\b[^\]]{0,40}\]"
_TALK = (
    r"(?i:\btransferring back\b|\btransfer_(?:to|back)_\w+|\btool[_ ]?calls?\b|\bfunction[_ ]calls?\b|\bapi key\b|\bchave de api\b"
    r"|\b(?:meu|minhas?|my|the|o)\s+(?:system |prompt do )?(?:system prompt|prompt(?: de sistema)?|instru[cç][oõ]es|instructions|diretrizes internas)"
    r"\s+(?:(?:me\s+)?(?:diz|dizem|mandam|manda|pede|pedem|s[aã]o|says?|tells?|are|is|proib\w+|forbid)\b|:)"
    r"|\bsystem prompt\b|\bprompt de sistema\b|\b(?:fui|i was|i am) (?:instru[ií]d[oa]|programad[oa]|instructed|programmed) (?:a|para|to)\b)"
)
# A name with an underscore is nobody's word; one in a file's name or an address is.
_SNAKE = r"(?<![\w@./-])[a-z]+(?:_[a-z0-9]+)+(?![\w@/-]|\.[a-z]{2,4}\b)"
_CALL = r"\b(?:get|set|list|lookup|open|update|cancel|fetch|find|create|check|verify|call|note|not|consult|promise)[A-Z][A-Za-z]+\b|\b[a-z]+(?:_[a-z]+)+\("
_UUID = r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|(?<![\w.])(?=[0-9a-f]{0,31}[a-f])(?=[0-9a-f]{0,31}\d)[0-9a-f]{24,64}(?!\w)"
_IDENTIFIER = Pattern(r"[A-Za-z]+(?:[-_][A-Za-z]+)+|[A-Za-z]+[A-Z][A-Za-z]+")


@cache
def internals() -> re.Pattern[str]:
    """Return what never is a customer's, on the text as it was written."""
    return re.compile("|".join((_PREFIXED, _JSON, _TRACE, _TAGS, _TEMPLATE, _TALK, _SNAKE, _CALL)), re.MULTILINE)


@cache
def internal_ids() -> re.Pattern[str]:
    """Return long identifiers of machines. A document's code may hold one, so they count only where nothing gave them."""
    return re.compile(_UUID)


def names_a_tool(text: str, tool_names: Collection[str]) -> bool:
    """Tell whether a text writes a tool's name, in whatever case and with whatever joint ("lookupOrder", "lookup-order")."""
    if any(name in text for name in tool_names if "_" in name):
        return True
    bare = {name.replace("_", "") for name in tool_names if "_" in name}
    return any(re.sub(r"[-_]", "", found.group()).lower() in bare for found in _IDENTIFIER.finditer(text))
