"""DESIGN section 2, step 1: the rules in their order, and what each belongs to."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from routing.addressing import Member
from routing.pending import Choice, OpenTopic, PendingQuestion, Proposal
from routing.turn_taking import TurnView, joined, take_turn

# CPU seconds that only a blow-up passes; no test measures speed.
GENEROUS_S = 30.0

AT = datetime(2026, 11, 30, 14, tzinfo=UTC)
ROSTER = (
    Member("returns", ("Devoluções e trocas", "Returns and exchanges"), ("trocas", "devolução")),
    Member("support", ("Entregas e cadastro", "Deliveries and account"), ("entregas", "entrega")),
    Member("billing", ("Financeiro", "Billing"), ("financeiro", "cobrança")),
)
PROPOSAL = Proposal(
    id="p1", tool="update_address", args={}, digest="d", summary="trocar o endereço do pedido 10431 para Rua das Flores, 354",
    proposed_by="support", asked_at=AT, expires_at=AT + timedelta(hours=1),
)  # fmt: skip
STREET = PendingQuestion(by="billing", text="É na Rua das Flores, 35?", expects="yes_no")
NUMBER = PendingQuestion(by="support", text="Qual é o número do pedido?", expects="identifier")
WHICH = PendingQuestion(
    by="clarification", text="É sobre uma troca ou sobre um pagamento?", expects="choice",
    options=(Choice(id="returns", label="uma troca"), Choice(id="billing", label="um pagamento")),
)  # fmt: skip
OFFER = PendingQuestion(
    by="clarification", text="Quer que eu chame uma pessoa?", expects="yes_no", options=(Choice(id="person", label="falar com uma pessoa"),)
)  # fmt: skip
TOPIC = OpenTopic(text="cadê o reembolso do outro?", target="billing", at=AT)


def view(*messages, **changes):
    return TurnView(messages=messages, **{"roster": ROSTER, **changes})


def asked(*messages, **changes):
    return view(*messages, current="support", proposal=PROPOSAL, proposal_asked_last=True, **changes)


def ruled(*messages, **changes):
    ruling = take_turn(view(*messages, **changes))
    return None if ruling is None else (ruling.target, ruling.reason)


# --- the order ---------------------------------------------------------------------------------------------------------

EVERYTHING = {
    "held": True, "current": "support", "question": STREET, "proposal": PROPOSAL, "proposal_asked_last": True, "override": "returns",
}  # fmt: skip


def test_held_goes_before_everything():
    assert ruled("vou me matar", **EVERYTHING) == ("person", "held_by_human")


@pytest.mark.parametrize(
    ("message", "changes", "expected"),
    [
        ("vou me matar, quero um atendente", {}, ("person", "sensitive")),
        ("quero um atendente", {"proposal": PROPOSAL, "proposal_asked_last": True}, ("person", "asked_for_human")),
        ("sim", {"proposal": PROPOSAL, "proposal_asked_last": True}, ("support", "pending_confirmation")),
        ("sim", {"proposal": PROPOSAL, "question": STREET}, ("billing", "pending_question")),
        ("10405", {"question": NUMBER, "override": "returns"}, ("support", "pending_question")),
        ("obrigada", {"override": "returns"}, ("courtesy", "courtesy")),
        ("Financeiro: cadê?", {"override": "returns"}, ("returns", "override")),
        ("Financeiro: cadê?", {}, ("billing", "addressed_by_name")),
        ("Financeiro: cadê?", {"roster": ROSTER[:1]}, ("returns", "only_agent")),
        ("cadê meu pedido?", {"roster": ROSTER[:1]}, ("returns", "only_agent")),
        ("cadê meu pedido?", {"roster": ROSTER[:1], "override": "returns"}, ("returns", "override")),
        ("10405", {"current": "billing"}, ("billing", "continuity")),
        ("sim", {"current": "billing"}, ("billing", "continuity")),
        ("cadê meu pedido?", {"current": "billing"}, None),
        ("cadê meu pedido?", {"question": NUMBER, "current": "support"}, None),
        ("10405", {}, None),
        ("sim", {}, None),
        ("cadê meu pedido?", {"override": "gone"}, None),
    ],
)
def test_the_order_of_the_rules(message, changes, expected):
    assert ruled(message, **changes) == expected


# --- sensitive and a person ----------------------------------------------------------------------------------------------


def test_a_sensitive_topic_is_named():
    ruling = take_turn(view("clonaram meu cartão"))

    assert ruling is not None
    assert ruling.topic == "fraud"


@pytest.mark.parametrize(
    "messages", [("oi", "vou me matar", "obrigada"), ("sim", "o carregador explodiu na minha mão"), ("quero", "morrer")]
)
def test_a_sensitive_message_counts_in_any_of_several(messages):
    ruling = take_turn(asked(*messages))

    assert ruling is not None
    assert ruling.reason == "sensitive"


def test_the_most_urgent_of_several_messages_counts():
    ruling = take_turn(view("vou no Procon", "vou me matar"))

    assert ruling is not None
    assert ruling.topic == "self_harm"


def test_asking_for_a_person_counts_in_any_of_several():
    assert ruled("sim", "quero falar com gente", proposal=PROPOSAL, proposal_asked_last=True) == (
        "person",
        "asked_for_human",
    )


@pytest.mark.parametrize(
    "message", ["o atendente de ontem me prometeu o reembolso", "não quero atendente, só o código"]
)
def test_speaking_of_an_attendant_is_no_request(message):
    assert ruled(message) is None


# --- a proposal ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "answer"),
    [
        (("sim",), "yes"),
        (("pode trocar o endereço",), "yes"),
        (("👍",), "yes"),
        (("ok",), "yes"),
        (("sim", "obrigada"), "yes"),
        (("oi", "sim"), "yes"),
        (("sim", "👍"), "yes"),
        (("não",), "no"),
        (("sim", "não, espera"), "no"),
        (("não", "cadê o 10405?"), "no"),
        (("aliás cadê o 10405?", "não precisa"), "no"),
        (("sim, mas no outro endereço",), "amended"),
        (("sim, número 254",), "amended"),
        (("obrigada",), None),
        (("entendi",), None),
        (("?",), None),
        (("",), None),
    ],
)
def test_an_answer_to_the_proposal(messages, answer):
    ruling = take_turn(asked(*messages))

    assert ruling is not None
    assert (ruling.target, ruling.reason, ruling.answer) == ("support", "pending_confirmation", answer)


@pytest.mark.parametrize(
    "messages",
    [
        ("sim", "aliás cadê o 10405?"),
        ("sim", "sim"),
        ("cadê meu reembolso?",),
        ("sim, e cadê o 10405 do outro mês?",),
        ("pode ser que sim",),
        ("sim", "10405"),
    ],
)
def test_what_is_no_single_bare_yes_executes_nothing(messages):
    ruling = take_turn(asked(*messages))

    assert ruling is None or ruling.answer is None


def test_a_yes_belongs_to_the_question_that_was_asked_last():
    ruling = take_turn(view("sim", current="billing", question=STREET, proposal=PROPOSAL))

    assert ruling is not None
    assert (ruling.target, ruling.reason) == ("billing", "pending_question")


def test_a_yes_to_two_questions_at_once_executes_nothing():
    ruling = take_turn(asked("sim", question=STREET))

    assert ruling is not None
    assert (ruling.target, ruling.reason) == ("billing", "pending_question")


def test_a_question_of_the_proposer_itself_is_the_proposal():
    ruling = take_turn(asked("sim", question=PendingQuestion(by="support", text="Posso trocar?", expects="yes_no")))

    assert ruling is not None
    assert ruling.answer == "yes"


@pytest.mark.parametrize("message", ["ok", "👍", "beleza", "obrigada"])
def test_a_nod_after_an_explanation_is_asked_again(message):
    ruling = take_turn(asked(message, explained_beside=True))

    assert ruling is not None
    assert (ruling.reason, ruling.answer) == ("pending_confirmation", None)


def test_a_firm_yes_counts_after_an_explanation_too():
    ruling = take_turn(asked("pode trocar", explained_beside=True))

    assert ruling is not None
    assert ruling.answer == "yes"


@pytest.mark.parametrize("message", ["tchau", "obrigada, tchau", "oi"])
def test_a_greeting_and_a_goodbye_leave_the_proposal_alone(message):
    ruling = take_turn(asked(message))

    assert ruling is not None
    assert (ruling.target, ruling.answer) == ("courtesy", None)


def test_a_proposal_of_a_specialist_that_is_gone_confirms_nothing():
    gone = PROPOSAL.model_copy(update={"proposed_by": "sales"})

    ruling = take_turn(view("sim", current="support", proposal=gone, proposal_asked_last=True))

    assert ruling is not None
    assert (ruling.target, ruling.answer) == ("support", None)


# --- a question ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    ["10405", "pedido 10405", "AA123456789BR", "ana@example.com", "01310-100", "sim", "não", "pode ser", "", "?"],
)
def test_a_bare_answer_stays_with_the_one_who_asked(message):
    assert ruled(message, question=NUMBER, current="billing") == ("support", "pending_question")


@pytest.mark.parametrize("messages", [("10405", "obrigada"), ("oi", "10405"), ("", "10405")])
def test_courtesy_and_a_photo_beside_a_bare_answer_change_nothing(messages):
    assert ruled(*messages, question=NUMBER, current="support") == ("support", "pending_question")


def test_an_answer_in_the_questions_words_stays():
    question = PendingQuestion(by="returns", text="Foi no Pix ou no cartão?")

    assert ruled("no pix", question=question, current="returns") == ("returns", "pending_question")


@pytest.mark.parametrize(
    "message",
    ["e o rastreio do outro pedido?", "não, quero saber do reembolso", "nota fiscal", "sim, e cadê o reembolso?"],
)
def test_what_says_more_goes_to_the_provider(message):
    assert ruled(message, question=NUMBER, current="support") is None


def test_a_choice_among_a_specialists_options():
    options = (Choice(id="10405/1", label="tênis"), Choice(id="10405/2", label="meia"))
    question = PendingQuestion(by="returns", text="Qual dos dois?", options=options, expects="choice")

    ruling = take_turn(view("o segundo", question=question))

    assert ruling is not None
    assert (ruling.target, ruling.reason, ruling.choice) == ("returns", "pending_question", "10405/2")


@pytest.mark.parametrize("message", ["obrigada", "beleza", "👍"])
def test_thanks_to_a_yes_no_question_are_for_the_one_who_asked(message):
    assert ruled(message, question=STREET, current="billing") == ("billing", "pending_question")
    offer = PendingQuestion(by="billing", text="Quer que eu veja outro pedido?")
    assert ruled(message, question=offer, current="billing") == ("billing", "pending_question")


@pytest.mark.parametrize("message", ["obrigada", "oi", "bom dia", "tchau"])
def test_courtesy_does_not_answer_an_open_question(message):
    assert ruled(message, question=NUMBER, current="support") == ("courtesy", "courtesy")


def test_a_question_of_a_specialist_that_is_gone_waits_no_more():
    gone = NUMBER.model_copy(update={"by": "sales"})

    assert ruled("10405", question=gone) is None
    assert ruled("10405", question=gone, current="billing") == ("billing", "continuity")


# --- a clarification -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "target", "choice"),
    [
        ("o segundo", "billing", "billing"),
        ("a troca", "returns", "returns"),
        ("financeiro", "billing", "billing"),
        ("2", "billing", "billing"),
        ("outro assunto", "clarification", "other"),
        ("nenhum dos dois", "clarification", "other"),
        ("não", "clarification", "other"),
    ],
)
def test_a_pick_routes(message, target, choice):
    ruling = take_turn(view(message, question=WHICH))

    assert ruling is not None
    assert (ruling.target, ruling.reason, ruling.choice) == (target, "chose_option", choice)


def test_both_are_one_after_the_other():
    ruling = take_turn(view("os dois", question=WHICH))

    assert ruling is not None
    assert ruling.target == "returns"
    assert [(mention.target, mention.text) for mention in ruling.others] == [("billing", "um pagamento")]


def test_an_offered_person_is_called_by_a_yes():
    assert ruled("sim", question=OFFER) == ("person", "chose_option")
    assert ruled("não", question=OFFER) == ("clarification", "chose_option")


def test_a_pick_beside_courtesy():
    assert ruled("oi", "o segundo", question=WHICH) == ("billing", "chose_option")


def test_an_option_whose_specialist_is_gone_cannot_be_picked():
    assert ruled("o segundo", question=WHICH, roster=ROSTER[:2]) is None


def test_a_longer_answer_to_a_clarification_goes_to_the_provider():
    assert ruled("fui cobrada duas vezes no pedido 10405", question=WHICH) is None


# --- courtesy ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "kind"),
    [
        (("oi",), "greeting"),
        (("oi", "tudo bem?"), "greeting"),
        (("obrigada 👍",), "thanks"),
        (("valeu", "tchau"), "goodbye"),
        (("ok",), "acknowledgement"),
    ],
)
def test_courtesy_alone(messages, kind):
    ruling = take_turn(view(*messages, current="support"))

    assert ruling is not None
    assert (ruling.target, ruling.reason, ruling.courtesy, ruling.nothing_due) == ("courtesy", "courtesy", kind, False)


@pytest.mark.parametrize(
    ("message", "last", "nothing_due"),
    [
        ("obrigada", None, False),
        ("obrigada", "greeting", False),
        ("obrigada", "thanks", True),
        ("obrigada", "goodbye", True),
        ("ok", "thanks", True),
        ("ok", "acknowledgement", True),
        ("tchau", "thanks", False),
        ("tchau", "goodbye", True),
        ("obrigada", "acknowledgement", False),
        ("oi", "goodbye", False),
        ("oi", "greeting", False),
    ],
)
def test_the_second_thanks_need_no_reply(message, last, nothing_due):
    ruling = take_turn(view(message, last_courtesy=last))

    assert ruling is not None
    assert ruling.nothing_due is nothing_due


def test_news_beside_thanks_is_courtesy_unless_a_question_waits():
    news = "recebi ontem, obrigada"

    assert ruled(news) == ("courtesy", "courtesy")
    assert ruled(news, question=NUMBER, current="support") is None
    assert ruled(news, current="support", proposal=PROPOSAL, proposal_asked_last=True) is None


def test_courtesy_beside_a_request_is_no_courtesy():
    assert ruled("oi", "cadê meu pedido?") is None


# --- an open topic -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", ["ok", "obrigada", "e o outro?", "pode seguir", "sim", "oi"])
def test_a_subject_that_waits_is_taken_up_at_a_nod(message):
    assert ruled(message, open_topic=TOPIC, current="returns") == ("billing", "open_topic")


@pytest.mark.parametrize("message", ["tchau", "obrigada, tchau"])
def test_a_goodbye_takes_up_nothing(message):
    assert ruled(message, open_topic=TOPIC, current="returns") == ("courtesy", "courtesy")


def test_a_new_request_is_for_the_provider():
    assert ruled("cadê meu pedido?", open_topic=TOPIC, current="returns") is None


def test_a_question_goes_before_the_subject_that_waits():
    assert ruled("10405", open_topic=TOPIC, question=NUMBER) == ("support", "pending_question")


@pytest.mark.parametrize("target", [None, "sales"])
def test_a_topic_for_nobody_waits(target):
    topic = TOPIC.model_copy(update={"target": target})

    assert ruled("ok", open_topic=topic) == ("courtesy", "courtesy")


# --- names ---------------------------------------------------------------------------------------------------------------


def test_the_second_name_is_an_open_topic():
    ruling = take_turn(view("Trocas, quero trocar o tênis. Financeiro, cadê o reembolso?"))

    assert ruling is not None
    assert (ruling.target, ruling.reason) == ("returns", "addressed_by_name")
    assert [(mention.target, mention.text) for mention in ruling.others] == [("billing", "cadê o reembolso")]
    assert ruling.detail == "returns, billing"


def test_names_count_over_several_messages():
    ruling = take_turn(view("@Financeiro cadê?", "@Trocas e a troca?"))

    assert ruling is not None
    assert ruling.target == "billing"
    assert [mention.target for mention in ruling.others] == ["returns"]


# --- rooms ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "room", "changes", "expected"),
    [
        ("cadê?", ("support",), {}, ("support", "only_agent")),
        ("cadê?", ("support", "courtesy"), {}, ("support", "only_agent")),
        ("cadê?", ("support", "out_of_scope"), {}, None),
        ("cadê?", ("support", "clarification"), {}, None),
        ("cadê?", ("support", "billing"), {}, None),
        ("cadê?", ("out_of_scope",), {}, ("out_of_scope", "only_agent")),
        ("Trocas, cadê?", ("support", "billing"), {}, None),
        ("Financeiro, cadê?", ("support", "billing"), {}, ("billing", "addressed_by_name")),
        ("oi", ("support", "billing"), {}, ("support", "fallback_undecided")),
        ("oi", ("support", "billing"), {"current": "billing"}, ("billing", "fallback_undecided")),
        ("oi", ("support", "courtesy"), {}, ("courtesy", "courtesy")),
        ("atendente", ("support", "billing"), {}, ("person", "asked_for_human")),
        ("vou me matar", ("support", "billing"), {}, ("person", "sensitive")),
        ("sim", ("support", "returns"), {"question": STREET}, None),
        ("outro assunto", ("returns", "billing"), {"question": WHICH}, ("returns", "chose_option")),
    ],
)
def test_a_room_restricts_who_may_answer(message, room, changes, expected):
    assert ruled(message, room=room, **changes) == expected


@pytest.mark.parametrize(
    "word",
    [
        "trocas ",
        "financeiro, ",
        "quero ",
        "não ",
        "por favor ",
        "oi ",
        "e ",
        "> ",
        "10405 ",
        "sim mas ",
        "me passa pra ",
    ],
)
def test_a_hostile_message_takes_no_time(word):
    started = time.process_time()

    take_turn(asked((word * 4000)[:4000]))

    assert time.process_time() - started < GENEROUS_S


def test_joined_keeps_the_order_and_drops_what_is_blank():
    assert joined(view("oi", "", "cadê meu pedido?")) == "oi\ncadê meu pedido?"
