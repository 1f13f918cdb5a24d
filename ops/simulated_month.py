"""A month of contacts that nobody had: drawn from a seed, as plans. Pure; ops/simulated_contact.py writes them.

The shares are invented, and plausible at most: they are there so that the numbers' page shows something before the first
customer. Nothing here may be read as a measurement of Bastão.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Literal
from zoneinfo import ZoneInfo

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE, Thresholds
from routing.model import Frozen

Kind = Literal["request", "vague", "picks", "thanks", "wants_person", "sensitive"]
Work = Literal["answers", "asks", "refuses", "fails"]

_HOURS = (1, 0, 0, 0, 0, 1, 2, 4, 8, 11, 12, 11, 9, 10, 11, 11, 10, 10, 9, 8, 7, 6, 4, 2)
_WEEKDAYS = (1.25, 1.15, 1.1, 1.05, 1.0, 0.65, 0.5)
_PROVIDERS = {"local": 0.5, "msd1": 0.25, "jev": 0.25}
_OPERATORS = ("Marta", "Caio", "Bia")
_TOPICS = ("fraud", "legal_threat", "data_request")
_SPARE = {"msd1": "jev", "jev": "msd1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What a month is made of: a shop's own specialists, the reasons that each takes, what customers say, and the gates.

    `utterances` are by option: specialists, out_of_scope, needs_question. `topics` name a specialist's subject.
    """

    specialists: tuple[str, ...]
    reasons: Mapping[str, Sequence[str]]
    topics: Mapping[str, str]
    utterances: Mapping[str, Sequence[str]]
    gate: Callable[[str], Thresholds]
    zone: ZoneInfo
    brand: str


class Month(Frozen):
    """`contacts` of them in the `days` days up to `last`. More contacts of the same month are the first ones and some more."""

    days: int
    contacts: int
    seed: int
    last: date

    @property
    def id(self) -> str:
        return f"sim-{self.seed}-{self.last:%Y%m%d}-{self.days}"

    @property
    def calendar(self) -> list[date]:
        return [self.last - timedelta(days=ago) for ago in reversed(range(self.days))]


class Chat(Frozen):
    """What the specialists' calls of a turn took."""

    calls: int
    ms: float
    input: int
    cached: int
    output: int


class Step(Frozen):
    """One message of the customer and what the specialist makes of it.

    `about` is who it truly belongs to; `thinks` what the decision model says. `circles`: the right one declines it too.
    `after` counts from the reply before it.
    """

    kind: Kind
    text: str
    after: timedelta
    about: str
    thinks: dict[str, float]
    provider: str
    failed_before: str | None
    decision_ms: float
    chat: Chat
    work: Work
    circles: bool = False
    topic: str | None = None


class Person(Frozen):
    """Who takes what the contact puts into the queue, and after how long. `solved`: the customer needs nobody any more."""

    operator: str
    waits: timedelta
    works: timedelta
    solved: bool


class ContactPlan(Frozen):
    opened_at: datetime
    steps: tuple[Step, ...]
    person: Person


class Thread(Frozen):
    """A customer's conversation with its contacts, oldest first."""

    number: int
    customer_id: str
    contacts: tuple[ContactPlan, ...]


def plan_month(world: World, month: Month) -> tuple[Thread, ...]:
    """Draw a month's contacts, in the order of their opening."""
    rng = Random(month.seed)
    weights = [_WEEKDAYS[day.weekday()] for day in month.calendar]
    threads: list[Thread] = []
    planned = 0
    while planned < month.contacts:
        number = len(threads)
        own = Random(f"{month.seed}/{number}")
        day = rng.choices(month.calendar, weights)[0]
        opened = _moment(world, own, day)
        plans = [_contact(world, own, opened, subject=own.choice(world.specialists))]
        again = opened + timedelta(hours=own.uniform(20, 60))
        if own.random() < 0.08 and month.contacts - planned > 1 and (month.last - day).days > 4:
            plans.append(_contact(world, own, again, subject=plans[0].steps[0].about))
        planned += len(plans)
        customer_id = f"sim-{month.seed}-{number:05d}"
        threads.append(Thread(number=number, customer_id=customer_id, contacts=tuple(plans)))
    return tuple(sorted(threads, key=lambda t: t.contacts[0].opened_at))


def _moment(world: World, rng: Random, day: date) -> datetime:
    hour = rng.choices(range(24), _HOURS)[0]
    return datetime.combine(day, time(hour, rng.randrange(60), rng.randrange(60)), tzinfo=world.zone)


def _contact(world: World, rng: Random, opened: datetime, *, subject: str) -> ContactPlan:
    """Draw what a customer comes with: vague or clear, one subject or two, and perhaps the wish for a person."""
    kinds: list[tuple[Kind, str]] = []
    about = subject
    if rng.random() < 0.16:
        kinds.append(("vague", subject))
        if rng.random() < 0.12:
            kinds.append(("vague", subject))
        if rng.random() < 0.88:
            kinds.append(("picks" if rng.random() < 0.7 else "request", subject))
    else:
        kinds.append(("request", subject))
    for _ in range(rng.choices((0, 1, 2, 3), (40, 32, 18, 10))[0]):
        if rng.random() < 0.2:
            about = rng.choice([OUT_OF_SCOPE, *(s for s in world.specialists if s != about)])
        kinds.append(("request", about))
    if rng.random() < 0.1:
        kinds.append(("sensitive" if rng.random() < 0.2 else "wants_person", about))
    elif rng.random() < 0.35:
        kinds.append(("thanks", about))
    flag = rng.choices(list(_PROVIDERS), list(_PROVIDERS.values()))[0]
    circles = rng.random() < 0.03
    steps = [_step(world, rng, kind, owner, flag=flag, circles=circles) for kind, owner in kinds]
    person = Person(
        operator=rng.choice(_OPERATORS), waits=timedelta(minutes=rng.lognormvariate(2.8, 0.9)),
        works=timedelta(minutes=rng.uniform(3, 25)), solved=rng.random() < 0.12,
    )  # fmt: skip
    return ContactPlan(opened_at=opened, steps=tuple(steps), person=person)


def _step(world: World, rng: Random, kind: Kind, about: str, *, flag: str, circles: bool) -> Step:
    failed = flag if flag in _SPARE and rng.random() < 0.05 else None
    served = _SPARE[flag] if failed else flag
    said = NEEDS_QUESTION if kind == "vague" else about
    texts = world.utterances[said]
    text = texts[
        int(rng.random() * len(texts))
    ]  # one draw, however many there are: new examples leave the month as it is
    calls = rng.choices((1, 2, 3), (30, 50, 20))[0]
    read = sum(rng.randint(1900, 3600) for _ in range(calls))
    return Step(
        kind=kind, text=text, after=timedelta(seconds=rng.lognormvariate(4.2, 0.8)), about=about,
        thinks=_distribution(world, rng, said), provider=served, failed_before=failed,
        decision_ms=rng.lognormvariate(2.7, 0.35) if served == "local" else rng.lognormvariate(5.8, 0.3),
        chat=Chat(
            calls=calls, ms=sum(rng.lognormvariate(7.1, 0.45) for _ in range(calls)), input=read,
            cached=int(read * rng.uniform(0.35, 0.8)) if calls > 1 else 0, output=calls * rng.randint(60, 220),
        ),
        work=rng.choices(("answers", "asks", "refuses", "fails"), (80, 11, 8, 1))[0], circles=circles,
        topic=rng.choice(_TOPICS) if kind == "sensitive" else None,
    )  # fmt: skip


def _distribution(world: World, rng: Random, truth: str) -> dict[str, float]:
    """Draw what a decision model says: mostly right and sure; of a vague message, split between two specialists."""
    options = [*world.specialists, OUT_OF_SCOPE, NEEDS_QUESTION]
    if truth == NEEDS_QUESTION and len(world.specialists) > 1:
        one, other = rng.sample(world.specialists, 2)
        top = rng.uniform(0.36, 0.55)
        return _spread(options, rng, {one: top, other: rng.uniform(0.2, min(top, 0.95 - top))})
    wrong = rng.random() < 0.08
    named = rng.choice([s for s in world.specialists if s != truth] or [truth]) if wrong else truth
    return _spread(options, rng, {named: min(0.99, rng.betavariate(9, 1.6) if not wrong else rng.uniform(0.5, 0.9))})


def _spread(options: Sequence[str], rng: Random, given: Mapping[str, float]) -> dict[str, float]:
    """Spread what is left over the other options."""
    others = {option: rng.random() + 0.05 for option in options if option not in given}
    left = (1 - sum(given.values())) / sum(others.values())
    return {option: given.get(option, others.get(option, 0.0) * left) for option in options}
