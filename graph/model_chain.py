"""The chat models that a specialist may speak with, in order: an outage of one moves on to the next, a spent budget to none."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse, ModelRetryMiddleware
from langchain_core.exceptions import ModelAPIError, ModelError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from graph.purse import Purse
from routing.ports import SpendingStopped
from routing.providers.breaker import Breaker, Breakers

log = logging.getLogger(__name__)
_PAYMENT_REQUIRED = 402
_RETRY_DELAY_S = 0.2
FailureKind = Literal["retryable", "ours", "payment"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLink:
    """One chat model of the chain and what pays for it. `name` is shown to operators and names its breaker."""

    name: str
    model: BaseChatModel
    purse: Purse | None = None


@dataclass(slots=True)
class Asked:
    """Which link is being asked, and what each one that was asked before it did: shared with what pays, innermost."""

    link: ChatLink | None = None
    hops: list[dict[str, str]] = field(default_factory=list[dict[str, str]])


def failure_kind(error: Exception) -> FailureKind | None:
    """Classify what a chat model raised; None for what is no failure of a provider, which must not be swallowed."""
    if getattr(error, "status_code", None) == _PAYMENT_REQUIRED:
        return "payment"
    if isinstance(error, ModelError):
        return "retryable" if error.is_retryable else "ours"
    if isinstance(error, httpx.TransportError | ConnectionError | TimeoutError):
        return "retryable"
    if isinstance(status := getattr(error, "status_code", None), int):
        return "retryable" if status in (408, 409, 425, 429) or status >= 500 else "ours"
    if isinstance(error, ValueError):  # an answer that is none: half a JSON, a page, an error inside a 200
        return "retryable"
    return None


def is_retryable(error: Exception) -> bool:
    return failure_kind(error) == "retryable"


def one_retry() -> ModelRetryMiddleware:
    """Return the one retry layer: a failure that may pass is tried once more before the next model is asked."""
    return ModelRetryMiddleware(max_retries=1, retry_on=is_retryable, on_failure="error", initial_delay=_RETRY_DELAY_S)


class ModelChain(AgentMiddleware[Any, Any, Any]):
    """Ask the first model whose breaker is closed, then the next; raise the last one's failure when none answered.

    A failure of ours (a wrong key, a model that is not there) moves on too, with an error in the log: the customer gets
    a reply, and somebody must look. Raises `SpendingStopped` for a provider that wants to be paid first.
    """

    def __init__(self, links: Sequence[ChatLink], *, breakers: Breakers) -> None:
        super().__init__()
        self._links = tuple(links)
        self._breakers = breakers

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | AIMessage:
        asked: Asked = request.runtime.context.asked
        failed: Exception | None = None
        for link, breaker in self._open():
            asked.link = link
            try:
                answer = await handler(request.override(model=link.model))
            except SpendingStopped:
                breaker.leave()
                raise
            except Exception as error:
                kind = failure_kind(error)
                if kind is None:
                    breaker.leave()
                    raise
                breaker.fail(kind, _retry_after_s(error))
                asked.hops.append({"model": link.name, "outcome": kind, "why": type(error).__name__})
                # Only what kind: a provider's own text may quote the prompt.
                level = logging.ERROR if kind == "ours" else logging.WARNING
                log.log(level, "chat model %s: %s (%s)", link.name, kind, type(error).__name__)
                if kind == "payment":
                    raise SpendingStopped("day", f"{link.name} wants to be paid first") from error
                failed = error
                continue
            except BaseException:
                breaker.leave()
                raise
            breaker.succeed()
            if asked.hops:
                asked.hops.append({"model": link.name, "outcome": "answered", "why": ""})
            return answer
        raise failed if failed is not None else ModelAPIError("no chat model is configured")

    def _open(self) -> Iterator[tuple[ChatLink, Breaker]]:
        """Yield the links that may be asked now; all of them where every one is left alone: an apology costs more."""
        left_alone: list[tuple[ChatLink, Breaker]] = []
        for link in self._links:
            breaker = self._breakers.of(link.name)
            if breaker.enter():
                yield link, breaker
            else:
                left_alone.append((link, breaker))
        if len(left_alone) == len(self._links):
            yield from left_alone


def _retry_after_s(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    given = headers.get("retry-after") if headers is not None else None
    try:
        return float(given) if given is not None else None
    except ValueError:
        return None
