from datetime import UTC, datetime, timedelta

import pytest

from tests.tools.fake_shop import NOW, VISITOR, FakeDesk, FakeShop
from tests.tools.running import context, plan, refusal_code, run
from tools.contract import Plan, Proof

PROOFS = {"email": "ana.souza@example.com", "cpf": "529.982.247-25"}


async def test_a_review_becomes_an_item_with_protocol() -> None:
    desk = FakeDesk()
    outcome = await run("open_review", context(desk=desk), about="no extrato aparecem duas", order="#10418")
    assert [(about, order) for about, order, _ in desk.items.values()] == [("no extrato aparecem duas", "10418")]
    assert outcome.receipt is not None
    assert outcome.receipt.protocol in (outcome.says or "")


async def test_the_same_review_twice_is_one_item() -> None:
    desk = FakeDesk()
    for about in ("no extrato aparecem duas", " No extrato  aparecem duas"):
        await run("open_review", context(desk=desk), about=about, order="10418")
    assert len(desk.items) == 1


async def test_a_review_gives_nothing_of_anothers_order_away() -> None:
    assert await refusal_code("open_review", context(), about="x", order="10412") == "order_not_found"
    assert await refusal_code("open_review", context(), about="x", order="99999") == "order_not_found"


async def test_a_visitor_may_ask_for_a_person() -> None:
    desk = FakeDesk()
    outcome = await run("open_review", context(desk=desk, who=VISITOR), about="x", order="10412")
    assert outcome.status == "ok"


@pytest.mark.parametrize(
    ("due", "expected"),
    [
        (None, None),
        ("2026-12-04", datetime(2026, 12, 4, 21, tzinfo=UTC)),
        ("2026-12-04T10:00", datetime(2026, 12, 4, 13, tzinfo=UTC)),
        ("2026-12-04T10:00+00:00", datetime(2026, 12, 4, 10, tzinfo=UTC)),
    ],
)
async def test_a_callback_keeps_its_due_time(due: str | None, expected: datetime | None) -> None:
    desk = FakeDesk()
    outcome = await run("promise_callback", context(desk=desk), about="reembolso", due=due)
    assert [kept for _, _, kept in desk.items.values()] == [expected]
    assert ("04/12/2026" in (outcome.says or "")) is (due is not None)


@pytest.mark.parametrize(
    ("due", "code"), [("2026-11-29", "due_past"), ("sexta", "due_unreadable"), ("2027-06-01", "due_too_far")]
)
async def test_a_callback_that_nobody_can_keep_is_refused(due: str, code: str) -> None:
    assert await refusal_code("promise_callback", context(), about="x", due=due) == code


async def test_two_callbacks_on_different_days_are_two_acts() -> None:
    first, second = [
        await plan("promise_callback", context(), about="x", due=due) for due in ("2026-12-04", "2026-12-05")
    ]
    assert isinstance(first, Plan)
    assert isinstance(second, Plan)
    assert first.act != second.act


@pytest.mark.parametrize(
    ("order", "given", "code"),
    [
        ("10405", PROOFS, None),
        ("#10405", {"cep": "01310-100", "email": "ANA.SOUZA@example.com"}, None),
        ("10405", {"email": "ana.souza@example.com"}, "proof_too_little"),
        ("10405", {**PROOFS, "cpf": "111.444.777-35"}, "proof_failed"),
        ("10412", PROOFS, "proof_failed"),
        ("99999", PROOFS, "proof_failed"),
    ],
)
async def test_identity_needs_two_matching_data(order: str, given: dict[str, str], code: str | None) -> None:
    ctx = context(who=VISITOR)
    assert await refusal_code("verify_identity", ctx, order=order, **given) == code
    outcome = await run("verify_identity", ctx, order=order, **given)
    assert outcome.signal == (Proof(order_id="10405") if code is None else None)


async def test_a_failed_proof_never_says_what_was_wrong() -> None:
    shop, ctx = FakeShop(), context(who=VISITOR)
    told = {
        (outcome.refusal.because, outcome.refusal.next)
        for order in ("10405", "99999")
        for outcome in [await run("verify_identity", ctx, order=order, email="x@example.com", cpf="111.444.777-35")]
        if outcome.refusal
    }
    assert len(told) == 1
    assert shop.opened == []


async def test_past_is_judged_by_the_turns_clock() -> None:
    later = context(now=NOW + timedelta(days=10))
    assert await refusal_code("promise_callback", later, about="x", due="2026-12-04") == "due_past"
