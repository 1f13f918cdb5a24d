from typing import Any

import pytest

from routing.shop import Customer, Document
from tests.tools.fake_shop import FakeShop, ago, customer, on
from tests.tools.running import context, plan, refusal_code, run
from tools.contract import Plan


def _with_charges(order: str, *amounts: int, status: str = "paid") -> FakeShop:
    shop = FakeShop()
    first = shop.rows[order].charges[0]
    charges = tuple(
        first.model_copy(update={"id": f"{order}-{n}", "amount": amount, "status": status if n else "paid"})
        for n, amount in enumerate(amounts)
    )
    shop.change(order, charges=charges)
    return shop


@pytest.mark.parametrize(
    ("order", "claimed", "code"),
    [
        ("10405", None, None),
        ("10405", "R$ 349,00", None),
        ("10405", "349", None),
        ("10405", "R$ 698,00", None),
        ("10405", "R$ 250,00", "amount_differs"),
        ("10405", "muito", "amount_unreadable"),
        ("10418", None, "no_duplicate"),
        ("10418", "R$ 189,90", "no_duplicate"),
        ("10412", None, "order_not_found"),
        ("99999", None, "order_not_found"),
    ],
)
async def test_a_duplicate_needs_two_charges_in_the_data(order: str, claimed: str | None, code: str | None) -> None:
    args: dict[str, Any] = {"order": order, "kind": "duplicate_charge", "claimed_amount": claimed}
    assert await refusal_code("open_billing_ticket", context(), **args) == code


async def test_the_refusal_states_the_only_charge() -> None:
    outcome = await run("open_billing_ticket", context(), order="10418", kind="duplicate_charge")
    assert outcome.refusal is not None
    assert "uma única cobrança: R$ 189,90 por Pix" in outcome.refusal.because


async def test_two_parts_of_one_price_are_no_duplicate() -> None:
    shop = _with_charges("10405", 20000, 14900)
    assert (
        await refusal_code("open_billing_ticket", context(shop), order="10405", kind="duplicate_charge")
        == "no_duplicate"
    )


@pytest.mark.parametrize(
    ("status", "code"), [("refunded", "already_refunded"), ("refund_pending", "refund_on_its_way")]
)
async def test_a_duplicate_that_is_given_back_is_told(status: str, code: str) -> None:
    shop = _with_charges("10405", 34900, 34900, status=status)
    assert await refusal_code("open_billing_ticket", context(shop), order="10405", kind="duplicate_charge") == code


async def test_the_ticket_computes_its_amount() -> None:
    shop = FakeShop()
    planned = await plan("open_billing_ticket", context(shop), order="10405", kind="duplicate_charge")
    assert isinstance(planned, Plan)
    assert planned.summary == "abrir um chamado de cobrança em duplicidade de R$ 349,00 para o pedido 10405"
    outcome = await run("open_billing_ticket", context(shop), order="10405", kind="duplicate_charge")
    assert outcome.receipt is not None
    assert outcome.receipt.values == {"amount": "R$ 349,00"}


async def test_an_open_ticket_is_told_with_its_protocol() -> None:
    shop = FakeShop()
    first = await run("open_billing_ticket", context(shop), order="10405", kind="duplicate_charge")
    again = await run("open_billing_ticket", context(shop), order="10405", kind="duplicate_charge")
    assert first.receipt is not None
    assert again.refusal is not None
    assert again.refusal.code == "ticket_already_open"
    assert first.receipt.protocol in again.refusal.because
    assert len(shop.opened) == 1


@pytest.mark.parametrize(
    ("who", "order", "kind", "code"),
    [
        ("c3", "20077", "refund_status", None),
        ("c1", "10418", "refund_status", "no_refund_due"),
        ("c1", "10418", "invoice", None),
        ("c2", "10420", "invoice", "no_invoice_yet"),
        ("c2", "10420", "boleto", None),
        ("c1", "10418", "boleto", "no_boleto"),
        ("c1", "10405", "wrong_amount", None),
        ("c1", "10418", "wrong_amount", "amount_right"),
        ("c2", "10420", "wrong_amount", "nothing_charged"),
        ("c2", "10420", "duplicate_charge", "nothing_charged"),
    ],
)
async def test_every_ticket_must_agree_with_the_data(who: str, order: str, kind: str, code: str | None) -> None:
    assert await refusal_code("open_billing_ticket", context(who=customer(who)), order=order, kind=kind) == code


async def test_a_refund_that_was_made_is_told() -> None:
    shop = FakeShop()
    charge = shop.rows["20077"].charges[0]
    shop.change("20077", charges=(charge.model_copy(update={"status": "refunded", "at": ago(2)}),))
    ctx = context(shop, who=customer("c3"))
    assert await refusal_code("open_billing_ticket", ctx, order="20077", kind="refund_status") == "already_refunded"


@pytest.mark.parametrize(
    ("who", "order", "kind", "code"),
    [
        ("c1", "10418", "invoice", None),
        ("c2", "10420", "invoice", "no_invoice_yet"),
        ("c2", "10420", "boleto", None),
        ("c1", "10418", "boleto", "no_boleto"),
        ("c1", "10440", "pix_code", "no_pix_code"),
        ("c1", "10412", "invoice", "order_not_found"),
    ],
)
async def test_a_document_exists_only_where_it_makes_sense(who: str, order: str, kind: str, code: str | None) -> None:
    assert await refusal_code("get_document", context(who=customer(who)), order=order, kind=kind) == code


async def test_an_overdue_boleto_comes_with_a_new_due_date() -> None:
    outcome = await run("get_document", context(who=customer("c2")), order="10420", kind="boleto")
    assert outcome.data["due"] == on(3).strftime("%d/%m/%Y")
    assert ("document_due", on(3).isoformat()) in {(f.key, f.value) for f in outcome.facts}


async def test_a_boleto_that_lapsed_again_is_not_handed_out() -> None:
    class Old(FakeShop):
        async def document(self, order_id: str, kind: Any) -> Document:
            return Document(kind=kind, order_id=order_id, number="1", content="x", due=on(-1))

    assert (
        await refusal_code("get_document", context(Old(), who=customer("c2")), order="10420", kind="boleto")
        == "document_lapsed"
    )


async def test_a_pix_code_while_payment_is_awaited() -> None:
    shop = FakeShop()
    charge = shop.rows["10440"].charges[0].model_copy(update={"status": "pending"})
    shop.change("10440", status="awaiting_payment", charges=(charge,))
    outcome = await run("get_document", context(shop), order="10440", kind="pix_code")
    assert outcome.data["content"] == "<pix_code 10440>"


async def test_money_and_documents_need_a_session() -> None:
    matched = context(who=Customer(id=None, level="matched"))
    assert await refusal_code("get_document", matched, order="10418", kind="invoice") == "login_needed"
    assert await refusal_code("open_billing_ticket", matched, order="10405", kind="duplicate_charge") == "login_needed"
