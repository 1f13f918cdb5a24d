import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from routing.sentences import tools as sentences
from tests.tools.fake_shop import VISITOR, FakeShop, customer
from tests.tools.running import context, run
from tools.registry import EVERYBODYS, KEYS, TOOLS, confirming_keys

SAMPLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("c1", "lookup_order", {"order": "10405"}),
    ("c3", "lookup_order", {"order": "20077"}),
    ("c1", "list_orders", {}),
    ("c1", "list_requests", {}),
    ("c1", "open_return_request", {"order": "10418", "item": "1", "kind": "return", "reason": "defeito"}),
    ("c1", "cancel_order", {"order": "10440"}),
    ("c1", "update_address", {"order": "10431", "number": "254"}),
    ("c1", "open_delivery_ticket", {"order": "10418", "kind": "damaged"}),
    ("c1", "open_billing_ticket", {"order": "10405", "kind": "duplicate_charge"}),
    ("c2", "get_document", {"order": "10420", "kind": "boleto"}),
)


def test_every_write_has_a_plan_and_nothing_else_has() -> None:
    assert {t.name for t in TOOLS.values() if t.plan} == {t.name for t in TOOLS.values() if t.kind == "WRITE"}


def test_what_only_makes_items_is_allowed_while_waiting() -> None:
    allowed = {t.name for t in TOOLS.values() if t.kind == "WRITE" and t.while_waiting}
    assert allowed == {"open_review", "promise_callback"}
    assert all(TOOLS[name].confirm == "none" for name in allowed)


@pytest.mark.parametrize(
    ("name", "confirm"),
    [
        ("update_address", "customer"),
        ("cancel_order", "customer"),
        ("open_return_request", "explicit"),
        ("open_billing_ticket", "explicit"),
        ("open_delivery_ticket", "explicit"),
    ],
)
def test_confirmation(name: str, confirm: str) -> None:
    assert TOOLS[name].confirm == confirm


def test_everybodys_tools_exist() -> None:
    assert set(EVERYBODYS) <= set(TOOLS)


def test_declared_arguments_exist() -> None:
    for tool in TOOLS.values():
        assert {*tool.identifiers, *tool.from_customer} <= set(tool.args.model_fields), tool.name


def test_every_description_is_a_prompt() -> None:
    assert all(len(tool.description) > 60 for tool in TOOLS.values())


def test_nobody_passes_a_customer() -> None:
    for tool in TOOLS.values():
        assert not [name for name in tool.args.model_fields if "customer" in name]
        with pytest.raises(ValidationError):
            tool.args.model_validate({"customer_id": "c2"})


@pytest.mark.parametrize(("who", "name", "args"), SAMPLES)
async def test_tools_state_only_facts_that_they_declare(who: str, name: str, args: dict[str, Any]) -> None:
    outcome = await run(name, context(FakeShop(), who=customer(who)), **args)
    assert outcome.status == "ok", outcome
    for fact in outcome.facts:
        declared = KEYS[name][fact.key]
        assert (fact.entity or "").split(":")[0] == declared.entity_kind
        assert fact.max_age_s == declared.max_age_s


def test_a_proof_confirms_nothing_but_itself() -> None:
    assert {"order_status", "refund_status", "identity_matched"} <= confirming_keys()
    assert VISITOR.level == "none"


def test_both_languages_say_the_same_things_with_the_same_values() -> None:
    assert sentences.PT.keys() == sentences.EN.keys()
    for key, text in sentences.PT.items():
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", sentences.EN[key])), key


def test_every_refusal_that_a_tool_names_has_its_two_sentences() -> None:
    named: set[str] = set()
    for path in Path(str(sentences.__file__)).parents[2].joinpath("tools").glob("*.py"):
        named |= set(re.findall(r'(?:refuse|_as_recorded)\(\s*"(\w+)"', path.read_text(encoding="utf-8")))
    assert len(named) > 30
    assert [code for code in named if f"{code}_because" not in sentences.PT or f"{code}_next" not in sentences.PT] == []
