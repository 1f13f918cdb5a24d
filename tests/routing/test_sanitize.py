import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.sanitize import CUT_TEXT, clean, luhn_valid

# CPU seconds that only a blow-up passes; no test measures speed.
GENEROUS_S = 30.0

CARDS = [
    "4111111111111111",
    "5555555555554444",
    "378282246310005",
    "30569309025904",
    "6011111111111117",
    "4222222222222",
    "6304000000000000000",
]


@pytest.mark.parametrize("number", CARDS)
@pytest.mark.parametrize("shape", ["{}", "meu cartão é {}, ok?", "10405 {}", "cartão:{}.", "({})"])
def test_a_card_keeps_its_last_four(number, shape):
    cleaned = clean(shape.format(number))

    assert cleaned.text == shape.format(f"cartão final {number[-4:]}")
    assert cleaned.removed == ("card",)


@pytest.mark.parametrize("gap", [" ", "-", ".", "\u00a0", "\u200b", " - ", "\n", "\u2013"])
def test_separators_hide_no_card(gap):
    assert clean(gap.join(["4111", "1111", "1111", "1111"])).text == "cartão final 1111"


@pytest.mark.parametrize(
    "written",
    ["4111 1111 11111111", "41 11 11 11 11 11 11 11", "3782 822463 10005", "４１１１１１１１１１１１１１１１"],
)
def test_other_ways_to_write_a_card(written):
    cleaned = clean(written)

    assert cleaned.removed == ("card",)
    assert not any(luhn_valid(run) for run in [cleaned.text] if run.isdigit())


def test_a_card_after_an_order_number_leaves_the_order_number():
    assert clean("pedido 10405 4111 1111 1111 1111 ok").text == "pedido 10405 cartão final 1111 ok"


def test_two_cards():
    assert clean("4111 1111 1111 1111 e 5555-5555-5555-4444").text == "cartão final 1111 e cartão final 4444"


@pytest.mark.parametrize(
    "text",
    [
        "pedido 10405",
        "10405 10418 10431",
        "10405\n10418\n10431",
        "1234567890123456",
        "0000000000000000",
        "+55 11 91234-5678",
        "5511912345678",
        "IMEI 356938035643809",
        "12345678000195",
        "11.222.333/0001-81",
        "123.456.789-09",
        "23793.38128 60007.827136 95000.063305 9 84660000002000",
        "23793381286000782713695000063305984660000002000",
        "BR123456789BR",
        "cep 01310-100 fone 11 91234-5678",
        "R$ 1.234,56 em 12/05/2026 às 14:05:10",
    ],
)
def test_other_numbers_stay(text):
    assert clean(text).text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cvv 123", "cvv [CVV removido]"),
        ("CVV: 123", "CVV: [CVV removido]"),
        ("cvc 321", "cvc [CVV removido]"),
        ("cvv é 1234", "cvv é [CVV removido]"),
        ("código de segurança 123", "código de segurança [CVV removido]"),
        ("codigo de seguranca é 123", "codigo de seguranca é [CVV removido]"),
        ("cód. de segurança do cartão: 123", "cód. de segurança do cartão: [CVV removido]"),
        ("security code 123", "security code [CVV removido]"),
        ("o 123 é o cvv", "o [CVV removido] é o cvv"),
        ("cvv 123 validade 12/28", "cvv [CVV removido] validade 12/28"),
    ],
)
def test_a_cvv_is_taken_out(text, expected):
    cleaned = clean(text)

    assert cleaned.text == expected
    assert cleaned.removed == ("cvv",)


@pytest.mark.parametrize(
    "text", ["código de segurança não chegou", "cvv é 12", "o que é cvv?", "pedido 123", "código de rastreio 123"]
)
def test_what_is_no_cvv_stays(text):
    assert clean(text).text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("minha senha é batata", "minha senha é [senha removida]"),
        ("Senha: abc123", "Senha: [senha removida]"),
        ("senha=abc", "senha=[senha removida]"),
        ("senha 1234", "senha [senha removida]"),
        ("a senha do site é Xy!9", "a senha do site é [senha removida]"),
        ("minha senha é: xpto e não entra", "minha senha é: [senha removida] e não entra"),
        (
            "minha senha antiga era abc, a nova é def",
            "minha senha antiga era [senha removida] a nova é [senha removida]",
        ),
        ("password: hunter2", "password: [senha removida]"),
        ("my password is hunter2", "my password is [senha removida]"),
        ("my password was 'gato preto 12'", "my password was [senha removida]"),
    ],
)
def test_a_password_is_taken_out(text, expected):
    cleaned = clean(text)

    assert cleaned.text == expected
    assert cleaned.removed == ("password",)


@pytest.mark.parametrize(
    "text",
    [
        "esqueci minha senha",
        "minha senha não funciona",
        "minha senha é muito fraca",
        "minha senha é inválida, diz o site",
        "errei a senha 3 vezes",
        "a senha expirou",
        "a senha é a data do meu aniversário",
        "como troco a senha?",
        "the password is wrong",
    ],
)
def test_talk_about_a_password_stays(text):
    assert clean(text).text == text


def test_nul_and_lone_surrogates_go():
    assert clean("a\0b\ud800c 👍é").text == "abc 👍é"
    assert clean("a\0").removed == ("control",)


def test_a_nul_inside_a_card_hides_nothing():
    assert clean("4111\x001111\x0011111111").text == "cartão final 1111"


def test_length_is_bounded_with_a_marker():
    cleaned = clean("a" * 5000, limit=100)

    assert len(cleaned.text) == 100
    assert cleaned.text.endswith(CUT_TEXT)
    assert cleaned.removed == ("length",)
    assert clean("a" * 100, limit=100).text == "a" * 100


def test_a_card_that_is_cut_is_not_half_kept():
    cleaned = clean("x" * 70 + " 4111 1111 1111 1111", limit=100)

    assert "4111" not in cleaned.text


def test_everything_at_once():
    cleaned = clean("4111 1111 1111 1111 cvv 123 senha: abc\0")

    assert cleaned.text == "cartão final 1111 cvv [CVV removido] senha: [senha removida]"
    assert cleaned.removed == ("control", "password", "cvv", "card")


_PIECES = [
    "senha: ",
    "senha é ",
    "cvv ",
    "123 ",
    "4111 1111 1111 1111",
    "10405 ",
    "a nova é ",
    "x",
    "\0",
    "\ud800",
    "[",
    "] ",
    "é o cvv",
    "\n",
    "5",
    "-",
]


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=5), max_size=20).map("".join), st.integers(40, 120))
def test_cleaning_twice_changes_nothing(text, limit):
    once = clean(text, limit=limit)

    assert clean(once.text, limit=limit).text == once.text
    assert len(once.text) <= limit
    once.text.encode("utf-8")


@given(st.lists(st.sampled_from([4, 5, 16, 1, 3]), min_size=1, max_size=6), st.sampled_from(CARDS))
def test_a_card_among_other_numbers_is_never_kept_whole(lengths, card):
    text = " ".join([*("7" * length for length in lengths), card])

    assert card not in clean(text).text


@pytest.mark.parametrize(
    "text", ["1 " * 200_000, "senha " * 50_000, "4111 " * 50_000, "senha do " * 50_000, "cvv " * 50_000, '"' * 100_000]
)
def test_hostile_lengths_take_no_time(text):
    started = time.process_time()

    clean(text)

    assert time.process_time() - started < GENEROUS_S
