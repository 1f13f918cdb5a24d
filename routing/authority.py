"""Who may do what. Authority is computed where the conversation is, from configuration and proof; it never travels."""

from collections.abc import Sequence
from typing import Literal, Protocol

from routing.facts import Fact
from routing.model import Frozen, IdentityLevel, identity_reaches
from routing.shop import Customer

Posture = Literal["guides", "proposes", "executes"]
ToolKind = Literal["READ", "WRITE", "SIGNAL"]
DeniedCode = Literal["not_owned", "not_granted", "identity", "posture", "waiting"]


class SpecLike(Protocol):
    """What authority needs to know of a specialist."""

    @property
    def id(self) -> str: ...
    @property
    def tools(self) -> tuple[str, ...]: ...
    @property
    def posture(self) -> Posture: ...


class Rule(Frozen):
    """One line of configuration: when all its conditions hold, these tools come and go, or the posture changes.

    `agent`, `tier`: only for these; `identity`: at least this level; `confirmed`: a fact "key" or "key=value" that the
    session or a tool confirmed (a customer's word does not count).
    """

    agent: str | None = None
    tier: str | None = None
    identity: IdentityLevel | None = None
    confirmed: str | None = None
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    posture: Posture | None = None


class AuthorityPolicy(Frozen):
    """The rules in order. Removals win over additions wherever they stand; the last posture wins."""

    rules: tuple[Rule, ...] = ()


class Grants(Frozen):
    """What a specialist may use in this turn. `owned` are the tools that it has under some rule; `because` the trail."""

    agent: str
    tools: frozenset[str]
    owned: frozenset[str]
    posture: Posture
    because: tuple[str, ...] = ()


class Allowed(Frozen):
    tool: str


class Denied(Frozen):
    tool: str
    code: DeniedCode
    because: str


def grants_for(spec: SpecLike, *, customer: Customer, policy: AuthorityPolicy, facts: Sequence[Fact] = ()) -> Grants:
    """Compute a specialist's grants. How the conversation came to it is no input, so every road gives the same."""
    added, removed, possible = set[str](), set[str](), set[str]()
    posture, because = spec.posture, [f"spec:{spec.id}"]
    for number, rule in enumerate(policy.rules, 1):
        if rule.agent not in (None, spec.id):
            continue
        possible |= set(rule.add)
        if not _holds(rule, customer, facts):
            continue
        added |= set(rule.add)
        removed |= set(rule.remove)
        posture = rule.posture or posture
        because.append(f"rule:{number}")
    tools = frozenset((set(spec.tools) | added) - removed)
    owned = frozenset(set(spec.tools) | possible)
    return Grants(agent=spec.id, tools=tools, owned=owned, posture=posture, because=tuple(because))


def _holds(rule: Rule, customer: Customer, facts: Sequence[Fact]) -> bool:
    if rule.tier is not None and rule.tier != customer.tier:
        return False
    if rule.identity is not None and not identity_reaches(customer.level, rule.identity):
        return False
    return rule.confirmed is None or any(_confirms(fact, rule.confirmed) for fact in facts)


def _confirms(fact: Fact, wanted: str) -> bool:
    key, _, value = wanted.partition("=")
    proved = fact.status == "confirmed" and (fact.source == "session" or fact.source.startswith("tool:"))
    return proved and fact.key == key and (not value or fact.value == value)


def may_use(
    grants: Grants,
    tool_name: str,
    *,
    kind: ToolKind,
    required_identity: IdentityLevel,
    customer: Customer,
    waiting: bool = False,
    while_waiting: bool = False,
) -> Allowed | Denied:
    """Decide one call when the tool executes. `waiting`: a queue item is open, so only reading goes on, except for
    tools that say `while_waiting`."""
    code: DeniedCode | None = None
    because = ""
    if tool_name not in grants.owned:
        code, because = "not_owned", f"{tool_name} is not one of {grants.agent}'s tools"
    elif tool_name not in grants.tools:
        code, because = (
            "not_granted",
            f"{tool_name} is not granted to {grants.agent} here ({', '.join(grants.because)})",
        )
    elif not identity_reaches(customer.level, required_identity):
        code, because = (
            "identity",
            f"{tool_name} needs identity {required_identity}, this customer has {customer.level}",
        )
    elif kind == "WRITE" and grants.posture == "guides":
        code, because = "posture", f"{grants.agent} guides: it reads and explains, it does not write"
    elif kind == "WRITE" and waiting and not while_waiting:
        code, because = "waiting", "a person has the matter in the queue: until then only reading"
    return Allowed(tool=tool_name) if code is None else Denied(tool=tool_name, code=code, because=because)
