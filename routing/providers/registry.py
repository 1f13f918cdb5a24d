"""Which providers there are: a flag, what builds it, and chains of them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from routing.model import Frozen
from routing.providers.base import DecisionProvider
from routing.providers.local import LocalProvider
from routing.providers.model_cache import Alone
from routing.providers.remote_builders import (
    NotConfigured,
    RemoteSettings,
    build_jev,
    build_llm,
    build_msd1,
    build_openai,
    build_systemone,
)
from routing.providers.shared_encoder import shared_encoder

FALLBACK = "fallback"


class ProviderSettings(Frozen):
    """What builders may need. Folders are given by the caller: nothing here knows where the project lives."""

    examples_dir: Path
    further_examples: tuple[Path, ...] = ()
    cache_dir: Path | None = None
    alone: Alone | None = None
    remote: RemoteSettings = Field(default_factory=lambda: RemoteSettings())


Build = Callable[[ProviderSettings], DecisionProvider]

BUILDERS: Mapping[str, Build] = {
    "local": lambda settings: LocalProvider(
        examples_dir=settings.examples_dir,
        further_examples=settings.further_examples,
        cache_dir=settings.cache_dir,
        alone=settings.alone,
        encoder=shared_encoder(),
    ),
    "msd1": lambda settings: build_msd1(settings.remote),
    "jev": lambda settings: build_jev(settings.remote),
    "systemone": lambda settings: build_systemone(settings.remote),
    "openai": lambda settings: build_openai(settings.remote),
    "llm": lambda settings: build_llm(settings.remote),
}
DEFAULT_ORDER = ("msd1", "jev", "local")


class UnknownProvider(ValueError):
    """A flag that no builder stands behind. The message names the flags that there are."""


def links(flag: str, *, default_order: Sequence[str]) -> tuple[str, ...]:
    """Return the flags of a chain: "a", "a+b+c", or "a+fallback" (a, then the default order without a).

    Raises ValueError for an empty or repeated link.
    """
    names = [name.strip() for name in flag.split("+")]
    if names[-1] == FALLBACK:
        names = names[:-1]
        names += [name for name in default_order if name not in names]
    if not names or not all(names):
        raise ValueError(f"not a chain of providers: {flag!r}")
    if len(set(names)) < len(names):
        raise ValueError(f"a provider twice in the chain: {flag!r}")
    return tuple(names)


def build_providers(
    flag: str,
    settings: ProviderSettings,
    *,
    builders: Mapping[str, Build] = BUILDERS,
    default_order: Sequence[str] = DEFAULT_ORDER,
) -> tuple[DecisionProvider, ...]:
    """Build the providers of a chain, in order. Raises `UnknownProvider` naming the known flags.

    The default order is a wish: what has no builder, or lacks its key, is left out of it, while a flag that was typed must
    exist and raises `NotConfigured`.
    """
    names = links(flag, default_order=[name for name in default_order if name in builders])
    typed = [name.strip() for name in flag.split("+")]
    for name in names:
        if name not in builders:
            raise UnknownProvider(f"unknown provider {name!r}; known: {', '.join(sorted(builders))}")
    providers: list[DecisionProvider] = []
    for name in names:
        try:
            providers.append(builders[name](settings))
        except NotConfigured:
            if name in typed:
                raise
    return tuple(providers)
