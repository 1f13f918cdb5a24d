"""The world outside: customers with orders, simulated providers that fail one time in five, and a shop that does too."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from langchain_core.decisions import Choice, ChoiceAnswer, State
from langchain_core.decisions import Question as WireQuestion
from langchain_core.messages import AIMessage, BaseMessage

from routing.providers.base import DecisionProvider, DecisionResponse
from routing.providers.wire import MESSAGE
from routing.question import build_question
from stubs.app import create_app
from stubs.faults import Fault, Faults, FaultyConnection
from stubs.serve import serving
from stubs.shop import create_shop_app
from stubs.shop_faults import ShopFault, ShopFaults
from stubs.shop_store import ShopStore
from tests.scripted import ScriptedChatModel, call
from tests.torture.goods import contents

RATE = 0.2
_SPECIALISTS = ("returns", "support", "billing")
_ORDER = re.compile(r"pedido (\d{5})")


class Chance(Faults):
    """A provider that fails at random, until it is healed."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self._random = random
        self.rate = RATE
        self.hits = 0

    def take(self, model: str) -> Fault | None:
        if self._random.random() >= self.rate:
            return None
        self.hits += 1
        kind = self._random.choice(("status", "status", "reset", "half_json", "html", "empty", "delay"))
        return Fault(kind=kind, status=self._random.choice((429, 500, 503)), seconds=0.5)


class ShopChance(ShopFaults):
    """A shop that fails at random: reads and writes one time in five, being asked about a key one time in twenty."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self._random = random
        self.rate = RATE
        self.hits = 0

    def take(self, operation: str) -> ShopFault | None:
        rate = self.rate / 4 if operation == "find_effect" else self.rate
        if self._random.random() >= rate:
            return None
        self.hits += 1
        kind = self._random.choice(("status", "reset", "late_work", "late", "twice", "reset_after", "status_after"))
        return ShopFault(kind=kind, seconds=self._random.choice((0.3, 2.5)))


class Words(DecisionProvider):
    """Decides by words, and sends every polite request to the wrong desk first."""

    paid: ClassVar[bool] = False
    remote: ClassVar[bool] = False
    model: str = "words-1"

    @property
    def _provider(self) -> str:
        return "local"

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        text = str(state[MESSAGE]) if isinstance(state, dict) else ""
        answers: dict[str, ChoiceAnswer] = {}
        for name, question in questions.items():
            assert isinstance(question, Choice)
            rest = 0.04 / (len(question.criteria) - 1)
            shares = {option: 0.96 if option == _desk(text) else rest for option in question.criteria}
            answers[name] = ChoiceAnswer(type="choice", choice=_desk(text), probabilities=shares, confidence=0.96)
        return DecisionResponse(model=self.model, answers=dict(answers), provider="local")


def _desk(text: str) -> str:
    if "por favor" in text:
        return "support"
    return "billing" if "cobra" in text else "returns" if "cancelar" in text else "support"


def speak(messages: list[BaseMessage], kwargs: dict[str, Any]) -> AIMessage | str:
    """Do what this turn's messages ask for, with one's own tools or by passing it on; then say so."""
    turn = _since_last_answer(messages)
    if any(m.type == "tool" for m in turn):
        return "Certo, veja acima."
    tools = {tool["function"]["name"] for tool in kwargs.get("tools") or ()}
    said = " ".join(m.text for m in turn if m.type == "human")
    order = _ORDER.search(said)
    if order is None:
        return "Em que posso ajudar?"
    wanted, reason = ("cancel_order", "cancel") if "cancelar" in said else ("open_billing_ticket", "duplicate_charge")
    if "cobra" not in said and "cancelar" not in said:
        return call("lookup_order", order=order[1])
    if wanted not in tools:
        return call("not_mine", reason=reason, detail="pedido do cliente")
    more = {"kind": "duplicate_charge"} if wanted == "open_billing_ticket" else {}
    return call(wanted, order=order[1], **more)


def _since_last_answer(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    turn: list[BaseMessage] = []
    for message in reversed(messages):
        if message.type == "ai" and not getattr(message, "tool_calls", None):
            break
        turn.append(message)
    return turn[::-1]


@contextmanager
def simulated(random: Random) -> Iterator[tuple[str, Chance]]:
    """Serve the providers; give their address and the hand on their faults."""
    question = build_question([(name, name) for name in _SPECIALISTS])
    app = create_app(decider=Words(), chat=ScriptedChatModel(responder=speak), question=question)
    chance = Chance(random)
    with serving(FaultyConnection(app, faults=chance, seen=lambda path, body: None)) as url:
        yield url, chance


@contextmanager
def shop_over_http(customers: int, random: Random) -> Iterator[tuple[str, ShopStore, ShopChance]]:
    chance = ShopChance(random)
    app = create_shop_app(contents(customers, datetime.now(UTC).date()), now=lambda: datetime.now(UTC), faults=chance)
    with serving(app) as url:
        yield url, app.state.store, chance


def configuration(folder: Path, *, providers: str, shop: str | None) -> dict[str, str]:
    """Write a config.json for the workers; return their environment."""
    chat = {
        "provider": "openai",
        "model": "gpt-6-mini",
        "base_url": f"{providers}/v1",
        "api_key_env": "CHAT_KEY",
        "timeout_s": 5,
    }
    config: dict[str, Any] = {
        "mode": "demo",
        "shop": {"name": "Loja Aurora"},
        "roster": ["agents/returns.py", "agents/support.py", "agents/billing.py"],
        "chat_model": {**chat, "fallback": {**chat, "model": "gpt-6-nano"}},
        "decision": {"provider": "msd1+jev", "deadline_s": 5},
        "limits": {"lease_s": 3, "heartbeat_s": 0.5, "turn_timeout_s": 20, "wait_s": 30, "turn_attempts": 9},
        "budget": {},
    }
    if shop is not None:
        config["shop"] |= {
            "adapter": "examples.shop_http.http_shop:HttpShop",
            "options": {"base_url": shop, "timeout_s": 2},
        }
    path = folder / "config.json"
    path.write_text(json.dumps(config), "utf-8")
    return {
        "BASTAO_CONFIG": str(path), "BASTAO_DATA_DIR": str(folder), "OPENROUTER_BASE_URL": providers,
        "OPENROUTER_API_KEY": "simulado", "CHAT_KEY": "simulado",
    }  # fmt: skip
