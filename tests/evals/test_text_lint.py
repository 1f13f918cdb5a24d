"""The lint of replies, rule by rule: what it finds, and what it must let pass."""

import pytest

from evals.text_lint import LONGEST, lint
from routing.model import Language

FAULTY = [
    ("Consta uma cobrança de R$189,90.", "money"),
    ("Consta uma cobrança de R$ 189.90.", "money"),
    ("O total é R$ 3899,00.", "money"),
    ("O total é R$ 1,234.56.", "money"),
    ("Foram 349 reais.", "money"),
    ("Foram 349,00 reais.", "money"),
    ("O valor é BRL 349,00.", "money"),
    ("O valor é $ 349,00.", "money"),
    ("O valor é R$ 349.", "money"),
    ("O valor é R$ 349,0.", "money"),
    ("A previsão é 2026-12-03.", "date"),
    ("A previsão é 3/12/2026.", "date"),
    ("A previsão é 12/31/2026.", "date"),
    ("A previsão é 03/12/26.", "date"),
    ("A previsão é 03-12-2026.", "date"),
    ("A previsão é 03.12.2026.", "date"),
    ("A previsão é Dec 3, 2026.", "date"),
    ("A previsão é 3rd december.", "date"),
    ("Seu pedido is on the way.", "english"),
    ("O status é pending.", "english"),
    ("Entendi, your order está a caminho.", "english"),
    ("Motivo: none.", "english"),
    ("Vou usar lookup_order para ver isso.", "internal"),
    ("Chamei o not_mine.", "internal"),
    ('Resultado: {"status": "ok"}', "internal"),
    ("Cobrança ch-10405-1 paga.", "internal"),
    ("O cliente c1 tem um pedido.", "internal"),
    ("Veja f-0123456789ab.", "internal"),
    ("KeyError: 'pedido'", "internal"),
    ("Oi, {nome}!", "internal"),
    ("", "blank"),
    ("  \n", "blank"),
    ("Protocolo  EN-4H7K2M.", "blank"),
    ("O código é .. certo?", "blank"),
    ("Está com () desde ontem.", "blank"),
    ("Está com a transportadora , desde ontem.", "blank"),
    ("a " * LONGEST, "length"),
]
CLEAN: list[tuple[str, Language]] = [
    ("Consta uma cobrança de R$ 189,90 por Pix em 20/11/2026 (paga).", "pt"),
    ("No pedido 10433: R$ 1.234.567,89, R$ 269,70, e mais nada.", "pt"),
    ("O valor é R$ 0,50.", "pt"),
    ("Chega em 03/12. Posso ajudar em algo mais?", "pt"),
    ("De 03/12 a 10/12/2026, das 8h às 20h, 24/7.", "pt"),
    ("O pedido 10405 (Tênis de corrida Vento, nº 38) está em trânsito. Código BR104057388BR.", "pt"),
    ("Aqui está (nota fiscal do pedido 10418): NF-e 000110418. https://loja.example/notas/10418.pdf", "pt"),
    ("Você escreveu “where is my order 10405, due 2026-12-03”. Certo?", "pt"),
    ("Confirma trocar o endereço para Rua das Acácias, 12, Centro, Campinas/SP, CEP 13010-000?", "pt"),
    ("Fone bluetooth, cashback, status, e-mail, Pix, boleto: tudo em dia.", "pt"),
    ("Primeira frase.\n\nSegunda frase…", "pt"),
    ("It is expected on 2026-12-04. Shall I open a ticket for your order?", "en"),
    ("One charge on record: R$ 269,70 by card, in 3 instalments.", "en"),
    ("Our returns and billing teams can help with support.", "en"),
]


@pytest.mark.parametrize(("text", "rule"), FAULTY)
def test_what_it_finds(text: str, rule: str) -> None:
    assert {found.split(":")[0] for found in lint(text, language="pt")} == {rule}


@pytest.mark.parametrize(("text", "language"), CLEAN)
def test_what_it_lets_pass(text: str, language: Language) -> None:
    assert lint(text, language=language) == ()


def test_money_and_machinery_count_in_english_too() -> None:
    found = lint("Your total is R$ 20.00, says lookup_order.", language="en")
    assert next(said.split(":")[0] for said in found) == "money"
    assert any(said.startswith("internal") for said in found)


def test_each_finding_is_told_once() -> None:
    assert lint("R$5 e R$5", language="pt") == ("money: R$5",)
