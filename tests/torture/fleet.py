"""The workers as the driver sees them: commands go to any of them, and each may die or stand still at any moment."""

import asyncio
import itertools
import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.torture import worker
from tests.torture.nursery import PATIENCE_S, born_freely
from tests.torture.worker import Answer, Command

# So many that die before they are up, one after the other, have something else than bad luck.
_STILLBORN = 10
# A worker that says nothing for so long stands still, or its machine does: its customer comes again elsewhere.
_LOST_AFTER_S = 45.0


@dataclass(slots=True)
class Worker:
    """`waiting` are the commands that it has not ended."""

    process: Any
    pipe: Any
    up: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: dict[int, asyncio.Queue[Answer]] = field(default_factory=dict[int, "asyncio.Queue[Answer]"])
    gone: bool = False


@dataclass(slots=True, kw_only=True)
class Fleet:
    """`size` workers; whoever dies is replaced at once."""

    environ: Mapping[str, str]
    size: int
    random: Random
    workers: list[Worker] = field(default_factory=list[Worker])
    crashes: list[str] = field(default_factory=list[str])
    kills: int = 0
    stops: int = 0
    _stillborn: int = 0
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    async def start(self) -> None:
        for _ in range(self.size):
            self._hire()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(w.up.wait() for w in self.workers))

    async def close(self) -> None:
        """Let every worker finish and go."""
        leaving, self.workers = self.workers, []
        for w in leaving:
            asyncio.get_running_loop().remove_reader(w.pipe.fileno())
            w.pipe.close()
        for w in leaving:
            await asyncio.to_thread(w.process.join, PATIENCE_S)
            w.process.kill()

    async def nearly_whole(self) -> None:
        """Wait until all but one are up: what is killed faster than it starts proves nothing."""
        await asyncio.gather(*(w.up.wait() for w in self.workers[:-1]))

    def kill_one(self) -> None:
        """Kill one, rather one that has a lot to do."""
        w = max(self.workers, key=lambda w: len(w.waiting) + 2 * self.random.random())
        self.kills += 1
        w.process.kill()

    async def freeze_one(self, seconds: float) -> None:
        """Stop a worker for longer than its lease, then let it go on."""
        w = self.random.choice(self.workers)
        self.stops += 1
        os.kill(w.process.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            if not w.gone:
                os.kill(w.process.pid, signal.SIGCONT)

    async def ask(self, kind: str, thread_id: str, *, on_accepted: Any = None, **values: str) -> Answer | None:
        """Have some worker carry a command out; None when it died or stands still, and nobody knows how far it came."""
        command = Command(number=next(self._numbers), kind=kind, thread_id=thread_id, **values)
        w = await self._somebody()
        answers: asyncio.Queue[Answer] = asyncio.Queue()
        w.waiting[command.number] = answers
        try:
            w.pipe.send(command)
            async with asyncio.timeout(_LOST_AFTER_S):
                while True:
                    answer = await answers.get()
                    if answer.kind == "accepted" and on_accepted is not None:
                        on_accepted()
                    if answer.kind == "end":
                        return answer
                    if answer.kind in ("gone", "crash"):
                        return None
        except (TimeoutError, OSError):
            return None
        finally:
            w.waiting.pop(command.number, None)

    async def _somebody(self) -> Worker:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                ready = [w for w in self.workers if w.up.is_set() and not w.gone]
                if not self.workers:
                    raise RuntimeError("there are no workers any more")
                if ready:
                    return self.random.choice(ready)
                await asyncio.sleep(0.05)

    def _hire(self) -> None:
        process, pipe = born_freely(worker.main, dict(self.environ))
        w = Worker(process, pipe)
        self.workers.append(w)
        asyncio.get_running_loop().add_reader(pipe.fileno(), self._hear, w)

    def _hear(self, w: Worker) -> None:
        try:
            while w.pipe.poll():
                self._take(w, w.pipe.recv())
        except (EOFError, OSError):
            self._bury(w)

    def _take(self, w: Worker, answer: Answer) -> None:
        if answer.kind == "up":
            w.up.set()
        if answer.kind == "crash":
            self.crashes.append(answer.code or "")
        if answer.number in w.waiting:
            w.waiting[answer.number].put_nowait(answer)

    def _bury(self, w: Worker) -> None:
        w.gone = True
        self._stillborn = 0 if w.up.is_set() else self._stillborn + 1
        w.up.set()  # it never will be: nobody waits for it any longer
        asyncio.get_running_loop().remove_reader(w.pipe.fileno())
        w.pipe.close()
        for answers in w.waiting.values():
            answers.put_nowait(Answer(kind="gone"))
        if w in self.workers:
            self.workers.remove(w)
            if self._stillborn == _STILLBORN:
                self.crashes.append("workers do not start")
            if self._stillborn < _STILLBORN:
                self._hire()
