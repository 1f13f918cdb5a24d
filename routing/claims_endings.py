"""Verbs told by their endings, where the noun beside them already says what is announced; and the harmless ones."""

import re

from routing.claims_words import listed
from routing.pattern import Pattern

PAST_FIRST = Pattern(r"^[a-z]{2,}(?:ei|[bcdglnrtv]i|gui)$")
FUTURE_FIRST = Pattern(r"^[a-z]+(?:arei|erei|irei|aremos|eremos|iremos)$")
PLURAL_FIRST = Pattern(r"^[a-z]{2,}(?:amos|emos|imos)$")
PAST_THIRD = Pattern(r"^[a-z]{2,}(?:ou|eu|iu|aram|eram|iram)$")
PARTICIPLE = Pattern(r"^[a-z]{2,}(?:ad|id)[oa]s?$|^dada$|^(?:feit|post|pag|entregue|aceit|pront)[oa]?s?$")
INFINITIVE = Pattern(r"^[a-z]{2,}[aei]r$")
GERUND = Pattern(r"^[a-z]{2,}[aei]ndo$")
DONE = Pattern(
    r"^[a-z]{2,}ed$|^(?:sent|gave|given|made|got|done|put|went|gone|won|paid|brought|pulled|ran|run|began|begun|kept|set|wrote|written"
    r"|left|hit)$"
)
ING = Pattern(r"^[a-z]{3,}ing$")

# Stems of looking, speaking, asking and waiting, and of what did not go well: nothing is announced by them.
_HARMLESS = (
    "verifi consult confer olh vend entend chec expli pergunt fal anot busc procur localiz encontr analis avali acompanh esclare lament"
    " precis poss pod quer quis tent diz diss menci inform lembr perceb not pesquis sinto suger recomend coment ajud trat mostr indic apare"
    " const demor atras depend falh mud err neg recus indefer pend solicitad conferid discut cit previst devid esper relat contest bloque"
    " duplic venc refer combin promet desej parcel teve tive existe havi imagin gost vejo"
    " receiv check look see saw seen find found ask explain review understand understood mention tell told said say hear heard read need want"
    " help talk discuss know knew think thought wonder declin deni refus reject request delay requir expect promis suppos disput fail chang"
    " bounc miss show appear learn try tried clarif"
)
_HARMLESS_WHOLE = (
    "vi vimos ver li lemos ler recebi recebemos achei achamos achar achou contei contamos contar contou continua continuou confiro confira"
    " confirme confirmam seguiu segue seguimos parada parado parou ligada ligado ligue fica ficou foi era soube sabe pediu pediram registro took was"
    " were had have been based basis"
)
_NO_VERBS = (
    "chamado estado resultado mercado cuidado obrigado obrigada lado passado passada sabado pedido pedidos sentido dado dados comunicado"
    " certificado advogado feriado atestado seis reis sei lei rei hei need proceed exceed succeed indeed speed feed red bed hundred aqui ali"
    " oi mim email vamos temos estamos somos podemos queremos devemos precisamos iremos seremos unidade"
)
_WHOLE = listed(f"{_HARMLESS_WHOLE} {_NO_VERBS}")
_STEM = Pattern("|".join(re.escape(stem) for stem in _HARMLESS.split()))


def harmless(word: str) -> bool:
    """Tell whether a word is no verb, or one by which nothing is announced ("verifiquei o reembolso")."""
    return word in _WHOLE or _STEM.match(word) is not None
