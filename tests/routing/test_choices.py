import pytest

from routing.choices import named_option, pick_option, picks_both, restates
from routing.pending import Choice

TWO = (
    Choice(id="returns", label="a troca ou devolução de um produto"),
    Choice(id="billing", label="um pagamento ou reembolso"),
)
ONE = (Choice(id="support", label="a entrega de um pedido"), Choice(id="other", label="outro assunto"))
PERSON = (Choice(id="person", label="falar com uma pessoa"),)
NAMES = {"billing": ("Financeiro", "cobrança"), "returns": ("Devoluções e trocas",)}


@pytest.mark.parametrize(
    ("text", "options", "picked"),
    [
        ("o segundo", TWO, "billing"),
        ("a segunda opção", TWO, "billing"),
        ("2", TWO, "billing"),
        ("a 2, por favor", TWO, "billing"),
        ("opção 1", TWO, "returns"),
        ("a primeira", TWO, "returns"),
        ("the first one", TWO, "returns"),
        ("option 2", TWO, "billing"),
        ("o último", TWO, "billing"),
        ("troca", TWO, "returns"),
        ("é sobre a troca", TWO, "returns"),
        ("sobre devolução", TWO, "returns"),
        ("reembolso", TWO, "billing"),
        ("o pagamento mesmo", TWO, "billing"),
        ("financeiro", TWO, "billing"),
        ("cobrança", TWO, "billing"),
        ("outro assunto", TWO, "other"),
        ("nenhum dos dois", TWO, "other"),
        ("nenhuma", TWO, "other"),
        ("neither", TWO, "other"),
        ("something else", TWO, "other"),
        ("não", TWO, "other"),
        ("sim", TWO, None),
        ("3", TWO, None),
        ("terceira", TWO, None),
        ("produto", TWO, "returns"),
        ("sim", ONE, "support"),
        ("isso mesmo", ONE, "support"),
        ("entrega", ONE, "support"),
        ("outra coisa", ONE, "other"),
        ("não", ONE, "other"),
        ("o segundo", ONE, "other"),
        ("sim", PERSON, "person"),
        ("pode ser", PERSON, "person"),
        ("não", PERSON, "other"),
        ("quero saber do reembolso do pedido 10405 que devolvi", TWO, None),
        ("10405", TWO, None),
        ("outro assunto?", TWO, None),
        ("", TWO, None),
        ("sim", (), None),
    ],
)
def test_picking_an_option(text, options, picked):
    assert pick_option(text, options, NAMES) == picked


@pytest.mark.parametrize("text", ["os dois", "ambos", "as duas", "both", "os dois por favor"])
def test_picking_all(text):
    assert picks_both(text)


@pytest.mark.parametrize("text", ["o segundo", "sim", "os dois tênis chegaram", ""])
def test_not_picking_all(text):
    assert not picks_both(text)


@pytest.mark.parametrize(
    ("text", "question", "answers"),
    [
        ("no pix", "Você pagou no Pix, no cartão ou no boleto?", True),
        ("cartão", "Você pagou no Pix, no cartão ou no boleto?", True),
        ("boleto?", "Você pagou no Pix, no cartão ou no boleto?", False),
        ("nota fiscal", "Você pagou no Pix, no cartão ou no boleto?", False),
        ("rua das flores", "É na Rua das Flores, 35?", True),
        ("sim", "É na Rua das Flores, 35?", False),
        ("", "É na Rua das Flores, 35?", False),
    ],
)
def test_a_short_answer_in_the_questions_own_words(text, question, answers):
    assert restates(text, question) is answers


def test_a_longer_message_names_the_one_option_that_it_holds():
    assert named_option("então, é aquele reembolso que não caiu até hoje", TWO, NAMES) == "billing"
    assert named_option("troquei e quero o reembolso da troca", TWO, NAMES) is None
    assert named_option("não sei", TWO, NAMES) is None
