import pytest

from routing.text import fold, normalise, spelled_out, storable, visible


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


def test_fold_keeps_punctuation_and_line_breaks():
    assert fold("Olá,\nVOCÊ?") == "ola,\nvoce?"


def test_short_forms_are_written_out():
    assert spelled_out("n fui eu q comprei, hj") == "nao fui eu que comprei hoje"
