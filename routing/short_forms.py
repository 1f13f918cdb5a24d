"""Spellings of the ear and of haste that the rules read as the word they stand for, beside the common ones of `text`."""

from routing.text import spelled_out

# Only what never means anything else: "num" (não, or em um), "vo" (vou, or vó) and "fio" (filho, or a wire) stay as they
# are, the patterns that need them say so.
_WORDS = """
nauum nao | kero quero | keru quero | qero quero | queru quero | ker quer | keria queria
mto muito | mta muita | pke porque
ninguen ninguem | algm alguem | algem alguem | arguem alguem | oje hoje | agr agora | dps depois | dpois depois
td tudo | tds todos | c com | cum com | cm com | d de | voceis voces | ceis voces | oces voces
atendenti atendente | umano humano | umana humana | fla falar | pesoa pessoa | jente gente | cunversa conversar | cunversar conversar
adv advogado | advg advogado | adevogado advogado | adevogada advogada | adivogado advogado | procom procon | prokon procon | justissa justica
farso falso | farsos falsos | golpi golpe | gopi golpe | gorpe golpe | gopista golpista | veiz vez | cumpra compra | cumprei comprei
clonaro clonaram | usaro usaram | uzaro usaram | usarao usaram | compraro compraram | cumpraro compraram | fizero fizeram | entraro entraram | roubaro roubaram
robaro roubaram | ligaro ligaram | mandaro mandaram | cartaum cartao | dadus dados | cadastru cadastro
tenhu tenho | minina menina | mininu menino | muie mulher | guento aguento | guenta aguenta
eskece esquece | eskeci esqueci | ixclui exclui | ixcluir excluir | escluir excluir | esclui exclui | ecluir excluir | ecluam excluam | apagui apague
obrigadu obrigado | brigadu obrigado
"""
_FORMS: dict[str, str] = {
    short: word for pair in _WORDS.replace("\n", " | ").split(" | ") if pair for short, word in [pair.split()]
}


def written_out(text: str) -> str:
    """Normalise and write short and misspelt forms out ("n fla c gente" → "nao falar com gente")."""
    return " ".join(_FORMS.get(word, word) for word in spelled_out(text).split())
