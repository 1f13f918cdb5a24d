"""The customers: each plays one visit, comes again with the same message whenever it got no answer, and is written down."""

import asyncio
import itertools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.torture.fleet import Fleet
from tests.torture.goods import cancellable, charged_twice
from tests.torture.worker import Answer

_DONE = re.compile(r"\b(?:CB|CH|CN)-\w+")
_PERSON = re.compile(r"\bBA-\w+")
_ANSWERED = ("replied", "held", "nothing_due", "interrupted")
_TRIES = 6


@dataclass(slots=True)
class Note:
    """A message in the driver's log. `sent` and `accepted` are places in one count: who was accepted before whom was sent."""

    thread_id: str
    text: str
    sent: int
    accepted: int | None = None
    status: str | None = None


@dataclass(slots=True)
class Book:
    """The driver's own log, on disk and outside the database: what was accepted, asked for, and told as done."""

    path: Path
    notes: dict[str, Note] = field(default_factory=dict[str, Note])
    asked: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    told: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    _count: Any = field(default_factory=lambda: itertools.count(1))

    def sending(self, message_id: str, thread_id: str, text: str) -> None:
        self.notes[message_id] = Note(thread_id, text, next(self._count))
        self._write(sent=message_id, thread=thread_id, text=text)

    def accepted(self, message_id: str) -> None:
        note = self.notes[message_id]
        if note.accepted is None:
            note.accepted = next(self._count)
            self._write(accepted=message_id)

    def ended(self, message_id: str, status: str | None) -> None:
        self.notes[message_id].status = status
        self._write(ended=message_id, status=status)

    def wants(self, tool: str, order: str) -> None:
        self.asked.add((tool, order))
        self._write(wants=[tool, order])

    def was_told(self, tool: str, order: str, protocol: str) -> None:
        self.told[tool, order] = protocol
        self._write(told=[tool, order, protocol])

    def _write(self, **line: Any) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


@dataclass(slots=True, kw_only=True)
class Customer:
    """Customer number `n`, with the orders that the world gave."""

    n: int
    fleet: Fleet
    book: Book
    random: Random
    messages: Any = field(default_factory=lambda: itertools.count(1))

    @property
    def thread_id(self) -> str:
        return f"th-{self.n}"

    async def visit(self) -> None:
        """Ask something, want several things, sometimes a person; in bursts, twice over, and with the hand on Stop."""
        first = charged_twice(self.n)[0]
        await self.say(f"cadê o pedido {first}?", again=self._maybe(0.2), stop=self._maybe(0.2))
        for twice, fresh in zip(charged_twice(self.n), cancellable(self.n), strict=True):
            await self._act(twice, fresh)
        if self._maybe(0.3):
            await asyncio.gather(*(self.say(f"e o pedido {first}? {n}") for n in range(3)))
        if self._maybe(0.3):
            await self.with_a_person()

    async def _act(self, twice: str, fresh: str) -> None:
        """Want one thing: in plain words, politely (which comes to the wrong desk first), or by saying yes to a proposal."""
        charge = f"me cobraram duas vezes o pedido {twice}"
        match self.random.randrange(4):
            case 0:
                await self.wants("open_billing_ticket", twice, [f"abre um chamado: {charge}"])
            case 1:
                await self.wants("open_billing_ticket", twice, [f"abre um chamado, por favor: {charge}"])
            case 2:
                await self.wants("open_billing_ticket", twice, [charge, "pode abrir"])
            case _:
                await self.wants("cancel_order", fresh, [f"quero cancelar o pedido {fresh}", "sim"])

    async def wants(self, tool: str, order: str, words: list[str]) -> None:
        """Ask until it was told as done, or a person has it."""
        self.book.wants(tool, order)
        for _ in range(_TRIES):
            for text in words:
                answer = await self.say(text, again=self._maybe(0.2), stop=self._maybe(0.1))
                said = answer.reply or ""
                if done := _DONE.search(said):
                    self.book.was_told(tool, order, done[0])
                    return
                if _PERSON.search(said) or answer.status == "held":
                    return

    async def with_a_person(self) -> None:
        """Call one, who takes the conversation, says something while the bot may be speaking, and hands it back."""
        await self.say("quero falar com um atendente")
        together = [self.fleet.ask("claim", self.thread_id), self.say("estou esperando")]
        await asyncio.gather(*together)
        await self.fleet.ask("reply", self.thread_id, text="Oi, aqui é a Bia, já vejo.")
        await self.fleet.ask("hand_back", self.thread_id)

    async def say(self, text: str, *, again: bool = False, stop: bool = False) -> Answer:
        """Send a message until it has an answer: after a lost worker, a failure or an outage the same one comes again."""
        message_id = f"m-{self.n}-{next(self.messages)}"
        self.book.sending(message_id, self.thread_id, text)
        while True:
            sending = [self._send(message_id, text) for _ in range(2 if again else 1)]
            stopping = [self._stop()] if stop else []
            answers = await asyncio.gather(*sending, *stopping)
            for answer in answers[: len(sending)]:
                if answer is not None and answer.status in _ANSWERED:
                    self.book.ended(message_id, answer.status)
                    return answer
            again = stop = False
            await asyncio.sleep(0.2)

    async def _send(self, message_id: str, text: str) -> Answer | None:
        return await self.fleet.ask(
            "send", self.thread_id, customer_id=f"k{self.n}", message_id=message_id, text=text,
            on_accepted=lambda: self.book.accepted(message_id),
        )  # fmt: skip

    async def _stop(self) -> None:
        await asyncio.sleep(self.random.random() * 0.3)
        await self.fleet.ask("stop", self.thread_id)

    def _maybe(self, share: float) -> bool:
        return self.random.random() < share
