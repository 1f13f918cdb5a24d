"""Nothing is announced that nothing backs: two corpora, and the sentences that tell backing from its absence."""

import json
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from routing.claims import check_claims, repair_instruction, safe_reply
from routing.facts import Commitment, ExecutedAction, Fact
from routing.shop import Receipt
from tests.routing.builders import NOW, commitment, fact

# CPU seconds that only a blow-up passes; no test measures speed.
GENEROUS_S = 30.0

DATA = Path(__file__).parent / "data"
TOOLS = ("lookup_order", "open_return", "promise_callback")


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


FALSE, INNOCENT = cases("claims_false.jsonl"), cases("claims_innocent.jsonl")


def context(case: dict[str, Any]) -> dict[str, Any]:
    given = dict(case.get("context", {}))
    given["receipts"] = [Receipt.model_validate(item) for item in given.get("receipts", [])]
    given["facts"] = [Fact(id=f"f{n}", at=NOW, turn=1, **item) for n, item in enumerate(given.get("facts", []))]
    given["actions"] = [
        ExecutedAction(effect_id="e", status="done", at=NOW, **item) for item in given.get("actions", [])
    ]
    given["commitments"] = [Commitment(id="c", by="desk", at=NOW, **item) for item in given.get("commitments", [])]
    return given


def kinds(text: str, **more: Any) -> list[str]:
    return [item.kind for item in check_claims(text, language="pt", tool_names=TOOLS, **more)]


def test_the_corpora_are_as_large_as_they_must_be() -> None:
    assert len(FALSE) >= 120
    assert len(INNOCENT) >= 320
    assert len({case["text"] for case in FALSE}) == len(FALSE)
    assert len({case["id"] for case in (*FALSE, *INNOCENT)}) == len(FALSE) + len(INNOCENT)
    assert sum("context" in case for case in INNOCENT) >= 60


def test_false_announcements_are_caught() -> None:
    missed = [case["text"] for case in FALSE if not kinds(case["text"])]
    grave = [case for case in FALSE if case["kind"] in ("approval", "refund", "cancel")]
    grave_missed = [case["text"] for case in grave if case["text"] in missed]
    assert len(grave_missed) <= 0.02 * len(grave), grave_missed
    assert len(missed) <= 0.05 * len(FALSE), missed


def test_innocent_sentences_pass() -> None:
    blocked = [
        case["text"]
        for case in INNOCENT
        if check_claims(case["text"], language=case["lang"], tool_names=TOOLS, **context(case))
    ]
    assert len(blocked) <= 0.01 * len(INNOCENT), blocked


def test_an_announcement_with_its_proof_is_caught_without_it() -> None:
    """Else the proof would not be what lets it pass."""
    with_proof = [case for case in INNOCENT if case.get("context") and case["kind"] in ("receipt", "transfer")]
    passed = [case["text"] for case in with_proof if not kinds(case["text"])]
    assert len(with_proof) >= 25
    assert len(passed) <= 0.1 * len(with_proof), passed


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Seu reembolso de R$ 89,90 foi aprovado.", "approval"),
        ("O valor já foi estornado no seu cartão.", "refund"),
        ("Cancelei o pedido 10405 para você.", "action"),
        ("Vou te transferir para o financeiro agora.", "transfer"),
        ("Te ligo até sexta.", "callback"),
        ("Seu pedido chega até sexta-feira.", "deadline"),
        ("O total do seu pedido é R$ 310,00.", "amount"),
        ("Usei lookup_order para ver o pedido.", "internal"),
        ("Transferring back to support.", "internal"),
        ('{"status": "paid"}', "internal"),
        ("O protocolo é CB-99XZ.", "action"),
    ],
)
def test_each_kind_is_named(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


RETURN = Receipt(protocol="DV-1", kind="return", at=NOW, order_id="10405")


@pytest.mark.parametrize(
    ("text", "more", "caught"),
    [
        # A receipt backs its own act and no other
        ("Abri a devolução.", {"receipts": [RETURN]}, False),
        ("Cancelei o pedido.", {"receipts": [RETURN]}, True),
        ("Seu reembolso foi aprovado.", {"receipts": [RETURN]}, True),
        ("O valor foi estornado.", {"receipts": [RETURN]}, True),
        ("A devolução está aberta, protocolo DV-2.", {"receipts": [RETURN]}, True),
        # A refused or unknown effect backs nothing
        ("Cancelei o pedido.", {"actions": [ExecutedAction(name="cancel_order", effect_id="e", status="unknown", at=NOW)]}, True),
        ("Cancelei o pedido.", {"actions": [ExecutedAction(name="cancel_order", effect_id="e", status="done", at=NOW)]}, False),
        # The customer's own word backs nothing that we do
        ("Seu reembolso foi aprovado.", {"facts": [fact("refund_status", "aprovado")]}, True),
        ("Seu reembolso foi aprovado.", {"facts": [fact("refund_status", "aprovado", source="tool:x")]}, False),
        # Neither does a policy back what was done, nor a denial the opposite
        ("Seu reembolso foi aprovado.", {"policies": ["O reembolso aprovado sai em 10 dias."]}, True),
        ("O valor já foi estornado.", {"policies": ["O valor é estornado em 10 dias."]}, True),
        ("Vou reembolsar você agora.", {"policies": ["Reembolsos saem em 10 dias."]}, True),
        ("Seu reembolso foi aprovado.", {"tool_data": [{"status_text": "não aprovado"}]}, True),
        # An approved return approves no refund
        ("Seu reembolso foi aprovado.", {"facts": [fact("return_status", "devolução aprovada", source="tool:x")]}, True),
        # Deadlines and amounts must be the very ones
        ("O valor será estornado em até 5 dias úteis.", {"policies": ["O valor é estornado em até 10 dias úteis."]}, True),
        ("O total é R$ 89,91.", {"facts": [fact("order_total", "R$ 89,90", source="tool:x")]}, True),
        # A promise backs itself only when it was made by somebody who may
        ("Te ligamos até sexta.", {"commitments": [commitment("Te ligamos até sexta", origin="person")]}, False),
        ("Te ligamos até sexta.", {}, True),
        # A transfer goes where it went
        ("Passei você para o financeiro.", {"transferred_to": ["Financeiro"]}, False),
        ("Passei você para a equipe de trocas.", {"transferred_to": ["Financeiro"]}, True),
        # Courtesy in front excuses nothing
        ("Não se preocupe, o pedido foi cancelado.", {}, True),
        ("Seu reembolso foi aprovado, posso ajudar em algo mais?", {}, True),
        ("Se preferir espere um pouco. O pedido foi cancelado.", {}, True),
    ],
)  # fmt: skip
def test_what_backs_what(text: str, more: dict[str, Any], caught: bool) -> None:
    assert bool(kinds(text, **more)) is caught


def test_only_the_sentences_without_proof_are_named() -> None:
    found = check_claims("Entendo, Ana. Cancelei o pedido. Posso ajudar em algo mais?", language="pt")
    assert [item.sentence for item in found] == ["Cancelei o pedido."]


def test_the_instruction_for_the_repair_names_the_sentences() -> None:
    found = check_claims("Cancelei o pedido.", language="pt")
    assert "- Cancelei o pedido." in repair_instruction(found, "pt")
    assert "- Cancelei o pedido." in repair_instruction(found, "en")


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("protocol", [None, "BA-1"])
@pytest.mark.parametrize("known", [True, False])
def test_the_safe_reply_passes_its_own_check(language: str, protocol: str | None, known: bool) -> None:
    facts = [fact("order_status", "em trânsito", entity="order:10405", source="tool:lookup_order")] if known else []
    reply = safe_reply(language=language, facts=facts, protocol=protocol)  # type: ignore[arg-type]
    actions = [ExecutedAction(name="queue", effect_id="e", status="done", at=NOW, receipt=protocol)] if protocol else []
    assert check_claims(reply, language="pt", facts=facts, actions=actions) == ()
    assert ("10405" in reply) is known
    assert ("BA-1" in reply) is (protocol is not None)


def test_the_safe_reply_states_no_report_and_at_most_three_facts() -> None:
    reported = [fact("order_status", "não chegou", entity="order:1")]
    assert "chegou" not in safe_reply(language="pt", facts=reported)
    many = [fact("order_status", "entregue", entity=f"order:{n}", source="tool:t") for n in range(9)]
    assert safe_reply(language="pt", facts=many).count("entregue") == 3


@pytest.mark.parametrize("unit", ["Seu pedido foi cancelado. ", "o reembolso ", "pedido ", "a ", "(", "R$ 1,"])
def test_a_long_reply_is_checked_in_little_time(unit: str) -> None:
    check_claims("oi", language="pt")
    start = time.process_time()
    check_claims(unit * (20_000 // len(unit)), language="pt")
    assert time.process_time() - start < GENEROUS_S


def test_a_receipts_values_may_be_stated() -> None:
    receipt = Receipt(
        protocol="BA-9", kind="callback", at=datetime.fromisoformat("2026-11-30T14:00:00+00:00"), values={"on": "04/12"}
    )
    assert kinds("Uma pessoa da equipe te retorna até 04/12. Protocolo BA-9.", receipts=[receipt]) == []
