"""The project's own offline models behind the simulated chat API: which specialist speaks is read off its prompt."""

from collections.abc import Callable, Collection, Mapping, Sequence

from fastapi import FastAPI
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from agents.models.offline import OfflineChatModels
from agents.roster import Roster
from routing.ports import Decider
from routing.providers.base import DecisionProvider
from routing.providers.chain import ChainDecider
from routing.question import build_question
from stubs.app import create_app
from stubs.faults import Fault


def chat_by_prompt(
    prompts: Mapping[str, str], chats: Mapping[str, BaseChatModel]
) -> Callable[[Sequence[BaseMessage]], BaseChatModel]:
    """Return who speaks for given messages: the specialist whose static prompt begins the system message, else the first."""
    first = next(iter(chats.values()))

    def chat_for(messages: Sequence[BaseMessage]) -> BaseChatModel:
        system = next((message.text for message in messages if message.type == "system"), "")
        return next((chats[agent] for agent, prompt in prompts.items() if system.startswith(prompt)), first)

    return chat_for


def offline_app(
    roster: Roster,
    decider: Decider,
    *,
    faults: Mapping[str, Fault] | None = None,
    keys: Collection[str] | None = None,
    seed: int = 0,
) -> FastAPI:
    """Return the simulated providers over a roster: its offline models speak, the local link of `decider` decides."""
    models = OfflineChatModels()
    chats = {spec.id: models.for_agent(spec) for spec in roster.specs}
    prompts = {spec.id: roster.prompt(spec.id) for spec in roster.specs}
    return create_app(
        decider=_local(decider),
        chat=chat_by_prompt(prompts, chats),
        question=build_question([(spec.id, spec.role) for spec in roster.specs]),
        faults=faults,
        keys=keys,
        seed=seed,
    )


def _local(decider: Decider) -> DecisionProvider:
    """Return the in-process link of a chain. Raises ValueError for a chain without one: a stub calls nothing remote."""
    links = decider.providers if isinstance(decider, ChainDecider) else ()
    local = next((link for link in links if not link.remote), None)
    if local is None:
        raise ValueError("the simulated providers need a decision provider that runs in process")
    return local
