"""The demo's simulated providers: stubs on a port of this machine, with the outages that a demo asks for."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from settings import ConfigurationError, Settings, decider_of, providers_of, roster_of, warm_up
from stubs.outages import LOCAL, asks_remote, faults_of, without_local
from stubs.serve import serving
from stubs.specialists import offline_app

KEY = "simulado"


@contextmanager
def simulated_providers(
    settings: Settings, environ: Mapping[str, str], *, flag: str, down: Sequence[str], kind: str
) -> Iterator[tuple[dict[str, str], str]]:
    """Serve stubs for remote providers that have no key, with the given ones down; yield environment and flag.

    A provider with a real key is left alone unless an outage is asked for: an outage is always simulated. Raises
    `ConfigurationError` for a name or an outage that nobody knows.
    """
    roster = roster_of(settings)
    try:
        faults = faults_of(providers_of(settings, roster, {}).remote, down, kind)
        used = without_local(flag) if LOCAL in down else flag
        needed = bool(down) or (asks_remote(used) and not environ.get("OPENROUTER_API_KEY"))
    except ValueError as error:
        raise ConfigurationError(f"--simulate-outage: {error}") from error
    if not needed:
        yield dict(environ), used
        return
    decider = decider_of(settings, roster, environ, provider=LOCAL)
    warm_up(decider)  # a stub whose model loads at the first question would look like an outage of its own
    with serving(offline_app(roster, decider, faults=faults)) as url:
        yield {**environ, "OPENROUTER_BASE_URL": url, "OPENROUTER_API_KEY": KEY}, used
