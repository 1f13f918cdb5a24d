"""Every fault through every chain over real sockets: who answers, why, once, in time, and what no log may hold."""

import logging
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import httpx
import pytest

from routing.decision import Answer
from routing.ports import NoProvider
from routing.providers.base import DecisionProvider
from routing.providers.breaker import Breakers
from routing.providers.chain import ChainDecider
from routing.providers.errors import ErrorKind
from routing.providers.http_json import JsonHttp
from routing.providers.registry import BUILDERS, ProviderSettings, build_providers
from stubs.faults import Fault
from tests.routing.providers.clients import MODELS, remote_settings
from tests.routing.providers.test_remote import SECRETS
from tests.stubs.fixtures import KEY
from tests.stubs.simulated import MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, WordDecider

Put = Callable[[str, Fault], None]
Alarm = tuple[str, ErrorKind, str]

CHAINS = ("msd1+fallback", "jev+fallback", "systemone+fallback", "openai+msd1+local", "llm+jev+local", "msd1+openai")
# Fault on the first link → (why of its hop, alarm raised, paid links still tried).
STEPS: dict[str, tuple[Fault, str, bool, bool]] = {
    "503": (Fault(kind="status", status=503), "retryable: HTTP 503", False, True),
    "429": (Fault(kind="status", status=429, retry_after="2"), "retryable: HTTP 429", False, True),
    "529": (Fault(kind="status", status=529), "retryable: HTTP 529", False, True),
    "408": (Fault(kind="status", status=408), "retryable: HTTP 408", False, True),
    "html 502": (Fault(kind="html", status=502), "retryable: HTTP 502", False, True),
    "hang": (Fault(kind="hang"), "retryable: timeout", False, True),
    "reset": (Fault(kind="reset"), "retryable: connection lost", False, True),
    "half a body": (Fault(kind="half_body"), "retryable: connection lost", False, True),
    "400": (Fault(kind="status", status=400), "ours: HTTP 400", True, True),
    "404": (Fault(kind="status", status=404), "ours: HTTP 404", True, True),
    "413": (Fault(kind="status", status=413), "ours: HTTP 413", True, True),
    "422": (Fault(kind="status", status=422), "ours: HTTP 422", True, True),
    "401": (Fault(kind="status", status=401), "ours: HTTP 401", True, True),
    "403": (Fault(kind="status", status=403), "ours: HTTP 403", True, True),
    "402": (Fault(kind="status", status=402), "payment: HTTP 402", True, False),
    "html": (Fault(kind="html", status=200), "garbage", False, True),
    "half a JSON": (Fault(kind="half_json"), "garbage", False, True),
    "empty": (Fault(kind="empty"), "garbage", False, True),
    "error in 200": (Fault(kind="error_in_200"), "garbage", False, True),
    "unknown label": (Fault(kind="unknown_label"), "garbage: unknown_label", False, True),
    "1.7": (Fault(kind="over_one"), "garbage: out_of_range", False, True),
    "no probabilities": (Fault(kind="no_probabilities"), "garbage: missing_probabilities", False, True),
    "sum of 0.6": (Fault(kind="low_sum"), "garbage: bad_sum", False, True),
    "winner at 0.01": (Fault(kind="wrong_winner"), "garbage: choice_not_top", False, True),
    "missing option": (Fault(kind="missing_option"), "garbage: missing_option", False, True),
    "text for a number": (Fault(kind="not_a_number"), "garbage: not_a_number", False, True),
}
DISTORTIONS = (
    "unknown label",
    "1.7",
    "no probabilities",
    "sum of 0.6",
    "winner at 0.01",
    "missing option",
    "text for a number",
)
OPEN_END = ("503", "429", "529", "408", "html 502", "reset", "half a body", "401", "403", "402")


class Clock:
    """Monotonic seconds that pass only when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def chain(
    url: str,
    flag: str,
    *,
    clock: Clock,
    alarms: list[Alarm] | None = None,
    deadline_s: float = 10.0,
    http: JsonHttp | None = None,
) -> ChainDecider:
    settings = ProviderSettings.model_validate({"examples_dir": ".", "remote": remote_settings(url, http=http)})
    local: Mapping[str, Callable[[ProviderSettings], DecisionProvider]] = {"local": lambda _: WordDecider()}
    providers = build_providers(flag, settings, builders={**BUILDERS, **local})
    seen = alarms if alarms is not None else []
    return ChainDecider(
        providers,
        deadline_s=deadline_s,
        clock=clock,
        breakers=Breakers(clock=clock),
        on_alarm=lambda provider, kind, why: seen.append((provider, kind, why)),
    )


async def decide(decider: ChainDecider) -> Answer:
    return await decider.decide(MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, thread_id="t1")


def asked(control: httpx.Client) -> list[str]:
    return [request["body"]["model"] for request in control.get("/stub/requests").json()]


def mend(control: httpx.Client) -> None:
    control.delete("/stub/faults")


# A chat model's scores are made from the true numbers: what distorts numbers leaves it alone.
@pytest.mark.parametrize(
    ("flag", "step"),
    [(flag, step) for flag in CHAINS for step in STEPS if not (flag.startswith("llm") and step in DISTORTIONS)],
)
async def test_a_fault_on_the_first_link(
    stub: str, control: httpx.Client, put: Put, caplog: pytest.LogCaptureFixture, flag: str, step: str
) -> None:
    caplog.set_level(logging.DEBUG)
    fault, why, alarmed, paid_on = STEPS[step]
    alarms: list[Alarm] = []
    clock = Clock()
    decider = chain(stub, flag, clock=clock, alarms=alarms, deadline_s=1.2 if step == "hang" else 10.0)
    first, *rest = decider.providers
    put(MODELS[first.flag], fault)
    expected = next((p for p in rest if paid_on or not p.paid), None)

    if expected is None:
        with pytest.raises(NoProvider) as nobody:
            await decide(decider)
        hops: Any = nobody.value.tried
    else:
        answer = await decide(decider)
        assert answer.provider == expected.flag
        assert max(answer.probabilities, key=lambda o: answer.probabilities[o]) == "billing"
        hops = answer.hops
        assert hops[-1].outcome == "ok"
    assert hops[0].provider == first.flag
    assert hops[0].outcome == "error"
    assert hops[0].why.startswith(why)
    assert [p for p, _, _ in alarms] == ([first.flag] if alarmed else [])
    remote_calls = [MODELS[first.flag]] + ([MODELS[expected.flag]] if expected is not None and expected.remote else [])
    assert asked(control) == remote_calls
    seen = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    assert not any(secret in seen for secret in SECRETS)


@pytest.mark.parametrize("step", OPEN_END)
async def test_a_provider_that_is_down_is_left_alone_and_tried_again_later(
    stub: str, control: httpx.Client, put: Put, step: str
) -> None:
    clock = Clock()
    decider = chain(stub, "msd1+fallback", clock=clock)
    put(MODELS["msd1"], STEPS[step][0])
    await decide(decider)
    again = await decide(decider)
    assert again.hops[0].outcome == "skipped"
    assert asked(control).count(MODELS["msd1"]) == 1
    mend(control)
    clock.now += 31.0
    assert (await decide(decider)).provider == "msd1"


async def test_everything_remote_down_is_local(stub: str, put: Put) -> None:
    put("*", Fault(kind="status", status=503))
    answer = await decide(chain(stub, "msd1+fallback", clock=Clock()))
    assert answer.provider == "local"
    assert [hop.provider for hop in answer.hops] == ["msd1", "jev", "local"]


async def test_everything_down_says_who_was_tried(stub: str, put: Put) -> None:
    put("*", Fault(kind="reset"))
    with pytest.raises(NoProvider) as raised:
        await decide(chain(stub, "msd1+jev+openai", clock=Clock()))
    assert [(hop.provider, hop.outcome) for hop in raised.value.tried] == [  # pyright: ignore[reportAttributeAccessIssue]
        ("msd1", "error"),
        ("jev", "error"),
        ("openai", "error"),
    ]


class Slow(httpx.AsyncBaseTransport):
    """Every request takes `seconds` of the test's clock and fails: a provider that is slow to say no."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.clock, self.seconds, self.calls = clock, seconds, 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.calls += 1
        self.clock.now += self.seconds
        return httpx.Response(503)


@pytest.mark.parametrize(("seconds", "calls"), [(0.2, 3), (0.5, 3), (0.8, 2), (1.6, 1)])
async def test_no_link_begins_after_the_deadline(seconds: float, calls: int) -> None:
    clock = Clock()
    transport = Slow(clock, seconds)
    decider = chain(
        "http://127.0.0.1:9", "msd1+jev+openai", clock=clock, deadline_s=1.5, http=JsonHttp(transport=transport)
    )
    with pytest.raises(NoProvider) as raised:
        await decide(decider)
    assert transport.calls == calls
    whys = [hop.why for hop in raised.value.tried]  # pyright: ignore[reportAttributeAccessIssue]
    assert whys == ["retryable: HTTP 503"] * calls + ["deadline"] * (3 - calls)


async def test_the_costs_of_the_hops_are_known(stub: str, put: Put) -> None:
    put(MODELS["msd1"], Fault(kind="low_sum"))
    answer = await decide(chain(stub, "msd1+jev", clock=Clock()))
    garbage, good = answer.hops
    assert garbage.cost_usd > 0
    assert good.cost_usd == answer.cost_usd > 0
    assert Decimal(str(garbage.cost_usd)) < Decimal("0.01")


def test_no_chain_shows_its_key(stub: str) -> None:
    assert KEY not in repr(chain(stub, "msd1+fallback", clock=Clock()).providers)
