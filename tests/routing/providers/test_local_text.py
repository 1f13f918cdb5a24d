import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.providers.local_lexicon import concepts
from routing.providers.local_ngrams import learn_vocabulary, phrases, pieces
from routing.providers.local_spelling import Speller, learn_words, sound
from routing.providers.local_text import MESSAGE_CHARS, PARTS, parts, point, spelt_out
from routing.text import fold

# CPU seconds that only a blow-up passes; no test measures speed.
GENEROUS_S = 30.0


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("kd meu ped q n chegou", "cadê meu pedido que não chegou"),
        ("vc ta me ouvindo?", "você está me ouvindo?"),
        ("Pedido 1040512345 não chegou", "Pedido 12345 não chegou"),
        ("rastreio BR123456789BR", "rastreio 12345"),
        ("cobraram R$ 1.299,90 a mais", "cobraram R$ 100 a mais"),
        ("cobraram 89,90 reais", "cobraram R$ 100"),
        ("fala com ana@exemplo.com", "fala com e-mail"),
        ("veja https://exemplo.com/x?y=1 agora", "veja link agora"),
        ("SOCORROOOO!!! CADÊ", "socorro! cadê"),
        ("é sério kkkkk", "é sério"),
        ("I want to return it, please", "I want to return it, please"),
        ("A geladeira e o tênis da minha avó", "A produto e o produto da minha avó"),
        ("my boots", "my product"),
        ("", ""),
        ("\0\ud800", ""),
    ],
)
def test_what_the_encoder_reads(text: str, read: str) -> None:
    assert spelt_out(text) == read


@given(st.text(max_size=400))
def test_it_is_bounded_and_one_line(text: str) -> None:
    read = spelt_out(text)
    assert "\n" not in read
    assert len(read) <= MESSAGE_CHARS + 1
    assert len(parts(read)) <= PARTS
    assert point(read).strip() == point(read)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("não é sobre o frete, é a devolução que quero", "é a devolução que quero"),
        ("O pagamento está certo, mas a caixa não veio", "mas a caixa não veio"),
        ('Disseram "seu pedido foi entregue ontem", mas não recebi nada', "Disseram , mas não recebi nada"),
        ("Oi, bom dia! me ajuda, por favor, a caixa veio vazia", "a caixa veio vazia"),
        ("oi, bom dia!", "oi, bom dia!"),
        ("não quero trocar", "não quero trocar"),
        ("não recebi meu pedido, quero saber dele", "não recebi meu pedido, quero saber dele"),
    ],
)
def test_what_a_message_is_about(text: str, about: str) -> None:
    assert point(text) == about


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("quero trocar a blusa", []),
        ("Quero trocar a blusa. Cadê o reembolso?", ["Quero trocar a blusa.", "Cadê o reembolso?"]),
        ("quero trocar a blusa e preciso da nota fiscal", ["quero trocar a blusa", "preciso da nota fiscal"]),
    ],
)
def test_sentences_and_clauses(text: str, split: list[str]) -> None:
    assert parts(text) == split


@pytest.mark.parametrize(
    ("given_word", "known"),
    [
        ("reenbolço", "reembolso"),
        ("intrega", "entrega"),
        ("devouver", "devolver"),
        ("caxa", "caixa"),
        ("xegou", "chegou"),
        ("cumprei", "comprei"),
    ],
)
def test_what_sounds_alike_is_the_same_word(given_word: str, known: str) -> None:
    speller = Speller((known,))
    assert speller.correct(f"o {given_word} aqui", exists=lambda _: False) == f"o {known} aqui"


@pytest.mark.parametrize(
    ("typed", "known"),
    [("bolteo", "boleto"), ("rastrio", "rastreio"), ("pedidoo", "pedido"), ("reembolzo", "reembolso")],
)
def test_one_slip_leads_back_to_a_word_of_the_trade(typed: str, known: str) -> None:
    assert Speller((known,)).correct(typed, exists=lambda _: False) == known


@pytest.mark.parametrize("word", ["madeira", "wheel", "vendeu"])
def test_a_word_that_exists_is_left_alone(word: str) -> None:
    assert Speller(("cadeira", "veio", "venceu")).correct(word, exists=lambda _: True) == word


def test_words_are_learned_by_use() -> None:
    assert learn_words(["pedido atrasado", "pedido", "meu pedido", "bolteo"]).words == ("pedido",)


@given(st.text(max_size=30))
def test_any_word_has_a_sound(word: str) -> None:
    assert len(sound(word)) <= 4 * len(word) + 4


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("quero trocar o tenis", ["exchange", "product"]),
        ("nao quero trocar", ["!exchange"]),
        ("cade meu reembolso", ["not_arrived", "refund"]),
        ("fui cobrado duas vezes no cartao", ["charge", "twice", "card"]),
        ("i was charged twice", ["charge", "twice"]),
        ("abacaxi", []),
    ],
)
def test_concepts_are_found_in_their_order(text: str, named: list[str]) -> None:
    found = concepts(text)
    assert [name for name in found if name in named] == named
    assert bool(found) is bool(named)


def test_rows_have_unit_length_and_unknown_terms_no_place() -> None:
    vocabulary = learn_vocabulary(["abacaxi doce", "abacaxi azedo"])
    columns, values = vocabulary.row("abacaxi")
    pieces_and_words = [
        value for column, value in zip(columns, values, strict=True) if not vocabulary.terms[column].startswith("@")
    ]
    assert sum(value * value for value in pieces_and_words) == pytest.approx(2.0)
    assert [vocabulary.terms[column] for column in vocabulary.row("xyz qwv")[0]] == ["@none"]


def test_pieces_stay_within_words() -> None:
    assert " oi " in pieces("oi")
    assert not any("i t" in piece for piece in pieces("oi tchau"))
    assert set(phrases("oi tchau")) == {"=oi", "=tchau", "=oi=tchau"}


@pytest.mark.parametrize(
    "text",
    [
        "a" * 8000,
        "não é " * 1500,
        '"' * 8000,
        "1." * 4000,
        "e o " * 2000,
        "oi " * 2600 + "x",
        "com a de " * 900 + "x",
        "bom dia " * 1000,
        "x@" * 4000,
        ", " * 4000,
    ],
)
def test_long_text_is_read_in_good_time(text: str) -> None:
    began = time.process_time()
    read = point(spelt_out(text))
    parts(read)
    concepts(fold(read))
    assert time.process_time() - began < GENEROUS_S
