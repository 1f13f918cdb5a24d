"""What a specialist is: one value in one file, beside its prompt and its examples."""

from typing import Literal

from pydantic import Field

from agents.offline.policy import OfflinePolicy
from routing.model import Frozen

Posture = Literal["guides", "proposes", "executes"]


class AgentSpec(Frozen):
    """A specialist as data.

    `role` is the sentence that the decision model reads; `topic` the short noun phrase that a clarification offers
    ("troca ou devolução"; the display name where it is empty); `aliases` are what customers call it; `tools` are the default
    grants; `reasons` maps each `not_mine` reason that this specialist takes to the sentence that explains it to the
    others; `offline` is its conversation policy for the offline chat model (a real model does without).
    A new spec guides unless it says otherwise.
    """

    id: str
    display_name: str
    display_name_en: str
    role: str
    topic: str = ""
    topic_en: str = ""
    aliases: tuple[str, ...] = ()
    posture: Posture = "guides"
    tools: tuple[str, ...] = ()
    reasons: dict[str, str] = Field(default_factory=dict[str, str])
    offline: OfflinePolicy | None = None
