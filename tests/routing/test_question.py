import pytest

from routing.question import build_question, question_hash

ROSTER = [("returns", "gives back"), ("support", "where it is"), ("billing", "charges")]


def test_options_are_the_roster_then_out_of_scope_then_needs_question():
    assert build_question(ROSTER).ids == ("returns", "support", "billing", "out_of_scope", "needs_question")


def test_each_specialist_keeps_its_role():
    question = build_question(ROSTER)

    assert [option.role for option in question.options[:3]] == ["gives back", "where it is", "charges"]


@pytest.mark.parametrize(
    "roster",
    [
        [],
        [("support", "a"), ("support", "b")],
        [("out_of_scope", "a")],
        [("needs_question", "a")],
        [("person", "a")],
        [("clarification", "a")],
    ],
)
def test_a_roster_that_cannot_be_asked_about_is_refused(roster):
    with pytest.raises(ValueError, match=r"specialist|reserved"):
        build_question(roster)


def test_the_hash_is_stable():
    assert question_hash(build_question(ROSTER)) == question_hash(build_question(list(ROSTER)))


@pytest.mark.parametrize(
    "other",
    [
        ROSTER[::-1],
        [*ROSTER, ("retention", "keeps")],
        [("returns", "gives back!"), *ROSTER[1:]],
        [("return", "gives back"), *ROSTER[1:]],
    ],
)
def test_the_hash_changes_with_order_options_and_wording(other):
    assert question_hash(build_question(other)) != question_hash(build_question(ROSTER))


def test_the_hash_reads_the_instructions_too():
    question = build_question(ROSTER)

    assert question_hash(question) != question_hash(question.model_copy(update={"instructions": "Who?"}))
