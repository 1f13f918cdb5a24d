import pytest

from routing.text import blank, fold, normalise, spelled_out, storable, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Olá, Você!", "ola voce"),
        ("SIMMM!!!", "sim"),
        ("não  quero\n\tnada", "nao quero nada"),
        ("tro\u200bcas", "trocas"),
        ("\u202etrocas\u202c", "trocas"),
        ("ti\u0302nis", "tinis"),
        ("that's it", "thats it"),
        ("that\u2019s it", "thats it"),
        ("a\0b\ud800c", "abc"),
        ("ＴＲＯＣＡＳ", "trocas"),
        ("R$ 1.234,56", "r 1 234 56"),
        ("👍", ""),
        ("", ""),
        ("entregas_e_cadastro", "entregas e cadastro"),
        ("10405", "10405"),
        ("1110405", "1110405"),
    ],
)
def test_normalise(text, expected):
    assert normalise(text) == expected


def test_storable_drops_only_what_no_column_takes():
    assert storable("a\0b\udfffc\u200b é 👍") == "abc\u200b é 👍"


def test_visible_drops_what_nobody_sees():
    assert visible("a\u200bb\u2066c\u2069\ufeff\ufe0fd") == "abcd"


@pytest.mark.parametrize(
    "text",
    ["", " \t\r\n", "\u3000\u00a0\u2003", "\0\ud800", "\u200b\u200d\u2060\ufeff", "\u202e\u2066\u00ad", "\x1b\x07\x9b", "\u2028\u2029",
     "\u3164\uffa0\u115f", "\u2800", "\ufe0f\U000e0100", "\U000e0041\U000e007f", "\u17b4"],
)  # fmt: skip
def test_a_text_of_which_nobody_sees_anything_is_blank(text: str):
    assert blank(text)


@pytest.mark.parametrize(
    "text", ["a", ".", "?", "👍", "❤️", " \u200bé", "👨\u200d👩\u200d👦", "\U0001fae9", "1\u20e3", "안", "\ufffd"]
)
def test_whatever_can_be_seen_is_not_blank(text: str):
    assert not blank(text)


def test_fold_keeps_punctuation_and_line_breaks():
    assert fold("Olá,\nVOCÊ?") == "ola,\nvoce?"


def test_short_forms_are_written_out():
    assert spelled_out("n fui eu q comprei, hj") == "nao fui eu que comprei hoje"
