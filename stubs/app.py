"""The simulated providers as one FastAPI app, and the endpoint that puts faults on them."""

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

from fastapi import FastAPI
from langchain_core.language_models import BaseChatModel

from routing.decision import Question
from routing.model import Frozen
from routing.providers.base import DecisionProvider
from stubs import chat_completions, decisions
from stubs.account import Account
from stubs.answers import Answers
from stubs.chat_completions import ChatFor
from stubs.faults import Fault, Faults, FaultyConnection
from stubs.keys import Keys

Json = dict[str, Any]

_KEPT = 200


class FaultOrder(Frozen):
    """A fault for a model ("*" for all); none takes it off."""

    model: str
    fault: Fault | None = None


def create_app(
    *,
    decider: DecisionProvider,
    chat: BaseChatModel | ChatFor,
    question: Question | None = None,
    faults: Mapping[str, Fault] | None = None,
    keys: Collection[str] | None = None,
    seed: int = 0,
) -> FastAPI:
    """Return the app. Nothing remote is called and nobody is charged.

    `decider` decides where it knows the options (the `local` provider), `chat` speaks: one model, or a function of the
    messages. `question` is the roster's question. `keys` are the ones that are let in; None lets everybody in.
    """
    app = FastAPI(title="Simulated providers", docs_url=None, redoc_url=None)
    account, waiting = Account(), Faults(faults)
    requests: deque[Json] = deque(maxlen=_KEPT)
    answers, guard = Answers(decider, question=question, seed=seed), Keys(keys)
    chat_for: ChatFor = (lambda _: chat) if isinstance(chat, BaseChatModel) else chat
    app.include_router(decisions.build_router(answers, keys=guard, account=account))
    app.include_router(chat_completions.build_router(chat_for, answers, keys=guard, account=account))
    app.add_middleware(
        FaultyConnection, faults=waiting, seen=lambda path, body: requests.append({"path": path, "body": body})
    )

    @app.get("/api/v1/key")
    async def key() -> Json:
        return account.key_info()

    @app.get("/stub/requests")
    async def received() -> list[Json]:
        return list(requests)

    @app.delete("/stub/requests")
    async def forget() -> Json:
        requests.clear()
        return {}

    @app.get("/stub/faults")
    async def listed() -> Json:
        return {model: fault.model_dump() for model, fault in waiting.listed().items()}

    @app.post("/stub/faults")
    async def order(order: FaultOrder) -> Json:
        waiting.set(order.model, order.fault)
        return await listed()

    @app.delete("/stub/faults")
    async def clear() -> Json:
        waiting.clear()
        return {}

    return app
