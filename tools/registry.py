"""Every tool by name, and every fact key that a tool's result may state."""

from collections.abc import Mapping
from types import MappingProxyType

from tools import billing, delivery, orders, people, policies, returns, signals
from tools.contract import Tool
from tools.keys import Keys

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        tool.name: tool
        for module in (orders, policies, returns, delivery, billing, people, signals)
        for tool in module.TOOLS
    }
)
KEYS: Mapping[str, Keys] = MappingProxyType(
    {
        name: keys
        for module in (orders, returns, delivery, billing, people)
        for name, keys in module.FACTS.items()
    }
)  # fmt: skip
EVERYBODYS: tuple[str, ...] = (
    "verify_identity",
    "open_review",
    "promise_callback",
    "note_hypothesis",
    "not_mine",
    "recall",
)


def confirming_keys() -> frozenset[str]:
    """Return the keys that some tool can confirm: only these end a hypothesis."""
    return frozenset(key for keys in KEYS.values() for key in keys)
