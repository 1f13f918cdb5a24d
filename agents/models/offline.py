"""The offline chat models: one conversation policy per specialist, no key, no network."""

from langchain_core.language_models import BaseChatModel

from agents.offline.everyday import policy_of
from agents.offline.matching import Own
from agents.offline.model import OfflineChatModel
from agents.spec import AgentSpec


class OfflineChatModels:
    """Deterministic, and labelled wherever a person sees it."""

    name = "offline"
    label = "modelo offline"
    simulated = True

    def for_agent(self, spec: AgentSpec) -> BaseChatModel:
        own = Own(tuple(spec.reasons), " ".join((spec.role, *spec.reasons.values())))
        return OfflineChatModel(agent=spec.id, policy=policy_of(spec), own=own)
