import string

import pytest

from routing.sentences import say, turns

VALUES = {"first": "a", "second": "b", "protocol": "BA-1", "when": "às 9h", "topic": "cadê?", "shop": "Loja"}
INTERNAL = (
    "agente",
    "agent",
    "roteador",
    "router",
    "handoff",
    "especialista",
    "specialist",
    "billing",
    "support",
    "returns",
    "modelo",
    "prompt",
    "JSON",
    "bot",
)


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_say_the_same_things():
    assert turns.PT.keys() == turns.EN.keys()
    assert {key: fields(text) for key, text in turns.PT.items()} == {
        key: fields(text) for key, text in turns.EN.items()
    }


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("key", sorted(turns.PT))
def test_a_sentence_is_for_a_customer(key, language):
    text = say(f"turns.{key}", language, **VALUES)

    assert text.strip() == text
    assert "\n" not in text
    words = {word.strip(".,:;?!()").lower() for word in text.split()}
    # "returns" and "support" are also plain English words.
    assert not words & ({word.lower() for word in INTERNAL} - ({"returns", "support"} if language == "en" else set()))


def test_asked_for_a_person_uses_the_wait():
    text = say("turns.asked_for_person", "pt")

    assert "pedido" in text
    assert "motivo" in text


def test_an_unknown_sentence_is_an_error():
    with pytest.raises(KeyError):
        say("turns.weather", "pt")
