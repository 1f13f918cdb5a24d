"""Wall time and this process's CPU time of one piece of work, in milliseconds."""

import gc
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from bench.tables import middle


@dataclass(slots=True)
class Times:
    wall: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])

    async def of(self, work: Callable[[], Awaitable[Any]]) -> None:
        """Time it once."""
        gc.collect(0)
        wall, cpu = time.perf_counter(), time.process_time()
        await work()
        self.cpu.append((time.process_time() - cpu) * 1000)
        self.wall.append((time.perf_counter() - wall) * 1000)

    def summary(self) -> dict[str, dict[str, float]]:
        return {"wall": middle(self.wall), "cpu": middle(self.cpu)}
