"""What must never be stored and what only looks like it: every row is one way in which people write."""

import random

import pytest
from stdnum import luhn
from stdnum.br import cnpj, cpf

from routing.sanitize import clean, clean_parts

VISA, MASTER, AMEX, ELO = "4111111111111111", "5555555555554444", "378282246310005", "6362970000457013"

CARDS = [
    ("4111/1111/1111/1111", "1111"),
    ("4111_1111_1111_1111", "1111"),
    ("4111*1111*1111*1111", "1111"),
    ("4111.1111.1111.1111", "1111"),
    ("4111 . 1111 . 1111 . 1111", "1111"),
    ("4111...1111...1111...1111", "1111"),
    ("4111    1111      1111   1111", "1111"),
    ("4111\t1111\t1111\t1111", "1111"),
    ("4111 / 1111 / 1111 / 1111", "1111"),
    ("**5555** **5555** **5555** **4444**", "4444"),
    ("5555|5555|5555|4444", "4444"),
    ("5555,5555,5555,4444", "4444"),
    ("5555;5555;5555;4444", "4444"),
    ("5555:5555:5555:4444", "4444"),
    ("(5555)(5555)(5555)(4444)", "4444"),
    ("5555~5555~5555~4444", "4444"),
    ("5555\n5555\n5555\n4444", "4444"),
    ("5555 5555\n\n5555 4444", "4444"),
    ("5 5 5 5 5 5 5 5 5 5 5 5 4 4 4 4", "4444"),
    ("5.5.5.5.5.5.5.5.5.5.5.5.4.4.4.4", "4444"),
    ("5_5_5_5_5_5_5_5_5_5_5_5_4_4_4_4", "4444"),
    ("55/55/55/55/55/55/44/44", "4444"),
    ("555 555 555 555 444 4", "4444"),
    ("55555 55555 55444 4", "4444"),
    ("3782/822463/10005", "0005"),
    ("3782_822463_10005", "0005"),
    ("378282 246310 005", "0005"),
    ("3056*930902*5904", "5904"),
    ("6362.9700.0045.7013", "7013"),
    ("6062 8256 2425 4001", "4001"),
    ("2223_0031_2200_3222", "3222"),
    ("3530/1113/3330/0000", "0000"),
    ("número do cartao:6011000990139424.", "9424"),
    ("paga no 4111-1111-1111-1111, val 12/2029", "1111"),
    ("pedido 10405 cartão 6362/9700/0045/7013", "7013"),
    ("meu cartão novo é\n4111 1111\n1111 1111\nobrigado", "1111"),
]


@pytest.mark.parametrize(("text", "last4"), CARDS)
def test_a_card_keeps_its_last_four_however_it_is_written(text: str, last4: str) -> None:
    cleaned = clean(text)
    assert cleaned.removed == ("card",)
    assert f"cartão final {last4}" in cleaned.text
    assert sum(char.isdigit() for char in cleaned.text) < 13


SECRETS = [
    ("cvv é um dois três", "um dois três"),
    ("CVV: um, dois, três", "um, dois"),
    ("meu cvv é cento e vinte e três", "vinte"),
    ("código de segurança quatro cinco seis", "quatro cinco"),
    ("o codigo de seguranca do cartao é sete oito nove", "oito"),
    ("cód. seg. 456", "456"),
    ("cvv 4 5 6", "4 5 6"),
    ("cvv: 4/5/6", "4/5/6"),
    ("cvv - 4.5.6", "4.5.6"),
    ("CVC (verso): 456", "456"),
    ("security code one two three", "two"),
    ("the cvv is one twenty three", "twenty"),
    ("cvv um 2 três", "um 2"),
    ("os três números de trás são 456", "456"),
    ("os 3 dígitos do verso são quatro cinco seis", "cinco"),
    ("456 é o código de segurança", "456"),
    ("quatro cinco seis é o cvv", "cinco"),
    ("4111 1111 1111 1111 12/28 456", "456"),
    ("5555/5555/5555/4444 val 08/2029 456", "456"),
    ("cvv meia meia meia", "meia"),
    ("minha senha é batata123", "batata"),
    ("minha senha é um dois três quatro", "dois"),
    ("minha senha é 1 2 3 4", "2 3"),
    ("senha do cartão: 1234", "1234"),
    ("a senha que eu uso é gatinho", "gatinho"),
    ("senha de acesso: aurora!", "aurora"),
    ("password: hunter2", "hunter"),
    ("my password is correct-horse", "horse"),
    ("the password for my account is s3nh4", "s3nh4"),
    ("senha -> xpto", "xpto"),
    ("SENHA = XPTO", "XPTO"),
    ("login: ana senha batata", "batata"),
    ("usuário: ana / senha batata", "batata"),
    ("senha provisória: Zx9!k", "Zx9"),
    ("minha senha do gov era abacaxi", "abacaxi"),
    ("pin do cartão é 4821", "4821"),
    ("my pin is 4821", "4821"),
    ("senha: 'gato preto 12'", "gato"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_security_code_or_a_password_is_taken_out(text: str, secret: str) -> None:
    cleaned = clean(text)
    assert secret not in cleaned.text
    assert "removid" in cleaned.text


PARTS = [
    (("4111 1111", "1111 1111"), "card"),
    (("meu cartão: 4111", "1111", "1111", "1111"), "card"),
    (("5555 5555 5555", "4444 é esse"), "card"),
    (("cvv", "456"), "cvv"),
    (("código de segurança", "quatro cinco seis"), "cvv"),
    (("cvv 4", "5 6"), "cvv"),
    (("minha senha é", "batata123"), "password"),
    (("senha:", "batata123"), "password"),
]


@pytest.mark.parametrize(("parts", "what"), PARTS)
def test_what_runs_over_the_parts_of_a_message_is_seen_whole(parts: tuple[str, ...], what: str) -> None:
    cleaned = clean_parts(parts)
    assert len(cleaned) == len(parts)
    assert what in cleaned[0].removed
    whole = "".join(piece.text for piece in cleaned)
    assert not any(kept in whole.replace(" ", "") for kept in ("11111111", "555555", "456", "cinco", "batata"))


LOOK_ALIKES = [
    # orders, requests, invoices
    "pedido 10405",
    "meus pedidos são 10405, 10418 e 10431",
    "10405/10418/10431",
    "10405_10418_10431",
    "pedido #2000004111111116",
    "pedido nº 701-1234567-1234567",
    "pedido 3012345678901231",
    "pedido 6304000000000000000",
    "protocolo 20261130140512",
    "protocolo DV-7K2M9P e CB-1234",
    "nota fiscal 000.123.456 série 001",
    "meu pedido VTEX é 1234567890123-01",
    "são os itens 4111, 5222, 6333 e 7444",
    # tracking
    "BR123456789BR",
    "rastreio AA 123 456 789 BR",
    "rastreio 38012345678909",
    "código de rastreio 888001234567894",
    "encomenda 30569309025904",
    # phones
    "+55 11 91234-5678",
    "(41) 3234-5678 / (41) 3876-5432",
    "41 99999-8888 ou 41 98888-7777",
    "5541999998888",
    "(51)99888-7766",
    "0800 123 4567",
    "4003-1234 e 4004-5678",
    "+1 415 555 2671",
    "011 4111-1111",
    # documents of people and companies
    "529.982.247-25",
    "52998224725",
    "529.982.247-25 / 111.444.777-35",
    "cpf 529_982_247_25",
    "CNPJ 11.222.333/0001-81",
    "38000011000144",
    "RG 12.345.678-9",
    "CNH 12345678900",
    "IMEI 356938035643809",
    "imei: 35-693803-564380-9",
    # boletos, keys, codes to pay with
    "23793.38128 60007.827136 95000.063305 9 84660000002000",
    "23793381286000782713695000063305984660000002000",
    "23793.38128.60007.827136.95000.063305.9.84660000002000",
    "83640000001-1 33120138000-2 81288462711-6 08013618155-1",
    "boleto 34191.79001 01043.510047 91020.150008 5 96610000014500",
    "3526 1111 2223 3300 0181 5500 1000 0104 0514 1111 1116",
    "chave 35261111222333000181550010000104051411111116",
    "chave de acesso: 3526/1111/2223/3300/0181/5500/1000/0104/0514/1111/1116",
    "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913LOJA AURORA6009SAO PAULO62070503***6304A1B2",
    "4006381333931 é o EAN da caixa",
    "EAN 7891234567895",
    # dates, money, sizes
    "de 30/05/2026 a 13/06/2026",
    "30/05/2026 14:05:10 e 31/05/2026 09:00:00",
    "R$ 4.111,11 + R$ 5.222,22 + R$ 6.333,33",
    "parcelas de 411,11 411,11 411,11 e 411,11",
    "tamanhos 34 35 36 37 38 39 40 41",
    "numeração 38/39/40/41/42/43/44/45",
    "1764511510123",
    "2026-11-30T14:05:10",
    "CEP 01310-100, 04538-132 e 20040-020",
    "0000 0000 0000 0000",
    "1234 5678 9012 3456",
    "4111 1111 1111 1112",
    "cartão final 1111",
    "**** **** **** 1111",
    # talk about codes and passwords
    "o que é cvv?",
    "o cvv tem três dígitos",
    "cvv é 12",
    "código de segurança não chegou",
    "o código de segurança de um produto",
    "comprei um, dois, três itens",
    "recebi dois de três",
    "código de rastreio 123",
    "esqueci minha senha",
    "minha senha não funciona",
    "minha senha é muito fraca",
    "a senha é a data do meu aniversário",
    "minha senha é minha e de mais ninguém",
    "a senha era temporária",
    "como troco a senha?",
    "errei a senha 3 vezes",
    "the password is still rejected",
    "my password was changed yesterday",
    "comprei um pin de lapela por 12 reais",
    "o login: não entra com a senha nova",
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert clean(text).text == text


def _digits(chance: random.Random, count: int) -> str:
    return "".join(str(chance.randrange(10)) for _ in range(count))


def _grouped(digits: str, *sizes: int, gap: str) -> str:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(digits[at : at + size])
        at += size
    return gap.join(pieces)


def _access_key(chance: random.Random) -> str:
    body = f"35{chance.randrange(20, 29)}{chance.randrange(1, 13):02}{_digits(chance, 14)}55{_digits(chance, 21)}"
    rest = sum(int(digit) * (2 + position % 8) for position, digit in enumerate(reversed(body))) % 11
    return body + str(0 if rest < 2 else 11 - rest)


def _boleto(chance: random.Random) -> str:
    fields = [_digits(chance, size) for size in (9, 10, 10)]
    checked = [field + luhn.calc_check_digit(field) for field in fields]
    return "".join(checked) + _digits(chance, 15)


def _company(chance: random.Random) -> str:
    base = f"{_digits(chance, 8)}0001"
    return base + cnpj.calc_check_digits(base)


def _person(chance: random.Random) -> str:
    base = _digits(chance, 9)
    for weight in (10, 11):
        rest = sum(int(digit) * (weight - place) for place, digit in enumerate(base)) * 10 % 11
        base += str(rest % 10)
    return base


def _look_alike(chance: random.Random) -> str:
    area = chance.choice(("11", "21", "31", "34", "37", "41", "44", "51", "55", "61", "65"))
    date = "/".join(f"{chance.randrange(1, most):02}" for most in (29, 13))
    return chance.choice(
        (
            _grouped(_access_key(chance), *[4] * 11, gap=chance.choice((" ", ".", "/", "\n"))),
            _access_key(chance),
            _grouped(_boleto(chance), 5, 5, 5, 6, 5, 6, 1, 14, gap=" "),
            _boleto(chance),
            _company(chance),
            cnpj.format(_company(chance)),
            f"{cpf.format(_person(chance))} / {cpf.format(_person(chance))}",
            f"55{area}9{_digits(chance, 8)}",
            f"({area}) 9{_digits(chance, 4)}-{_digits(chance, 4)} / ({area}) {_digits(chance, 4)}-{_digits(chance, 4)}",
            f"{date}/2026 {date}/2026 10:{chance.randrange(10, 60)}",
            " ".join(str(10_000 + chance.randrange(90_000)) for _ in range(3)),
            ", ".join(str(1_000 + chance.randrange(9_000)) for _ in range(4)),
            f"AA{_digits(chance, 9)}BR e LB{_digits(chance, 9)}HK",
            f"pedido 30{_digits(chance, 14)}",
            f"35{_digits(chance, 13)}",
        )
    )


def test_numbers_of_a_shop_made_by_chance_stay() -> None:
    chance = random.Random(11)
    made = [_look_alike(chance) for _ in range(3_000)]
    assert [text for text in made if clean(text).text != text] == []


def test_cards_made_by_chance_never_stay() -> None:
    chance = random.Random(12)
    for _ in range(1_000):
        prefix, size = chance.choice(
            (("4", 16), ("51", 16), ("2223", 16), ("37", 15), ("6362", 16), ("5067", 16), ("65", 16))
        )
        body = prefix + _digits(chance, size - len(prefix) - 1)
        card = body + luhn.calc_check_digit(body)
        sizes = (4, 6, 5) if size == 15 else chance.choice(((4,) * 4, (2,) * 8, (1,) * 16, (8, 8), (16,)))
        gap = chance.choice((" ", "/", "_", "*", ".", "-", "\n", "  ", " - ", "\u200b", "..."))
        around = chance.choice(("{}", "pedido 10405, cartão {}", "é {} tá?", "10405 {}", "{}\nobrigada"))
        kept = clean(around.format(_grouped(card, *sizes, gap=gap)))
        assert f"cartão final {card[-4:]}" in kept.text, (card, kept.text)


def test_the_tables_are_as_long_as_they_claim() -> None:
    assert len(CARDS) + len(SECRETS) + len(PARTS) >= 60
    assert len(LOOK_ALIKES) >= 60


@pytest.mark.parametrize("text", ["4111 1111", "senha:", "cvv", "oi", ""])
def test_parts_that_hide_nothing_stay_as_they_are(text: str) -> None:
    parts = ("pedido 10405", text, "tudo bem?")
    cleaned = clean_parts(parts)
    assert len(cleaned) == 3
    assert cleaned[0].text == parts[0]
