"""Faults as values: how they are written, whom they hit, and when they end."""

import httpx
import pytest
from pydantic import ValidationError

from stubs.faults import Fault, Faults, outage, parse_fault


@pytest.mark.parametrize(
    ("text", "model", "fault"),
    [
        ("jev=reset", "jev", Fault(kind="reset")),
        ("a/b=status:429", "a/b", Fault(kind="status", status=429)),
        ("*=delay:0.5", "*", Fault(kind="delay", seconds=0.5)),
        ("m=html:200", "m", Fault(kind="html", status=200)),
    ],
)
def test_a_fault_in_words(text: str, model: str, fault: Fault) -> None:
    assert parse_fault(text) == (model, fault)


@pytest.mark.parametrize(
    "text", ["jev", "jev=", "=reset", "jev=explode", "jev=status:99", "jev=delay:-1", "jev=status:x"]
)
def test_no_fault(text: str) -> None:
    with pytest.raises(ValueError, match=r"fault|validation"):
        parse_fault(text)


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("503", Fault(kind="status", status=503)),
        ("429", Fault(kind="status", status=429)),
        ("timeout", Fault(kind="hang")),
        ("reset", Fault(kind="reset")),
        ("garbage", Fault(kind="html", status=200)),
    ],
)
def test_outages_as_a_demo_names_them(kind: str, fault: Fault) -> None:
    assert outage(kind) == fault


@pytest.mark.parametrize("kind", ["", "200", "999", "fire"])
def test_no_outage(kind: str) -> None:
    with pytest.raises(ValueError, match="unknown outage"):
        outage(kind)


@pytest.mark.parametrize(
    ("fault", "hit"),
    [
        (Fault(kind="reset"), [True] * 4),
        (Fault(kind="reset", times=1), [True, False, False, False]),
        (Fault(kind="reset", after=1), [False, True, True, True]),
        (Fault(kind="reset", after=1, times=2), [False, True, True, False]),
    ],
)
def test_which_requests_are_hit(fault: Fault, hit: list[bool]) -> None:
    faults = Faults({"a": fault})
    assert [faults.take("a") is not None for _ in hit] == hit
    assert faults.take("b") is None
    faults.set("a", fault)
    assert (faults.take("a") is not None) == hit[0]


def test_a_models_own_fault_counts_before_the_one_for_all() -> None:
    faults = Faults({"*": Fault(kind="reset"), "a": Fault(kind="html")})
    assert [getattr(faults.take(model), "kind", None) for model in ("a", "b")] == ["html", "reset"]
    faults.set("a", None)
    assert getattr(faults.take("a"), "kind", None) == "reset"
    faults.clear()
    assert faults.take("a") is None


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "fire"}, {"kind": "status", "status": 100}, {"kind": "reset", "times": 0}, {"kind": "reset", "x": 1}],
)
def test_faults_that_are_none(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Fault.model_validate(wrong)


def test_the_control_endpoint(control: httpx.Client) -> None:
    order = {"model": "m", "fault": {"kind": "delay", "seconds": 0}}
    assert control.post("/stub/faults", json=order).json()["m"]["kind"] == "delay"
    assert set(control.get("/stub/faults").json()) == {"m"}
    assert control.post("/stub/faults", json={"model": "m"}).json() == {}
    assert control.post("/stub/faults", json={"model": "m", "fault": {"kind": "fire"}}).status_code == 422
