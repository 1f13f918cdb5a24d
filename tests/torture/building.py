"""A whole Bastão of scripted parts, the same in every process of a test: only its ports differ."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from agents.roster import load_roster
from graph.build import build_graph
from graph.checkpoint import TurnSaver
from graph.conversation import Conversation
from graph.limits import Limits
from graph.services import Services
from routing.authority import AuthorityPolicy
from routing.calendar import OpeningHours
from routing.decision import Thresholds
from routing.sensitive import DEFAULT_TOPICS
from routing.shop import Customer
from settings import ROOT, SystemClock
from storage.database import Database
from tools.registry import TOOLS, confirming_keys

ANA = Customer(id="c1", name="Ana", tier="silver", level="session")
SECRET = b"one secret for every process of a test"


def new_id(prefix: str) -> str:
    return f"{prefix}-{uuid4().hex}"


def build(
    database: Database,
    *,
    shop: Any,
    models: Any,
    decider: Any,
    owner: str,
    limits: Limits | None = None,
    secret: bytes = SECRET,
    ids: Callable[[str], str] = new_id,
    **more: Any,
) -> Conversation:
    """Compose services and graph over an open database."""
    roster = load_roster(["agents/returns.py", "agents/support.py", "agents/billing.py"], base=ROOT, fallback=ROOT)
    values: dict[str, Any] = {
        "database": database, "roster": roster, "models": models, "decider": decider, "shop": shop, "tools": TOOLS,
        "reasons": roster.reasons(), "authority": AuthorityPolicy(),
        "thresholds": lambda provider, calibrated=True: Thresholds(), "limits": limits or Limits(),
        "sensitive": DEFAULT_TOPICS, "hours": OpeningHours(), "secret": secret, "zone": ZoneInfo("America/Sao_Paulo"),
        "clock": SystemClock(), "new_id": ids, "shop_name": "Loja Aurora", "tool_keys": confirming_keys(),
    }  # fmt: skip
    services = Services(**(values | more))
    graph = build_graph(services).compile(checkpointer=TurnSaver(database.pool))
    return Conversation(services=services, graph=graph, owner=owner)


def utc_now() -> datetime:
    return datetime.now(UTC)
