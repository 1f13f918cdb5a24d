"""What a WRITE needs before it happens, and what a customer's yes is worth."""

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Literal, assert_never

from pydantic import JsonValue

from routing.authority import Posture
from routing.model import Frozen
from routing.pending import Proposal

Confirm = Literal["explicit", "customer", "operator", "none"]
Verdict = Literal["execute", "ask_customer", "operator", "refuse"]
VoidCode = Literal["expired", "changed", "not_asked"]
PROPOSAL_TTL_S = 1_800


class Accepted(Frozen):
    proposal: Proposal


class Void(Frozen):
    """The yes does not count: the proposal ran out, what it was based on changed, or it was not what was asked."""

    proposal: Proposal
    code: VoidCode


def decide_confirmation(confirm: Confirm, posture: Posture, *, own_request: bool, arguments_inferred: bool) -> Verdict:
    """Say what happens with a WRITE: the tool's own rule, capped by the specialist's posture.

    `own_request`: the customer asked for exactly this in so many words; `arguments_inferred`: the bot filled one in.
    """
    if posture == "guides":
        return "refuse"
    wants = _tools_rule(confirm, complete=own_request and not arguments_inferred)
    return "operator" if posture == "proposes" and wants == "execute" else wants


def _tools_rule(confirm: Confirm, *, complete: bool) -> Verdict:
    match confirm:
        case "none":
            return "execute"
        case "explicit":
            return "execute" if complete else "ask_customer"
        case "customer":
            return "ask_customer"
        case "operator":
            return "operator"
        case _:
            assert_never(confirm)


def after_yes(confirm: Confirm, posture: Posture) -> Verdict:
    """Say what a customer's valid yes leads to: never to another question."""
    if posture == "guides":
        return "refuse"
    return "operator" if posture == "proposes" or confirm == "operator" else "execute"


def digest(tool: str, args: Mapping[str, JsonValue]) -> str:
    """Return what binds a yes to exactly these arguments; spaces around texts and absent optional ones do not count."""
    canonical = json.dumps([tool, _plain(dict(args))], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def propose(
    tool: str,
    args: Mapping[str, JsonValue],
    *,
    id: str,
    summary: str,
    by: str,
    now: datetime,
    ttl_s: int = PROPOSAL_TTL_S,
    basis: Mapping[str, str] | None = None,
) -> Proposal:
    """Write down an action that waits for a yes; `basis` are the versions of the rows that were read."""
    return Proposal(
        id=id, tool=tool, args=dict(args), digest=digest(tool, args), summary=summary, proposed_by=by, asked_at=now,
        expires_at=now + timedelta(seconds=ttl_s), basis=dict(basis or {}),
    )  # fmt: skip


def accept(
    proposal: Proposal, *, now: datetime, basis_now: Mapping[str, str], last_asked_digest: str | None
) -> Accepted | Void:
    """Check a yes: the bot's last question asked for exactly this, it has not run out, the rows are what was read."""
    tampered = proposal.digest != digest(proposal.tool, proposal.args)
    if last_asked_digest != proposal.digest or tampered:
        return Void(proposal=proposal, code="not_asked")
    if now >= proposal.expires_at:
        return Void(proposal=proposal, code="expired")
    if any(basis_now.get(row) != version for row, version in proposal.basis.items()):
        return Void(proposal=proposal, code="changed")
    return Accepted(proposal=proposal)


def rejected_before(tool: str, args: Mapping[str, JsonValue], *, rejected: Collection[str]) -> bool:
    """Tell whether somebody already said no to this very action; `rejected` holds digests."""
    return digest(tool, args) in rejected
