"""Which decision layers can choose between agents that they have never seen."""

from pathlib import Path
from time import monotonic

import pytest
from pydantic import SecretStr

from ops.rooms import reads_roles
from routing.providers.ab import AbDecider, Arm
from routing.providers.breaker import Breakers
from routing.providers.chain import ChainDecider
from routing.providers.registry import ProviderSettings, build_providers
from routing.providers.remote_builders import RemoteSettings

SETTINGS = ProviderSettings(examples_dir=Path("examples"), remote=RemoteSettings(openrouter_key=SecretStr("test")))


def chain(flag: str) -> ChainDecider:
    providers = build_providers(flag, SETTINGS)
    return ChainDecider(providers, deadline_s=1, clock=monotonic, breakers=Breakers(clock=monotonic))


def ab(*flags: str) -> AbDecider:
    return AbDecider([Arm(name=flag, weight=1, decider=chain(flag)) for flag in flags])


@pytest.mark.parametrize(
    ("decider", "able"),
    [
        (chain("local"), False),
        (chain("msd1"), True),
        (chain("msd1+local"), True),
        (ab("msd1", "jev"), True),
        (ab("msd1", "local"), False),
    ],
)
def test_a_layer_reads_roles_where_whoever_answers_can(decider: ChainDecider | AbDecider, able: bool) -> None:
    assert reads_roles(decider) is able
