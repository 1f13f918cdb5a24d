"""Which chat model speaks for the specialists: one setting, one seam."""

from collections.abc import Mapping
from typing import Literal, Protocol

from langchain_core.language_models import BaseChatModel
from pydantic import Field

from agents.spec import AgentSpec
from routing.model import Frozen

_KEYS: dict[str, str] = {"openai": "OPENAI_API_KEY", "openrouter": "OPENROUTER_API_KEY"}


class ChatModelSettings(Frozen):
    """`provider` "openai" speaks to any OpenAI-compatible `base_url`. `api_key_env` names the environment variable.

    `fallback` is asked where this one fails, and may have a fallback of its own.
    """

    provider: Literal["offline", "openai", "openrouter"] = "offline"
    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    timeout_s: float = Field(default=30.0, gt=0)
    temperature: float = Field(default=0.2, ge=0, le=2)
    max_tokens: int = Field(default=700, gt=0)
    fallback: "ChatModelSettings | None" = None

    @property
    def chain(self) -> tuple["ChatModelSettings", ...]:
        """Return these settings and those of the fallbacks, in the order in which they are asked."""
        return (self, *(self.fallback.chain if self.fallback else ()))


class ChatModels(Protocol):
    """The chat models of a process. `simulated` models are shown as such wherever a person sees them."""

    @property
    def name(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def simulated(self) -> bool: ...

    def for_agent(self, spec: AgentSpec) -> BaseChatModel: ...


class ChatModelsError(ValueError):
    """Settings that no chat model can be built from; the message says what would be right."""


def build_chat_models(settings: ChatModelSettings, environ: Mapping[str, str]) -> ChatModels:
    """Build the chat models. Raises ChatModelsError, naming the setting or the variable that is missing.

    Each provider's library is imported only when it is chosen: importing one costs seconds.
    """
    if settings.provider == "offline":
        from agents.models.offline import OfflineChatModels

        return OfflineChatModels()
    if settings.model is None:
        raise ChatModelsError(f"chat.model: {settings.provider!r} needs a model name, for example 'gpt-4.1-mini'")
    variable = settings.api_key_env or _KEYS[settings.provider]
    key = environ.get(variable, "").strip()
    if not key and settings.base_url and settings.api_key_env is None:
        key = "none"  # a server of one's own (Ollama, vLLM, llama.cpp) asks for no key; the client sends one regardless
    if not key:
        raise ChatModelsError(f"{variable}: set it to the key of the chat model, or choose provider 'offline'")
    from agents.models.openai_compatible import build_openai

    model = build_openai(
        model=settings.model,
        api_key=key,
        base_url=settings.base_url,
        timeout_s=settings.timeout_s,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        openrouter=settings.provider == "openrouter",
    )
    return _OneModel(model, name=settings.model)


class _OneModel:
    """One remote model for every specialist: what differs between them is the prompt."""

    simulated = False

    def __init__(self, model: BaseChatModel, *, name: str) -> None:
        self._model = model
        self.name = name
        self.label = name

    def for_agent(self, spec: AgentSpec) -> BaseChatModel:
        return self._model
