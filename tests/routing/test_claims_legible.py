"""What hides a word from a pattern hides it from no reader: one false sentence in every disguise, one innocent in each."""

import re
import unicodedata
from collections.abc import Callable

import pytest

from routing.claims import check_claims
from routing.claims_legible import legible

CYRILLIC = str.maketrans("aeopcyxAEOPCTHBKM", "аеорсухАЕОРСТНВКМ")
GREEK = str.maketrans("aoiuvAEOIKMNTXB", "αοιυνΑΕΟΙΚΜΝΤΧΒ")
SMALL_CAPITALS = str.maketrans("aecdeolmprt", "ᴀᴇᴄᴅᴇᴏʟᴍᴘʀᴛ")


def letters(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "".join(change(char) for char in text)


def long_words(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: re.sub(r"[^\W\d_]{6,}", lambda found: change(found.group()), text)


DISGUISES: dict[str, Callable[[str], str]] = {
    "cyrillic": lambda text: text.translate(CYRILLIC),
    "greek": lambda text: text.translate(GREEK),
    "small capitals": lambda text: text.translate(SMALL_CAPITALS),
    "full width": letters(lambda char: chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char),
    "mathematical": letters(lambda char: chr(0x1D41A + ord(char) - 97) if "a" <= char <= "z" else char),
    "zero width": "\u200b".join,
    "soft hyphens": long_words("\u00ad".join),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "struck through": letters(lambda char: f"{char}\u0336" if char.isalpha() else char),
    "capitals": str.upper,
    "bold words": lambda text: re.sub(r"\w+", r"**\g<0>**", text),
    "bold within": long_words(lambda word: f"{word[:3]}**{word[3:]}**"),
    "italics": lambda text: re.sub(r"\w+", r"_\g<0>_", text),
    "entities": letters(lambda char: f"&#{ord(char)};" if char in "aeo" else char),
    "spelled with spaces": long_words(" ".join),
    "spelled with dots": long_words(".".join),
    "hyphens": long_words(lambda word: f"{word[:4]}-{word[4:]}"),
    "digits": long_words(lambda word: word.replace("o", "0").replace("e", "3", 1)),
    "stretched": lambda text: re.sub(r"[aeo](?=\W|$)", lambda found: found.group() * 4, text),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "line breaks": lambda text: text.replace(" ", "\n"),
    "quoted": lambda text: f"> {text}",
    "listed": lambda text: f"- {text}",
    "heading": lambda text: f"## {text}",
    "table": lambda text: f"| Item | Situação |\n|---|---|\n| 10405 | {text} |",
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize(
    "text", ["seu reembolso foi aprovado.", "o pedido está cancelado.", "your refund was processed."]
)
def test_a_false_claim_is_read_through_its_disguise(text: str, disguise: str) -> None:
    assert check_claims(DISGUISES[disguise](text), language="pt")


@pytest.mark.parametrize("disguise", sorted(DISGUISES.keys() - {"hyphens"}))
@pytest.mark.parametrize("text", ["quer trocar ou devolver o tênis azul?", "o seu pedido ainda não foi cancelado."])
def test_an_innocent_sentence_stays_innocent_in_it(text: str, disguise: str) -> None:
    assert check_claims(DISGUISES[disguise](text), language="pt") == ()


@pytest.mark.parametrize(
    "text",
    [
        "Oi! O CEP é 01310-100 e o total R$ 1.234,56.",
        "Protocolo DV-1A2B, e-mail ana@loja.example.",
        "Tamanhos P, M, G e GG.",
    ],
)
def test_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert legible(text) == text
