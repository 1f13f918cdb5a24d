"""A Bastão of their own for the suites that play whole turns: a new database that is gone afterwards."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from langchain_core.language_models import BaseChatModel

from evals.customers import run_customers as play_customers
from evals.customers_report import CustomersReport
from evals.specialist import run_specialist as play_specialist
from evals.specialist_report import SpecialistReport
from graph.conversation import Bastao
from scripts.demo_place import place
from settings import Settings, load_environment, load_settings, open_bastao


async def run_specialist(
    *, trials: int = 1, model: BaseChatModel | None = None, dataset: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> SpecialistReport:  # fmt: skip
    """Run the specialist suite. Raises `BadCases`, `UsedDatabase`, `ConfigurationError` and `DatabaseUnavailable`."""
    async with own_bastao(environ) as bastao:
        return await play_specialist(bastao, trials=trials, model=model, dataset=dataset)


async def run_customers(
    *, dataset: Path | None = None, environ: Mapping[str, str] | None = None
) -> CustomersReport:  # fmt: skip
    """Let the simulated customers talk to the whole Bastão. Raises as `run_specialist`."""
    async with own_bastao(environ) as bastao:
        return await play_customers(bastao, dataset=dataset)


@asynccontextmanager
async def own_bastao(
    environ: Mapping[str, str] | None = None, *, changed: Callable[[Settings], Settings] = lambda settings: settings
) -> AsyncGenerator[Bastao]:
    """Open a Bastão in a new database, or in the unused one that DATABASE_URL names."""
    with place(None, load_environment() if environ is None else environ, fresh=True) as where:
        async with open_bastao(changed(load_settings(where)), where) as bastao:
            await bastao.ready()
            yield bastao
