"""An outage that the customer does not notice: the next provider answers, the trail says who and why."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from graph.events import Event
from routing.shop import Customer
from scripts.simulated import simulated_providers
from settings import ConfigurationError, load_settings, open_bastao
from tests.graph.conftest import of, reply_of

pytestmark = pytest.mark.slow
TURNS = (
    "oi, meu tênis do pedido 10405 ainda não chegou, cadê?",
    "aproveitando, vi que me cobraram duas vezes esse pedido no pix",
)


async def played(
    database_url: str, data_dir: Path, *, flag: str, down: tuple[str, ...], kind: str
) -> list[list[Event]]:
    environ = {"DATABASE_URL": database_url, "BASTAO_DATA_DIR": str(data_dir)}
    settings = load_settings(environ)
    turns: list[list[Event]] = []
    with simulated_providers(settings, environ, flag=flag, down=down, kind=kind) as (where, used):
        async with open_bastao(settings, where, provider=used) as bastao:
            await bastao.ready()
            for text in TURNS:
                sent = bastao.conversation.send(
                    "th-outage",
                    [text],
                    message_id=uuid4().hex,
                    customer=Customer(id="c1", name="Ana", level="session"),
                    channel="tests",
                )
                turns.append([event async for event in sent])
    return turns


def decisions(turns: list[list[Event]]) -> list[Any]:
    assert all(of(events, "done")[0].status == "replied" and reply_of(events) for events in turns)
    return [of(events, "decision")[0].decision for events in turns]


@pytest.mark.parametrize("kind", ["503", "429", "reset", "garbage"])
async def test_msd1_is_down_and_jev_answers(database_url: str, data_dir: Path, kind: str) -> None:
    first, second = decisions(await played(database_url, data_dir, flag="msd1+fallback", down=("msd1",), kind=kind))
    assert (first.target, second.target) == ("support", "billing")
    assert (first.provider, second.provider) == ("jev", "jev")
    assert [(hop.provider, hop.outcome) for hop in first.hops] == [("msd1", "error"), ("jev", "ok")]
    assert first.hops[0].why
    assert "simulado" in first.model


async def test_everything_remote_is_down_and_the_embedded_model_answers(database_url: str, data_dir: Path) -> None:
    first, second = decisions(
        await played(database_url, data_dir, flag="msd1+fallback", down=("msd1", "jev"), kind="503")
    )
    assert (first.provider, second.provider) == ("local", "local")
    assert (first.target, second.target) == ("support", "billing")
    assert [hop.provider for hop in first.hops] == ["msd1", "jev", "local"]


async def test_everything_is_down_and_still_every_message_is_answered(database_url: str, data_dir: Path) -> None:
    down = ("msd1", "jev", "local")
    for decision in decisions(await played(database_url, data_dir, flag="msd1+fallback", down=down, kind="503")):
        assert decision.reason == "fallback_unavailable"
        assert decision.provider is None


async def test_an_a_b_keeps_its_arm(database_url: str, data_dir: Path) -> None:
    first, second = decisions(await played(database_url, data_dir, flag="ab", down=(), kind="503"))
    assert first.provider == second.provider
    assert first.provider in ("msd1", "jev")


@pytest.mark.parametrize(("down", "kind"), [(("gpt",), "503"), (("msd1",), "flood")])
def test_unknown_names_are_refused(tmp_path: Path, down: tuple[str, ...], kind: str) -> None:
    environ = {"BASTAO_DATA_DIR": str(tmp_path)}
    with (
        pytest.raises(ConfigurationError),
        simulated_providers(load_settings(environ), environ, flag="msd1+fallback", down=down, kind=kind),
    ):
        pass
