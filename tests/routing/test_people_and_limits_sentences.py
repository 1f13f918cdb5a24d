"""The fixed sentences about people and limits: both languages, the same values, and nothing machine-like."""

import re
import string

import pytest

from routing.claims_patterns import internals
from routing.sentences import limits, people, say

TABLES = [("people", people.PT, people.EN), ("limits", limits.PT, limits.EN)]
FOR_MODELS = {"not_grounded", "write_beside_not_mine", "one_write_at_a_time", "rejected_again", "repeated_call"}
WITH_A_PERSON = {
    "self_handoff", "loop_without_progress", "hop_limit", "model_calls", "tool_repeats", "clarifications", "budget",
    "conversation_budget", "timeout", "attempts", "failure", "provider_down", "empty_answer", "refused_twice", "effect_unknown",
    "transfer_failed",
}  # fmt: skip


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize(("domain", "pt", "en"), TABLES)
def test_both_languages_have_every_sentence_with_the_same_values(
    domain: str, pt: dict[str, str], en: dict[str, str]
) -> None:
    assert set(pt) == set(en)
    assert {name: fields(text) for name, text in pt.items()} == {name: fields(text) for name, text in en.items()}, (
        domain
    )


@pytest.mark.parametrize(("domain", "pt", "en"), TABLES)
def test_a_sentence_is_filled_and_shows_no_machinery(domain: str, pt: dict[str, str], en: dict[str, str]) -> None:
    for language, table in (("pt", pt), ("en", en)):
        for name, text in table.items():
            said = say(f"{domain}.{name}", language, **dict.fromkeys(fields(text), "XX"))  # type: ignore[arg-type]
            assert said
            assert not re.search(r"[{}_]", said)
            assert not internals().search(said)


def test_every_ending_with_a_person_gives_a_protocol() -> None:
    for name in WITH_A_PERSON:
        assert "protocol" in fields(limits.PT[name]), name


def test_the_queue_sentence_says_when_by_whom_and_under_which_protocol() -> None:
    said = say("people.queued", "pt", who="da Loja", when="amanhã às 9h", protocol="BA-1")
    assert all(part in said for part in ("da Loja", "amanhã às 9h", "BA-1", "pessoa"))
    assert said.count(". ") == 1


def test_asking_for_a_person_also_asks_for_the_order_and_the_reason() -> None:
    said = say("people.asked_person", "pt", when="em minutos", protocol="BA-1")
    assert "número do pedido" in said
    assert "o que aconteceu" in said


def test_what_models_read_is_not_among_the_customers_endings() -> None:
    assert set(limits.PT) >= FOR_MODELS
    assert not FOR_MODELS & WITH_A_PERSON
