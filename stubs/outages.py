"""Outages as a demo asks for them: which providers are down, how, and what is then left of a chain."""

from collections.abc import Sequence

from routing.providers.registry import DEFAULT_ORDER, links
from routing.providers.remote_builders import RemoteSettings
from stubs.faults import Fault, outage

REMOTE = ("msd1", "jev", "llm")
LOCAL = "local"
AB = "ab"


def without_local(flag: str) -> str:
    """Return the chain of a flag without its embedded link. Raises ValueError when nobody is left."""
    left = [name for name in links(flag, default_order=DEFAULT_ORDER) if name != LOCAL]
    if not left:
        raise ValueError("nobody is left to decide without local; name a remote provider, like msd1+fallback")
    return "+".join(left)


def asks_remote(flag: str) -> bool:
    """Tell whether a flag may ask a provider that is somewhere else."""
    return flag == AB or any(name in REMOTE for name in links(flag, default_order=DEFAULT_ORDER))


def faults_of(remote: RemoteSettings, down: Sequence[str], kind: str) -> dict[str, Fault]:
    """Return the faults by the model that each provider asks for. Raises ValueError for an unknown name or kind."""
    if unknown := [name for name in down if name not in (*REMOTE, LOCAL)]:
        raise ValueError(f"unknown provider {unknown[0]!r}; known: {', '.join((*REMOTE, LOCAL))}")
    models = {"msd1": remote.msd1_model, "jev": remote.jev_model, "llm": remote.llm_model or "*"}
    fault = outage(kind)
    return {models[name]: fault for name in down if name in models}
