import pytest

from routing.short_forms import written_out


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("n fla c gente", "nao falar com gente"),
        ("Naum kero farso adevogado, arguém mi liga", "nao quero falso advogado alguem mi liga"),
        ("uma farsa num fio", "uma farsa num fio"),
        ("", ""),
    ],
)
def test_spellings_by_ear_become_words(text: str, meant: str) -> None:
    assert written_out(text) == meant
