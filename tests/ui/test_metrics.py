"""The numbers' page over a generated month: its figures, its files, its empty state, and who may see it."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from graph.contacts import close_idle
from ops.metrics import Metrics, read_metrics
from ops.metrics_words import money, of_words, price_words, rate_words
from ops.queue_words import code_words
from settings import load_settings
from storage.database import Database
from tests.months import PERIOD, month_url
from tests.ui.test_chat import page
from ui import chat
from ui.bridge import Backend

__all__ = ["month_url"]
pytestmark = pytest.mark.slow
SECTIONS = (
    "Contatos por dia",
    "Transferências: quanto custam e o que resolvem",
    "Esclarecimentos e o que veio depois",
    "Fila humana por motivo",
    "Decisões por provedor",
    "Tempo de resposta",
    "Tokens",
    "Gasto e orçamento",
)
FILES = (
    "resumo", "contatos-por-dia", "custo-por-transferencias", "esclarecimentos", "fila-humana", "decisoes-por-provedor",
    "tempo-de-resposta", "tokens", "gasto-por-dia", "gasto-por-provedor",
)  # fmt: skip


@pytest.fixture(scope="module")
def backend(month_url: str, surface_data: Any) -> Iterator[Backend]:
    """The page's own backend, on the month's database. What its maintenance would close is closed before."""
    asyncio.run(close_what_is_idle(month_url))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", month_url)
        patch.setenv("BASTAO_DATA_DIR", str(surface_data))
        patch.delenv("BASTAO_CONFIG", raising=False)
        chat.backend.clear()
        opened = chat.backend()
        yield opened
        chat.backend.clear()
        opened.close()


async def close_what_is_idle(url: str) -> None:
    database = await Database.open(environ={"DATABASE_URL": url})
    async with database.transaction() as conn:
        await close_idle(conn, now=datetime.now(UTC))
    await database.close()


def draw() -> None:
    from ui import metrics

    metrics.page()


@pytest.fixture
def opened(backend: Backend) -> Callable[[date, date], AppTest]:
    def open_page(first: date, last: date) -> AppTest:
        at = AppTest.from_function(draw, default_timeout=60).run()
        return at.date_input(key="periodo").set_value((first, last)).run()

    return open_page


def read(backend: Backend) -> Metrics:
    limit = load_settings({}).budget.day
    assert limit is not None
    return backend.read(read_metrics(backend.bastao.database, period=PERIOD, day_limit_usd=limit.limit_usd))


def files(at: AppTest) -> dict[str, str]:
    """The downloads by their key, with their label."""
    return {str(e.proto.id).rpartition("-csv-")[2]: str(e.proto.label) for e in at.get("download_button")}


def test_the_page_shows_the_figures_and_says_that_they_are_simulated(opened: Any, backend: Backend) -> None:
    at, metrics = opened(PERIOD.first, PERIOD.last), read(backend)
    text = page(at)
    assert "Dados simulados. Todos os 70 contatos" in text
    assert all(f"<h2>{title}</h2>" in text for title in SECTIONS)
    for share in (metrics.alone, metrics.at_once, metrics.clarified):
        assert rate_words(share) in text
        assert of_words(share) in text
    assert price_words(metrics.price) in text
    assert money(metrics.cost_per_resolved_usd) in text
    assert all(code_words(line.reason) in text for line in metrics.queue)
    assert all(f'<td class="">{line.provider}</td>' in text for line in metrics.providers if line.provider)
    assert "limite de hoje é US$ 3,00" in text


def test_every_table_can_be_taken_along(opened: Any) -> None:
    at = opened(PERIOD.first, PERIOD.last)
    assert set(files(at)) == set(FILES)


def test_a_period_without_contacts_says_so(opened: Any) -> None:
    at = opened(date(2025, 1, 1), date(2025, 1, 31))
    text = page(at)
    assert "Nada neste período" in text
    assert "scripts.simulate" in text
    assert "Dados simulados" not in text
    assert files(at) == {}


def test_the_address_keeps_the_period(opened: Any, backend: Backend) -> None:
    at = opened(PERIOD.first, PERIOD.last)
    kept = {key: str(value[0] if isinstance(value, list) else value) for key, value in dict(at.query_params).items()}
    assert kept == {"de": "2026-10-01", "ate": "2026-10-31"}
    again = AppTest.from_function(draw, default_timeout=60)
    again.query_params["de"], again.query_params["ate"] = "2026-10-01", "2026-10-31"
    assert "Todos os 70 contatos" in page(again.run())
    wrong = AppTest.from_function(draw, default_timeout=60)
    wrong.query_params["de"], wrong.query_params["ate"] = "2026-10-31", "<b>"
    assert "<h1>Números</h1>" in page(wrong.run())


def test_half_a_period_waits_for_its_other_half(opened: Any) -> None:
    at = opened(PERIOD.first, PERIOD.last)
    at.date_input(key="periodo").set_value((PERIOD.first,)).run()
    assert "Escolha também o último dia." in [c.value for c in at.caption]


def test_nobody_sees_them_without_saying_who_they_are(opened: Any) -> None:
    at = opened(PERIOD.first, PERIOD.last)
    at.text_input(key="operador_demo").set_value(" ").run()
    assert "figuras" not in page(at)
    assert files(at) == {}
