"""What replaces what, what contradicts what, and what is news."""

from datetime import timedelta

import pytest

from routing.facts import Fact, FactDraft, Hypothesis
from routing.learning import Learned, conflicts, index_of, learn, material, progress, still_suspected, subject
from tests.routing.builders import NOW, fact, numbers

TOOL = "tool:lookup_order"


def said(existing: tuple[Fact, ...], *drafts: FactDraft, source: str = "customer", minutes: int = 0) -> Learned:
    at = NOW + timedelta(minutes=minutes)
    return learn(existing, drafts, source=source, at=at, turn=3, new_id=numbers(f"{source}-{minutes}-"))


def order(number: str, *, corrects: bool = False) -> FactDraft:
    return FactDraft(key="order", entity=f"order:{number}", value=number, corrects=corrects)


def status(value: str) -> FactDraft:
    return FactDraft(key="order_status", entity="order:1", value=value, status="confirmed", max_age_s=600)


def active(learned: Learned) -> list[str]:
    return [item.value for item in learned.facts]


def test_two_orders_are_two_facts() -> None:
    learned = said(said((), order("10405")).facts, order("10420"))
    assert active(learned) == ["10405", "10420"]
    assert learned.replaced == ()


def test_a_correction_replaces_the_latest_and_the_replaced_one_stays_on_record() -> None:
    learned = said(said((), order("10405"), order("10431")).facts, order("10420", corrects=True), minutes=1)
    assert active(learned) == ["10405", "10420"]
    assert [(item.value, item.status) for item in learned.replaced] == [("10431", "replaced")]


def test_a_correction_in_the_same_message_is_stored_with_what_it_corrects() -> None:
    learned = said((), order("10405"), order("10420", corrects=True))
    assert active(learned) == ["10420"]
    assert [(item.value, item.status) for item in learned.added] == [("10405", "replaced"), ("10420", "reported")]


def test_a_correction_to_a_known_value_retires_the_other() -> None:
    learned = said(said((), order("10405"), order("10431")).facts, order("10405", corrects=True), minutes=1)
    assert active(learned) == ["10405"]


def test_another_value_without_a_correction_replaces_nothing() -> None:
    first = FactDraft(key="email", value="a@x.com")
    learned = said(said((), first).facts, FactDraft(key="email", value="b@x.com"))
    assert active(learned) == ["a@x.com", "b@x.com"]


def test_a_repeat_adds_nothing() -> None:
    learned = said(said((), order("10405")).facts, order("10405"))
    assert (learned.added, learned.replaced, learned.updated) == ((), (), ())


def test_a_customers_correction_does_not_touch_a_tools_reading() -> None:
    read = said((), status("em trânsito"), source=TOOL)
    word = FactDraft(key="order_status", entity="order:1", value="não chegou", corrects=True)
    assert active(said(read.facts, word)) == ["em trânsito", "não chegou"]


def test_a_tools_new_reading_replaces_its_old_one() -> None:
    learned = said(said((), status("em trânsito"), source=TOOL).facts, status("entregue"), source=TOOL, minutes=5)
    assert active(learned) == ["entregue"]
    assert [item.value for item in learned.replaced] == ["em trânsito"]


def test_the_same_reading_again_is_fresher_and_no_news() -> None:
    first = said((), status("entregue"), source=TOOL)
    again = said(first.facts, status("entregue"), source=TOOL, minutes=30)
    assert again.added == ()
    assert [item.id for item in again.facts] == [item.id for item in first.facts]
    assert again.updated[0].at == NOW + timedelta(minutes=30)


def test_another_tools_reading_stands_beside() -> None:
    learned = said(said((), status("entregue"), source=TOOL).facts, status("em trânsito"), source="tool:track")
    assert active(learned) == ["entregue", "em trânsito"]


def test_a_tool_confirms_what_the_customer_reported() -> None:
    reported = said((), FactDraft(key="payment_method", entity="order:1", value="cartão"))
    read = FactDraft(key="payment_method", entity="order:1", value="card", status="confirmed")
    learned = said(reported.facts, read, source=TOOL)
    assert [(item.source, item.status) for item in learned.facts] == [("customer", "confirmed"), (TOOL, "confirmed")]
    assert [item.value for item in learned.updated] == ["cartão"]


def test_a_customer_cannot_confirm_himself() -> None:
    claimed = FactDraft(key="refund_status", value="approved", status="confirmed")
    assert [item.status for item in said((), claimed).facts] == ["reported"]


@pytest.mark.parametrize(
    ("key", "word", "reading", "disputed"),
    [
        ("payment_method", "cartão", "Pix", True),
        ("payment_method", "cartão de crédito", "card", False),
        ("order_status", "não chegou", "entregue", True),
        ("order_status", "não chegou", "em trânsito", False),
        ("order_status", "atrasado", "em trânsito", False),
        ("address", "Rua das Flores, 35", "Rua das Flores, 35 - Campinas", False),
        ("address", "Rua das Flores, 53", "Rua das Flores, 35 - Campinas", True),
        ("mention", "Brastemp", "Consul", False),
    ],
)
def test_sources_that_disagree_are_conflicts(key: str, word: str, reading: str, disputed: bool) -> None:
    facts = [fact(key, word, entity="order:1"), fact(key, reading, entity="order:1", source=TOOL)]
    found = conflicts(facts)
    assert bool(found) is disputed
    if found:
        assert found[0].values == (("customer", word), (TOOL, reading))


def test_other_things_and_replaced_words_do_not_conflict() -> None:
    read = fact("payment_method", "pix", entity="order:1", source=TOOL)
    assert conflicts([fact("payment_method", "boleto", entity="order:2"), read]) == ()
    assert conflicts([fact("payment_method", "boleto", entity="order:1", status="replaced"), read]) == ()


def test_the_latest_word_counts() -> None:
    read = fact("payment_method", "pix", entity="order:1", source=TOOL)
    words = [fact("payment_method", "boleto", entity="order:1"), fact("payment_method", "pix", entity="order:1")]
    assert conflicts([*words, read]) == ()


@pytest.mark.parametrize(
    ("before", "after", "news"),
    [
        ([], [fact("order", "10405")], True),
        ([fact("order", "10405")], [fact("order", "10405")], False),
        ([fact("order", "10405")], [fact("order", "#10405", id="other")], False),
        ([fact("tracking", "AA1")], [fact("tracking", "AA1", source=TOOL)], True),
        ([], [fact("answer", "quero resolver"), fact("mention", "Ana")], False),
        ([], [fact("order_status", "entregue", source=TOOL)], True),
    ],
)
def test_progress_is_a_new_key_value_or_source(before: list[Fact], after: list[Fact], news: bool) -> None:
    assert progress(before, after) is news


def test_material_counts_distinct_news() -> None:
    assert material([fact("order", "1"), fact("order", "2"), fact("answer", "oi")]) == 2


@pytest.mark.parametrize(
    ("settling", "left"),
    [
        (fact("subscription", "ativa", source=TOOL), 0),
        (fact("subscription", "cancelada", source="customer"), 1),
        (fact("subscription", "ativa", source=TOOL, status="replaced"), 1),
        (fact("other", "x", source=TOOL), 1),
        (fact("undeclared", "x", source=TOOL), 1),
    ],
)
def test_only_a_tools_declared_key_settles_a_hypothesis(settling: Fact, left: int) -> None:
    suspicion = Hypothesis(key="subscription", value="cancelada", confidence=0.6, author="support", at=NOW)
    odd = suspicion.model_copy(update={"key": "undeclared"})
    remaining = still_suspected([suspicion, odd], [settling], tool_keys={"subscription", "other"})
    assert len([item for item in remaining if item.key == "subscription"]) == left
    assert odd in remaining


def test_the_subject_is_its_entities_their_parts_and_the_customer() -> None:
    facts = [
        fact("order", "1", entity="order:1"), fact("item", "tênis", entity="item:1/2"), fact("order", "11", entity="order:11"),
        fact("email", "a@x.com"), fact("email", "old@x.com", status="replaced"),
    ]  # fmt: skip
    assert [item.value for item in subject(facts, ["order:1"])] == ["1", "tênis", "a@x.com"]


def test_over_the_limit_loose_words_go_first() -> None:
    facts = [fact("answer", f"a{n}") for n in range(5)] + [
        fact("email", "a@x.com"),
        fact("order", "1", entity="order:1"),
    ]
    assert [item.value for item in subject(facts, ["order:1"], 3)] == ["a4", "a@x.com", "1"]


def test_the_index_counts_what_is_not_shown() -> None:
    facts = [fact("order", "1"), fact("order", "2"), fact("amount", "3"), fact("amount", "4", status="replaced")]
    assert index_of(facts, facts[:1]) == {"amount": 1, "order": 1}
