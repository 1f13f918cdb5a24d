from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from routing.ports import ShopUnavailable
from routing.shop import Customer, Item
from tests.tools.fake_shop import NOW, ZONE, FakeShop, ago, customer
from tests.tools.running import context, plan, refusal_code, run
from tools.contract import Plan, Refusal
from tools.registry import TOOLS
from tools.windows import return_reason

RETURN = {"order": "10418", "item": "fone", "kind": "exchange", "reason": "parou de funcionar"}


def _delivered(shop: FakeShop, order: str, days: float) -> FakeShop:
    delivery = shop.rows[order].delivery
    shop.change(order, delivery=delivery.model_copy(update={"delivered_at": ago(days)}))
    return shop


@pytest.mark.parametrize(
    ("kind", "reason", "expected"),
    [
        ("exchange", "parou de funcionar", "defect"),
        ("return", "veio quebrado", "defect"),
        ("return", "o fone não liga mais", "defect"),
        ("exchange", "it stopped working", "defect"),
        ("exchange", "ficou pequeno", "exchange"),
        ("exchange", "quero outra cor", "exchange"),
        ("return", "me arrependi", "regret"),
        ("return", "não tem defeito nenhum, só não gostei", "regret"),
        ("exchange", "está sem defeito, mas ficou largo", "exchange"),
    ],
)
def test_the_reason_decides_the_window(kind: Any, reason: str, expected: str) -> None:
    assert return_reason(kind, reason) == expected


@pytest.mark.parametrize(
    ("kind", "reason", "days", "code"),
    [
        ("return", "me arrependi", 7, None),
        ("return", "me arrependi", 8, "regret_late"),
        ("return", "me arrependi", 31, "regret_closed"),
        ("exchange", "ficou pequeno", 30, None),
        ("exchange", "ficou pequeno", 31, "exchange_closed"),
        ("exchange", "veio com defeito", 90, None),
        ("return", "veio com defeito", 90, None),
        ("exchange", "veio com defeito", 91, "defect_late"),
    ],
)
async def test_windows_count_days_from_delivery(kind: str, reason: str, days: int, code: str | None) -> None:
    shop = _delivered(FakeShop(), "10418", days)
    args = {**RETURN, "kind": kind, "reason": reason}
    assert await refusal_code("open_return_request", context(shop), **args) == code


async def test_days_are_counted_in_the_shops_zone() -> None:
    # 01:30 UTC of the 24th is still the 23rd in São Paulo: the seventh day is over with the 30th there.
    shop = FakeShop()
    late = NOW.replace(day=24, hour=1, minute=30)
    shop.change("10418", delivery=shop.rows["10418"].delivery.model_copy(update={"delivered_at": late}))
    args = {**RETURN, "kind": "return", "reason": "me arrependi"}
    midnight = NOW.astimezone(ZONE).replace(hour=23, minute=59)
    assert await refusal_code("open_return_request", context(shop, now=midnight), **args) is None
    after = midnight + timedelta(minutes=2)
    assert (
        await refusal_code("open_return_request", context(FakeShop(rows=shop.rows), now=after), **args) == "regret_late"
    )


async def test_a_late_defect_goes_to_a_person() -> None:
    refusal = await plan("open_return_request", context(_delivered(FakeShop(), "10418", 120)), **RETURN)
    assert isinstance(refusal, Refusal)
    assert "uma pessoa da equipe" in refusal.next


async def test_an_exchange_is_opened_once_per_item() -> None:
    shop = FakeShop()
    outcome = await run("open_return_request", context(shop), **RETURN)
    assert outcome.status == "ok"
    assert outcome.receipt is not None
    assert outcome.receipt.protocol in (outcome.says or "")
    assert "Próximo passo" in (outcome.says or "")
    again = await plan("open_return_request", context(shop), **{**RETURN, "kind": "return"})
    assert isinstance(again, Refusal)
    assert again.code == "already_requested"
    assert outcome.receipt.protocol in again.because
    assert len(shop.opened) == 1


async def test_a_refused_request_may_be_made_again_as_another_act() -> None:
    shop = FakeShop()
    first = await plan("open_return_request", context(shop), **RETURN)
    await run("open_return_request", context(shop), **RETURN)
    owner, request = shop.opened[0]
    shop.opened[0] = (owner, request.model_copy(update={"status": "refused"}))
    second = await plan("open_return_request", context(shop), **RETURN)
    assert isinstance(first, Plan)
    assert isinstance(second, Plan)
    assert first.act != second.act


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("10405", "not_delivered"),
        ("10431", "not_delivered_cancel"),
        ("10412", "order_not_found"),
        ("99999", "order_not_found"),
    ],
)
async def test_what_cannot_be_given_back(order: str, code: str) -> None:
    item = {"10405": "tênis", "10431": "luminária"}.get(order, "fone")
    assert await refusal_code("open_return_request", context(), **{**RETURN, "order": order, "item": item}) == code


async def test_an_order_that_came_back_or_was_cancelled() -> None:
    args = {**RETURN, "order": "20077", "item": "Mochila"}
    assert await refusal_code("open_return_request", context(who=customer("c3")), **args) == "already_returned"
    shop = FakeShop()
    shop.change("10418", status="cancelled")
    assert await refusal_code("open_return_request", context(shop), **RETURN) == "order_cancelled"


async def test_an_item_is_found_by_name_or_id_and_asked_for_when_unclear() -> None:
    shop = FakeShop()
    items = (Item(id="1", name="Fone Bluetooth", price=100), Item(id="2", name="Fone com Fio", price=100))
    shop.change("10418", items=items)
    for item, found in (
        ("Fone Bluetooth", True),
        ("2", True),
        ("bluetooth", True),
        ("fone", False),
        ("jaqueta", False),
    ):
        planned = await plan("open_return_request", context(shop), **{**RETURN, "item": item})
        assert isinstance(planned, Plan) is found, item
    assert await refusal_code("open_return_request", context(shop), **{**RETURN, "item": "fone"}) == "which_item"


async def test_the_summary_is_the_exact_action() -> None:
    planned = await plan("open_return_request", context(), **RETURN)
    assert isinstance(planned, Plan)
    assert planned.summary == "abrir a troca de Fone Bluetooth, do pedido 10418 (motivo: parou de funcionar)"
    assert planned.basis == {"order:10418": "1"}


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("10440", None),
        ("10431", None),
        ("10405", "cancel_too_late"),
        ("10418", "cancel_delivered"),
        ("10412", "order_not_found"),
    ],
)
async def test_only_an_unshipped_order_is_cancelled(order: str, code: str | None) -> None:
    assert await refusal_code("cancel_order", context(), order=order) == code


async def test_a_cancelled_order_is_told_with_its_protocol() -> None:
    shop = FakeShop()
    outcome = await run("cancel_order", context(shop), order="10440")
    assert outcome.receipt is not None
    assert ("order_status", "cancelado") in {(f.key, f.value) for f in outcome.facts}
    again = await run("cancel_order", context(shop), order="10440")
    assert again.refusal is not None
    assert outcome.receipt.protocol in again.refusal.because


async def test_money_and_cancellation_need_a_session() -> None:
    matched = context(who=Customer(id=None, level="matched"))
    assert await refusal_code("cancel_order", matched, order="10440") == "login_needed"
    assert await refusal_code("open_return_request", matched, **RETURN) == "login_needed"


async def test_the_same_effect_run_again_returns_the_first_receipt() -> None:
    shop = FakeShop()
    ctx = replace(context(shop), effect_key="k1")
    first = await run("open_return_request", ctx, **RETURN)
    second = await run("open_return_request", ctx, **RETURN)
    assert first == second
    assert len(shop.opened) == 1


async def test_a_row_that_moved_is_a_refusal_and_writes_nothing() -> None:
    class Stale(FakeShop):
        async def cancel_order(self, key: str, *, order_id: str, version: int) -> Any:
            self.change(order_id, note="moved")
            return await super().cancel_order(key, order_id=order_id, version=version)

    assert await refusal_code("cancel_order", context(Stale()), order="10440") == "conflict_order_changed"


async def test_silence_after_the_write_is_settled_by_its_key() -> None:
    shop = FakeShop(lost={"open_request"})
    outcome = await run("open_return_request", context(shop), **RETURN)
    assert outcome.status == "ok"
    assert len(shop.opened) == 1


async def test_silence_before_the_write_is_known_to_be_nothing() -> None:
    outcome = await run("open_return_request", context(FakeShop(down={"open_request"})), **RETURN)
    assert (outcome.status, outcome.audit) == ("failed", "write_absent")


async def test_silence_on_both_sides_stays_unknown() -> None:
    class Gone(FakeShop):
        async def open_request(self, key: str, **values: Any) -> Any:
            self.down.add("find_effect")
            self.lost.add("open_request")
            return await super().open_request(key, **values)

    outcome = await run("open_return_request", context(Gone()), **RETURN)
    assert (outcome.status, outcome.audit) == ("failed", "write_unknown")
    assert "Uma pessoa da equipe precisa conferir" in (outcome.says or "")


async def test_planning_against_a_silent_shop_raises() -> None:
    with pytest.raises(ShopUnavailable):
        await plan("cancel_order", context(FakeShop(down={"order"})), order="10440")


async def test_a_write_without_a_key_is_a_programming_error() -> None:
    tool = TOOLS["cancel_order"]
    with pytest.raises(ValueError, match="effect key"):
        await tool.run(tool.args(order="10440"), context())
