"""The demo's simulated providers: stubs on a port of this machine, with the outages that a demo asks for."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from routing.providers.registry import DEFAULT_ORDER, links
from routing.providers.remote_builders import remote_of
from settings import ConfigurationError, Settings, decider_of, roster_of
from stubs.faults import Fault, outage
from stubs.serve import serving
from stubs.specialists import offline_app

REMOTE = ("msd1", "jev", "llm")
LOCAL = "local"
KEY = "simulado"


def without_local(flag: str) -> str:
    """Return the chain of a flag without its local link. Raises `ConfigurationError` when nothing is left."""
    left = [name for name in links(flag, default_order=DEFAULT_ORDER) if name != LOCAL]
    if not left:
        raise ConfigurationError("--simulate-outage local: nobody is left to decide; write --provider msd1+fallback")
    return "+".join(left)


@contextmanager
def simulated_providers(
    settings: Settings, environ: Mapping[str, str], *, flag: str, down: Sequence[str], kind: str
) -> Iterator[tuple[dict[str, str], str]]:
    """Serve stubs for remote providers that have no key, with the given ones down; yield environment and flag.

    A provider with a real key is left alone unless an outage is asked for: an outage is always simulated. Raises
    `ConfigurationError` for a name or an outage that nobody knows.
    """
    unknown = [name for name in down if name not in (*REMOTE, LOCAL)]
    if unknown:
        raise ConfigurationError(
            f"--simulate-outage: unknown provider {unknown[0]!r}; known: {', '.join((*REMOTE, LOCAL))}"
        )
    flag = without_local(flag) if LOCAL in down else flag
    remote = flag == "ab" or any(name in flag for name in (*REMOTE, "fallback"))
    if not down and (not remote or environ.get("OPENROUTER_API_KEY")):
        yield dict(environ), flag
        return
    app = offline_app(
        roster_of(settings),
        decider_of(settings, roster_of(settings), environ, provider=LOCAL),
        faults=_faults(settings, down, kind),
    )
    with serving(app) as url:
        yield {**environ, "OPENROUTER_BASE_URL": url, "OPENROUTER_API_KEY": KEY}, flag


def _faults(settings: Settings, down: Sequence[str], kind: str) -> dict[str, Fault]:
    models = remote_of({}, settings.decision.remote)
    names = {"msd1": models.msd1_model, "jev": models.jev_model, "llm": models.llm_model or "*"}
    try:
        fault = outage(kind)
    except ValueError as error:
        raise ConfigurationError(f"--outage-kind: {error}") from error
    return {names[name]: fault for name in down if name in names}
