"""What the tests of pages and commands share: the environment of a process that serves the demo shop."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def surface_data(data_dir: Path) -> Path:
    """The data folder of the whole run: the decision model is fitted once."""
    return data_dir


def environ_of(url: str, data: Path) -> dict[str, str]:
    """The environment for a process of its own: a database, a data folder, no key."""
    keep = {
        key: value for key, value in os.environ.items() if not key.startswith(("BASTAO_", "OPENAI_", "OPENROUTER_"))
    }
    return {**keep, "DATABASE_URL": url, "BASTAO_DATA_DIR": str(data), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def surface_environ(database_url: str, surface_data: Path) -> dict[str, str]:
    """The environment for a process of its own, with this test's database."""
    return environ_of(database_url, surface_data)


@pytest.fixture
def in_process(surface_environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The same for code that reads the environment of this process."""
    for key in ("DATABASE_URL", "BASTAO_DATA_DIR"):
        monkeypatch.setenv(key, surface_environ[key])
    monkeypatch.delenv("BASTAO_CONFIG", raising=False)
    return surface_environ
