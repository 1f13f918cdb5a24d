"""What is said while a person is awaited: solved or not, calm or upset."""

import pytest

from routing.solved_words import says_solved
from routing.upset_words import sounds_upset


@pytest.mark.parametrize(
    "text",
    [
        "já resolvi, obrigada", "Já consegui!", "resolvido", "ta resolvido, valeu", "não precisa mais", "nao preciso mais de atendente",
        "deixa pra lá", "já deu certo aqui", "pode cancelar o atendente, já resolveram", "esquece", "consegui resolver sozinha",
        "não precisa mais da pessoa", "ja foi resolvido", "it's solved, thanks", "never mind", "I dont need a person anymore", "already sorted",
    ],
)  # fmt: skip
def test_solved(text: str) -> None:
    assert says_solved(text)


@pytest.mark.parametrize(
    "text",
    [
        "ainda não resolveram", "isso não foi resolvido", "quando vai ser resolvido?", "já resolveu?", "quero isso resolvido hoje",
        "não resolveu nada", "quero um atendente", "não precisa trocar, quero o reembolso", "já recebi o e-mail mas o pedido não chegou",
        "preciso que seja resolvido", "só saio quando estiver resolvido", "pode cancelar o pedido 10431", "it is not solved", "já comprei de novo",
        "não consigo resolver pelo site", "espero que fique tudo resolvido", "",
    ],
)  # fmt: skip
def test_not_solved(text: str) -> None:
    assert not says_solved(text)


@pytest.mark.parametrize(
    "text",
    ["isso é um absurdo", "PÉSSIMO atendimento", "vou no Procon", "já é a terceira vez que reclamo", "CADE MEU PEDIDO GENTE", "this is unacceptable"],
)  # fmt: skip
def test_upset(text: str) -> None:
    assert sounds_upset(text)


@pytest.mark.parametrize(
    "text",
    [
        "cadê meu pedido 10405?",
        "quero falar com um atendente",
        "OK",
        "CPF 123",
        "obrigada pela paciência",
        "NF-E 35201",
    ],
)
def test_calm(text: str) -> None:
    assert not sounds_upset(text)
