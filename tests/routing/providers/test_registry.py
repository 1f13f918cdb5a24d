from pathlib import Path

import pytest

from routing.providers.registry import BUILDERS, ProviderSettings, UnknownProvider, build_providers, links
from tests.routing.providers.scripted import Free, Scripted

BUILT = {
    "msd1": lambda _: Scripted(called="msd1"),
    "jev": lambda _: Scripted(called="jev"),
    "local": lambda _: Free(called="local"),
}
SETTINGS = ProviderSettings(examples_dir=Path("nowhere"))
ORDER = ("msd1", "jev", "local")


@pytest.mark.parametrize(
    ("flag", "names"),
    [
        ("local", ("local",)),
        ("msd1+fallback", ("msd1", "jev", "local")),
        ("jev+fallback", ("jev", "msd1", "local")),
        ("jev+local", ("jev", "local")),
        ("fallback", ORDER),
        (" jev + local ", ("jev", "local")),
    ],
)
def test_a_flag_names_a_chain(flag: str, names: tuple[str, ...]) -> None:
    assert links(flag, default_order=ORDER) == names
    assert tuple(provider.flag for provider in build_providers(flag, SETTINGS, builders=BUILT)) == names


@pytest.mark.parametrize("flag", ["", "+", "jev+", "jev+jev", "+local", "fallback+jev"])
def test_what_is_no_chain_is_refused(flag: str) -> None:
    with pytest.raises(ValueError, match=r"chain|unknown"):
        build_providers(flag, SETTINGS, builders=BUILT)


def test_an_unknown_flag_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownProvider, match=r"unknown provider 'gpt'; known: jev, local, msd1"):
        build_providers("gpt+local", SETTINGS, builders=BUILT)


def test_the_default_order_skips_what_is_not_there() -> None:
    only = {"local": BUILT["local"]}
    assert [provider.flag for provider in build_providers("local+fallback", SETTINGS, builders=only)] == ["local"]


def test_building_does_no_work() -> None:
    assert BUILDERS["local"](SETTINGS).flag == "local"
