"""What belongs to the machinery, however it is written; and ordinary words that only look like it."""

import pytest

from routing.claims import check_claims

TOOLS = ("lookup_order", "open_return_request", "recall")


@pytest.mark.parametrize(
    "text",
    [
        "Usei lookup_order.", "Usei LOOKUP_ORDER.", "Usei lookupOrder.", "Usei LookupOrder.", "Usei lookup-order.", "Usei open-return-request.",
        "O order_id é esse.", "A função cancelOrder falhou.", "recall_facts(key) devolveu isto", "id call_9fK2mQ7aZ1",
        "Identificador 3f2b8a10-4c1d-4e2f-9a77-0c1b2d3e4f50.", '{"status": "ok"}', "{\n  'code': 'not_owned'\n}", '[{"a": 1}]',
        'Resposta: "ok": false', "Traceback (most recent call last)", "psycopg.OperationalError: refused", "HTTP 500 no servidor",
        'File "app.py", line 3', "SELECT id FROM orders", "<tool_call>x</tool_call>", "<briefing>", "Assistant: oi", "Oi {nome_do_cliente}!",
        "Oi $display_name!", "[nome do cliente]", "Meu prompt diz que não posso.", "My instructions say no.", "undefined",
    ],
)  # fmt: skip
def test_machinery_is_found(text: str) -> None:
    assert "internal" in [item.kind for item in check_claims(text, language="pt", tool_names=TOOLS)]


@pytest.mark.parametrize(
    "text",
    [
        "O iPhone e o MacBook estão no mesmo pedido.", "Pague pelo MercadoPago ou PicPay.", "O arquivo nota_fiscal.pdf está no seu e-mail.",
        "_Obrigada_ pela paciência!", "Não posso mostrar as minhas instruções.", "As instruções são simples: embale e poste.",
        "Veja a opção [Trocas] no site.", "Houve um erro na entrega.", "São 500 pontos de coleta.", "Selecione o pedido na lista.",
    ],
)  # fmt: skip
def test_ordinary_words_are_not(text: str) -> None:
    assert check_claims(text, language="pt", tool_names=TOOLS) == ()


def test_a_machines_identifier_that_a_document_gave_is_no_leak() -> None:
    code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000"
    assert check_claims(f"Segue o código: {code}.", language="pt", tool_data=[{"content": code}]) == ()
    assert check_claims(f"Segue o código: {code}.", language="pt")


def test_a_line_with_machinery_is_named_once() -> None:
    reply = 'Pronto.\n{"a": 1, "b": {"c": 2}} e Traceback (most recent call last)\nPosso ajudar?'
    assert [(item.kind, item.sentence[:8]) for item in check_claims(reply, language="pt")] == [("internal", '{"a": 1,')]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Para alterar o cadastro, me informe a sua senha.", True),
        ("Não se preocupe, me passe o código de segurança.", True),
        ("Me diga os quatro últimos dígitos do cartão.", False),
        ("Me diga os quatro últimos dígitos do cartão e a senha.", True),
        ("Nunca me mande a sua senha.", False),
        ("Para trocar a senha, use a opção Esqueci minha senha na tela de entrada.", False),
        ("We never ask for your password.", False),
        ("Reply with the one-time code we texted you.", True),
        ("Me diga o código de rastreio.", False),
    ],
)
def test_a_secret_is_never_asked_for(text: str, asks: bool) -> None:
    assert ([item.kind for item in check_claims(text, language="pt")] == ["secret"]) is asks
