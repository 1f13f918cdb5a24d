"""Who asks whether this is a machine is told the truth."""

import pytest

from routing.machine_words import asks_whether_machine


@pytest.mark.parametrize(
    "text",
    ["você é um robô?", "vc é robo", "isso aqui é um bot?", "qual seu nome?", "quem é você", "tô falando com uma pessoa?",
     "are you a robot?", "Is this a bot", "what's your name", "é humano ou robô?"],
)  # fmt: skip
def test_asks(text: str) -> None:
    assert asks_whether_machine(text)


@pytest.mark.parametrize(
    "text",
    ["comprei um robô aspirador", "o robô veio quebrado", "quero falar com uma pessoa", "qual o nome da transportadora?",
     "o nome no pedido está errado", "my robot vacuum is broken", "a pessoa que recebeu não sou eu"],
)  # fmt: skip
def test_does_not_ask(text: str) -> None:
    assert not asks_whether_machine(text)
