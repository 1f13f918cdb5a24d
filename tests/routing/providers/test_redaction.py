import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.providers.redaction import redact


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("meu cpf é 529.982.247-25", "meu cpf é <cpf>"),
        ("cpf 52998224725 ok", "cpf <cpf> ok"),
        ("529982247-25", "<cpf>"),
        ("cnpj 11.222.333/0001-81 e 11222333000181", "cnpj <cnpj> e <cnpj>"),
        ("rg 12.345.678-9", "rg <rg>"),
        ("fale em ana.souza+loja@exemplo.com.br.", "fale em <email>."),
        ("liga no (11) 98765-4321", "liga no <phone>"),
        ("liga no 11 98765-4321, tá?", "liga no <phone>, tá?"),
        ("zap 11987654321", "zap <phone>"),
        ("+55 11 98765-4321", "<phone>"),
        ("5511987654321", "<phone>"),
        ("(11)987654321", "<phone>"),
        ("fixo (11) 3333-4444", "fixo <phone>"),
        ("cartão 4111 1111 1111 1111", "cartão <card>"),
        ("4111111111111111", "<card>"),
        ("boleto 23793381286000000000300000000401184340000010000", "boleto <number>"),
        ("pedido 10405, dia 12/03, R$ 1.299,90", "pedido 10405, dia 12/03, R$ 1.299,90"),
        ("rastreio BR123456789BR do 10420", "rastreio BR123456789BR do 10420"),
        ("cobrado 2x de 89,90 em 10/11/2026 às 14:05", "cobrado 2x de 89,90 em 10/11/2026 às 14:05"),
        ("pedidos 10405 e 10420", "pedidos 10405 e 10420"),
    ],
)
def test_what_leaves_the_house(text: str, sent: str) -> None:
    assert redact(text) == sent


@given(st.text(max_size=300))
def test_it_takes_any_text_and_is_done_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("text", ["9" * 100_000, "a@" * 50_000, "(11) " * 20_000, "1." * 50_000, "x@y." * 30_000])
def test_long_text_does_not_blow_up(text: str) -> None:
    redact(text)
