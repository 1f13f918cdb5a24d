from typing import Any

import pytest

from routing.shop import Customer
from tests.tools.fake_shop import FakeShop, ago, customer, on
from tests.tools.running import context, plan, refusal_code, run
from tools.ceps import cep_digits, state_of
from tools.contract import Plan

WHOLE = {"street": "Rua Nova", "number": "254", "city": "São Paulo", "cep": "04567-000"}


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("01310-100", "01310100"),
        ("01310100", "01310100"),
        ("CEP: 01310-100", "01310100"),
        ("01.310-100", "01310100"),
        ("0131-100", None),
        ("00000-000", None),
        ("013101000", None),
        ("abc", None),
    ],
)
def test_a_cep_has_eight_digits_and_a_state(text: str, digits: str | None) -> None:
    assert cep_digits(text) == digits


@pytest.mark.parametrize(
    ("digits", "state"), [("01310100", "SP"), ("20040002", "RJ"), ("73010000", "DF"), ("99999999", "RS")]
)
def test_a_cep_names_its_state(digits: str, state: str) -> None:
    assert state_of(digits) == state


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ({"number": "254"}, "Rua das Flores, 254, Bela Vista, São Paulo/SP, CEP 01310-100"),
        ({"cep": "01311-000"}, "Rua das Flores, 245, Bela Vista, São Paulo/SP, CEP 01311-000"),
        ({"complement": "casa 2"}, "Rua das Flores, 245, casa 2, Bela Vista, São Paulo/SP, CEP 01310-100"),
        (WHOLE, "Rua Nova, 254, São Paulo/SP, CEP 04567-000"),
        (
            {"street": "Rua da Bahia", "number": "9", "city": "Belo Horizonte", "cep": "30160010"},
            "Rua da Bahia, 9, Belo Horizonte/MG, CEP 30160-010",
        ),
    ],
)
async def test_given_parts_are_completed_from_the_record(args: dict[str, Any], text: str) -> None:
    shop = FakeShop()
    outcome = await run("update_address", context(shop), order="10431", **args)
    assert outcome.status == "ok", outcome
    assert outcome.data["address"] == text
    assert ("address", text) in {(f.key, f.value) for f in outcome.facts}
    assert text in (outcome.says or "")
    assert shop.rows["10431"].version == 2


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({}, "address_empty"),
        ({"street": "Rua Nova"}, "address_incomplete"),
        ({"street": "Rua Nova", "number": "3"}, "address_incomplete"),
        ({"city": "Campinas"}, "address_incomplete"),
        ({"city": "Campinas", "cep": "13010-000"}, "address_incomplete"),
        ({"cep": "20040-002"}, "address_incomplete"),
        ({**WHOLE, "cep": "0456-000"}, "cep_invalid"),
        ({**WHOLE, "state": "RJ"}, "cep_other_state"),
        ({"number": "245"}, "address_same"),
    ],
)
async def test_an_incomplete_or_wrong_address_is_refused(args: dict[str, Any], code: str) -> None:
    assert await refusal_code("update_address", context(), order="10431", **args) == code


@pytest.mark.parametrize(
    ("order", "code"), [("10405", "address_too_late"), ("10418", "address_too_late"), ("10412", "order_not_found")]
)
async def test_the_address_changes_only_before_shipping(order: str, code: str) -> None:
    assert await refusal_code("update_address", context(), order=order, number="254") == code


async def test_the_address_needs_a_session() -> None:
    visitor = context(who=Customer(id=None, level="matched"))
    assert await refusal_code("update_address", visitor, order="10431", number="254") == "login_needed"


async def test_a_correction_right_after_a_change_is_another_act() -> None:
    shop = FakeShop()
    await run("update_address", context(shop), order="10431", number="253")
    await run("update_address", context(shop), order="10431", number="254")
    assert shop.rows["10431"].address.number == "254"
    assert len(shop.effects) == 2
    back = await plan("update_address", context(shop), order="10431", number="253")
    assert isinstance(back, Plan)
    assert ":".join(back.act) not in shop.effects


@pytest.mark.parametrize(
    ("who", "order", "kind", "code"),
    [
        ("c2", "10412", "delayed", None),
        ("c2", "10412", "not_received", None),
        ("c2", "10412", "damaged", "not_delivered_yet"),
        ("c2", "10420", "delayed", "nothing_on_its_way"),
        ("c1", "10405", "delayed", "not_late"),
        ("c1", "10405", "not_received", "not_late"),
        ("c1", "10418", "not_received", None),
        ("c1", "10418", "wrong_item", None),
        ("c1", "10418", "missing_item", None),
        ("c1", "10418", "damaged", None),
        ("c1", "10418", "delayed", "delivered_not_delayed"),
        ("c1", "10412", "delayed", "order_not_found"),
    ],
)
async def test_a_delivery_ticket_must_agree_with_the_data(who: str, order: str, kind: str, code: str | None) -> None:
    assert await refusal_code("open_delivery_ticket", context(who=customer(who)), order=order, kind=kind) == code


async def test_an_order_past_its_estimate_is_late() -> None:
    shop = FakeShop()
    shop.change("10405", delivery=shop.rows["10405"].delivery.model_copy(update={"estimate": on(-1)}))
    assert await refusal_code("open_delivery_ticket", context(shop), order="10405", kind="delayed") is None


async def test_a_complaint_after_ninety_days_goes_to_a_person() -> None:
    shop = FakeShop()
    shop.change("10418", delivery=shop.rows["10418"].delivery.model_copy(update={"delivered_at": ago(120)}))
    assert await refusal_code("open_delivery_ticket", context(shop), order="10418", kind="damaged") == "complaint_late"


async def test_an_open_ticket_is_told_with_its_protocol() -> None:
    shop = FakeShop()
    ctx = context(shop)
    first = await run("open_delivery_ticket", ctx, order="10418", kind="damaged")
    again = await run("open_delivery_ticket", ctx, order="10418", kind="damaged")
    assert first.receipt is not None
    assert again.refusal is not None
    assert again.refusal.code == "ticket_already_open"
    assert first.receipt.protocol in again.refusal.because
