import pytest

from routing.choices import pick_option
from routing.clarification import VARIANTS, Subject, ask

RETURNS = Subject("returns", "a troca ou devolução de um produto")
BILLING = Subject("billing", "um pagamento ou reembolso")
SUPPORT = Subject("support", "uma entrega")


@pytest.mark.parametrize("asked", range(VARIANTS))
def test_two_subjects_are_named_in_one_question(asked):
    question = ask([RETURNS, BILLING], asked=asked, language="pt")

    assert question.by == "clarification"
    assert RETURNS.label in question.text
    assert BILLING.label in question.text
    assert question.text.count("?") == 1
    assert [option.id for option in question.options] == ["returns", "billing"]
    assert "\n" not in question.text
    assert not any(mark in question.text for mark in ("1.", "1)", "•", "- "))


@pytest.mark.parametrize("subjects", [[RETURNS, BILLING], [RETURNS], []])
@pytest.mark.parametrize("language", ["pt", "en"])
def test_it_is_never_asked_twice_in_the_same_words(subjects, language):
    texts = [ask(subjects, asked=asked, language=language).text for asked in range(VARIANTS)]

    assert len(set(texts)) == VARIANTS


def test_one_subject_is_asked_about_beside_another_matter():
    question = ask([SUPPORT], asked=0, language="pt")

    assert SUPPORT.label in question.text
    assert [option.id for option in question.options] == ["support", "other"]


def test_no_subject_is_an_open_question():
    question = ask([], asked=0, language="pt")

    assert question.options == ()
    assert question.expects == "anything"


def test_only_the_first_two_subjects_are_named():
    question = ask([RETURNS, BILLING, SUPPORT], asked=0, language="pt")

    assert SUPPORT.label not in question.text


@pytest.mark.parametrize(
    "how", [{"asked": 2, "offer_person": True}, {"asked": 0, "upset": True}, {"asked": VARIANTS}, {"asked": 9}]
)
@pytest.mark.parametrize("language", ["pt", "en"])
def test_a_person_is_offered_instead(how, language):
    question = ask([RETURNS, BILLING], language=language, **how)

    assert [option.id for option in question.options] == ["person"]
    assert RETURNS.label not in question.text
    assert pick_option("sim", question.options) == "person"
    assert pick_option("não", question.options) == "other"


def test_the_second_offer_has_other_words():
    first = ask([], asked=2, language="pt", offer_person=True)
    second = ask([], asked=3, language="pt", offer_person=True)

    assert first.text != second.text


def test_a_label_with_braces_is_only_text():
    assert "{x}" in ask([Subject("a", "{x}")], asked=0, language="pt").text
