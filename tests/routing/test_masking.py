"""Typed placeholders: what has a form of its own, what is known, and what is nobody's business of ours to touch."""

import pytest

from routing.masking import Known, Masker, masked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cpf 529.982.247-25", "cpf <cpf>"),
        ("cpf 52998224725 e 529 982 247 25", "cpf <cpf> e <cpf>"),
        ("CNPJ 11.222.333/0001-81", "CNPJ <cnpj>"),
        ("RG 12.345.678-9", "RG <rg>"),
        ("ana.souza+x@example.com.br respondeu", "<email> respondeu"),
        ("zap (11) 96123-4501 ou 11961234501", "zap <phone> ou <phone>"),
        ("+5511961234501", "<phone>"),
        ("5511961234501", "<phone>"),
        ("CEP 01310-100", "CEP <cep>"),
        ("pago com 4111/1111/1111/1111", "pago com <card>"),
        ("no cartão final 1111", "no <card>"),
        ("cvv é um dois três", "cvv é <secret>"),
        ("minha senha é batata", "minha senha é <secret>"),
        ("Authorization: Bearer abcdef.ghi-jkl", "Authorization: Bearer <secret>"),
        ("OPENAI_API_KEY=abcdef123", "OPENAI_API_KEY=<secret>"),
        ("{'api_key': 'abcdef123', 'n': 3}", "{'api_key': '<secret>', 'n': 3}"),
        ("key sk-live-abcdefgh rejected", "key <secret> rejected"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjMSJ9.c2lnbmF0dXJl", "<secret>"),
        ("postgresql://bastao:p4ss@db:5432/x", "postgresql://<secret>@db:5432/x"),
    ],
)
def test_what_has_a_form_of_its_own_is_replaced(text: str, expected: str) -> None:
    assert masked(text) == expected
    assert masked(expected) == expected, "masking twice changes nothing"


@pytest.mark.parametrize(
    "text",
    [
        "turn t-5b0c1f0e9a3d4c2f8f1d2b7f6a9e0c11 failed: TimeoutError",
        "pedido 10405, protocolo ER-7K2M9P",
        "2026-11-30 14:05:10.123456",
        "took 1234567890.5 ms",
        "input_tokens=1234 tokens: 17",
        "checkpoint 1ef4f797-8335-6428-8001-8a1503f9b875",
        "pruned 12 rows",
        "id 1764511510123456",
    ],
)
def test_what_engineers_need_stays(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana, até sexta.", "<name>, até sexta."),
        ("ANA BEATRIZ DE SOUZA pediu", "<name> pediu"),
        ("a Souza ligou; a Mariana não", "a <name> ligou; a Mariana não"),
        ("entrega na rua das flores, nº 35 em Sao Paulo", "entrega na <address> em <city>"),
        ("Rua das  Flores 35", "<address>"),
        ("ligo no (11) 96123-4501 ou +55 11 96123 4501", "ligo no <phone> ou <phone>"),
        ("o cpf 529 982.247/25", "o cpf <cpf>"),
    ],
)
def test_known_values_are_found_in_any_spelling(text: str, expected: str) -> None:
    known = Known(
        [
            ("name", "Ana Beatriz de Souza"), ("address", "Rua das Flores, 35"), ("city", "São Paulo"),
            ("phone", "11961234501"), ("cpf", "52998224725"),
        ]
    )  # fmt: skip
    assert known.replaced(text) == expected


def test_nothing_known_masks_what_has_a_form() -> None:
    assert Known([]).replaced("x@example.com") == "<email>"
    assert Known([("name", " "), ("name", "Al"), ("phone", "12")]).replaced("Al 12") == "Al 12"


def test_a_masker_knows_the_secrets_of_its_process() -> None:
    assert Masker(("opensesame",))("got opensesame, x@example.com") == "got <secret>, <email>"


@pytest.mark.parametrize("text", ["1" * 50_000, "a@" * 20_000, "key=" * 20_000, "529.982." * 10_000, "://a:" * 10_000])
def test_hostile_lines_end(text: str) -> None:
    assert isinstance(masked(text), str)
