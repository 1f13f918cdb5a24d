"""What a reader by examples adds to the rules, and what it cannot do."""

import pytest
from pydantic import ValidationError

from routing.sensing import ASKED, with_sensed, worth_reading
from routing.sensitive import DEFAULT_TOPICS, ByExample, topic_of
from routing.turn_taking import take_turn
from tests.routing.test_turn_taking import PROPOSAL, STREET, view


class ScriptedReader:
    """Finds a sign in every text that holds its word, and keeps what it was asked."""

    def __init__(self, **signs):
        self.signs, self.asked = signs, []

    async def read(self, texts):
        self.asked.append(tuple(texts))
        return frozenset(sign for sign, word in self.signs.items() if any(word in text for text in texts))


async def ruled(*messages, reader, **changes):
    ruling = take_turn(await with_sensed(view(*messages, **changes), reader))
    return () if ruling is None else (ruling.target, ruling.reason, ruling.topic, ruling.detail)


async def test_a_topic_that_no_pattern_spells_goes_to_a_person():
    reader = ScriptedReader(fraud="no meu nome")

    found = await ruled("tem um estranho recebendo no meu nome", reader=reader)

    assert found == ("person", "sensitive", "fraud", "by_example")


async def test_a_reader_that_finds_nothing_vetoes_no_pattern():
    assert await ruled("vou no Procon amanhã", reader=ScriptedReader()) == ("person", "sensitive", "legal_threat", None)


async def test_of_pattern_and_example_the_more_urgent_counts():
    reader = ScriptedReader(self_harm="não vou estar aqui")

    found = await ruled("vou no Procon, mas amanhã não vou estar aqui", reader=reader)

    assert found == ("person", "sensitive", "self_harm", "by_example")


async def test_what_the_patterns_spell_too_was_not_found_by_example():
    reader = ScriptedReader(legal_threat="Procon")

    assert await ruled("vou no Procon amanhã", reader=reader) == ("person", "sensitive", "legal_threat", None)


async def test_a_wish_for_a_person_is_honoured():
    found = await ruled("quero que leiam isso com calma", reader=ScriptedReader(**{ASKED: "leiam"}))

    assert found == ("person", "asked_for_human", None, "by_example")


async def test_a_topic_goes_before_the_wish_for_a_person():
    reader = ScriptedReader(**{ASKED: "leiam", "minor": "leiam"})

    assert (await ruled("quero que leiam isso com calma", reader=reader))[:2] == ("person", "sensitive")


@pytest.mark.parametrize("sign", ["recall", "legal_threat"])
async def test_a_topic_that_is_not_in_the_table_is_ignored(sign):
    fraud_only = (topic_of(DEFAULT_TOPICS, "fraud"),)

    assert await ruled("conto com vocês amanhã", reader=ScriptedReader(**{sign: "conto"}), sensitive=fraud_only) == ()


async def test_a_topic_is_read_again_without_the_figure_of_speech():
    reader = ScriptedReader(self_harm="matar")

    sensed = (await with_sensed(view("vou me matar de rir com o vídeo"), reader)).sensed

    assert sensed == frozenset()
    assert len(reader.asked) == 2
    assert "matar" not in reader.asked[1][0]


@pytest.mark.parametrize("text", ["nem quero falar com atendente, leiam o pedido", "> quero falar com atendente"])
async def test_a_refusal_and_a_quotation_are_no_wish(text):
    sensed = (await with_sensed(view(text), ScriptedReader(**{ASKED: "atendente"}))).sensed

    assert sensed == frozenset()


async def test_what_stands_beside_a_figure_of_speech_still_counts():
    reader = ScriptedReader(self_harm="sumir da terra")

    sensed = (await with_sensed(view("to morrendo de raiva e amanha vou sumir da terra"), reader)).sensed

    assert sensed == {"self_harm"}


async def test_where_a_person_speaks_nothing_is_read():
    reader = ScriptedReader(fraud="cartão")

    assert (await ruled("levaram o meu cartão hoje", reader=reader, held=True))[:2] == ("person", "held_by_human")
    assert reader.asked == []


@pytest.mark.parametrize(
    "text", ["oi", "bom dia, tudo bem?", "obrigada pela ajuda!", "sim", "não", "10405", "sim, pode abrir", ""]
)
def test_what_says_too_little_is_not_read(text):
    assert worth_reading(view(text)) == ()


def test_two_bubbles_are_read_together_too():
    assert worth_reading(view("hoje eu decidi", "que vou embora daqui")) == (
        "hoje eu decidi",
        "que vou embora daqui",
        "hoje eu decidi que vou embora daqui",
    )


async def test_without_a_reader_the_view_is_as_it_was():
    given = view("tem um estranho recebendo no meu nome")

    assert await with_sensed(given, None) is given


async def test_a_topic_goes_before_a_proposal_and_a_question():
    reader = ScriptedReader(safety="faísca")
    waiting = {"current": "support", "proposal": PROPOSAL, "proposal_asked_last": True, "question": STREET}

    assert (await ruled("sim, mas deu faísca aqui agora", reader=reader, **waiting))[:2] == ("person", "sensitive")


def test_each_sign_may_ask_for_its_own_probability():
    sure = ByExample(threshold=0.8, thresholds={"safety": 0.5})

    assert (sure.enough("safety"), sure.enough("fraud")) == (0.5, 0.8)


@pytest.mark.parametrize("wrong", [{"threshold": 0}, {"threshold": 1.5}, {"unknown": 1}])
def test_a_wrong_setting_is_refused(wrong):
    with pytest.raises(ValueError, match="ByExample"):
        ByExample(**wrong)


@pytest.mark.parametrize("threshold", [7, 0, -1])
def test_a_threshold_that_would_read_nobody_or_everybody_is_refused(threshold):
    with pytest.raises(ValidationError, match="self_harm"):
        ByExample(thresholds={"self_harm": threshold})
