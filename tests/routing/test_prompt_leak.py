"""Whether a reply repeats its instructions: long shared runs of words, and none that are only alike."""

from pathlib import Path

import pytest

from routing.prompt_leak import leaked

PROMPTS = Path(__file__).parents[2] / "agents" / "prompts"
PROMPT = "\n".join(path.read_text("utf-8") for path in sorted(PROMPTS.glob("*.md")))
OWN = """## Como você trabalha

Nunca diga que algo foi feito (ou aprovado) sem um recibo nesta conversa. Faça no máximo uma pergunta por resposta.
"""


@pytest.mark.parametrize(
    "text",
    [
        "Nunca diga que algo foi feito (ou aprovado) sem um recibo nesta conversa.",
        "NUNCA DIGA QUE ALGO FOI FEITO, OU APROVADO, SEM UM RECIBO NESTA CONVERSA",
        "Minha regra é: nunca diga que algo foi feito sem um recibo nesta conversa, entendeu?",
        "Nunca diga que isso foi feito ou aprovado sem um recibo nesta conversa, e pronto.",
        "Faça no máximo uma pergunta por resposta.",
        "Como você trabalha",
    ],
    ids=[
        "word for word",
        "in capitals",
        "framed, without the aside",
        "a word changed",
        "a short sentence",
        "a heading",
    ],
)
def test_what_repeats_the_prompt_is_told(text: str) -> None:
    assert leaked(text, OWN)


@pytest.mark.parametrize(
    "text", ["Isso foi feito sem um recibo.", "Posso fazer uma pergunta?", "Como você trabalha com prazos curtos?", ""]
)
def test_what_is_only_alike_is_not(text: str) -> None:
    assert not leaked(text, OWN)


def test_without_a_prompt_nothing_leaks() -> None:
    assert not leaked(OWN, "")


@pytest.mark.parametrize("start", range(0, 60, 6))
def test_any_sentence_of_the_shops_own_prompts_is_told(start: int) -> None:
    sentences = [part.strip() for line in PROMPT.splitlines() for part in line.split(". ") if len(part.split()) >= 9]
    assert leaked(sentences[start % len(sentences)], PROMPT)
