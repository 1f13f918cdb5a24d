"""What a figure depends on: versions, machine, load."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

_PACKAGES = (
    "langgraph", "langchain", "langchain-core", "langgraph-checkpoint-postgres", "langgraph-swarm", "langgraph-supervisor",
    "psycopg", "pydantic", "scikit-learn", "uvicorn",
)  # fmt: skip


def machine() -> dict[str, Any]:
    """Describe the machine without naming it."""
    info = Path("/proc/cpuinfo")
    models = (
        [line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
        if info.exists()
        else []
    )
    return {
        "system": f"{platform.system()} {platform.machine()}", "processor": models[0] if models else platform.processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "python": platform.python_version(), "load": round(os.getloadavg()[0], 1), "at": datetime.now(UTC).strftime("%Y-%m-%d %H:%MZ"),
    }  # fmt: skip


def versions() -> dict[str, str]:
    return {name: version(name) for name in _PACKAGES}
