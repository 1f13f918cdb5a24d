"""Clauses that only tell that a matter went well ("o estorno caiu aqui"). Beside thanks or a goodbye they ask for nothing.

A clause tells that when all its words are known to be harmless and one of them says that something arrived or was solved;
one thing may have a name of its own ("a geladeira chegou"). A list of what may be said is safer here than one of what may not.
"""

from routing.pattern import Pattern
from routing.short_forms import written_out

_PLAIN_WORDS = """
o a os as um uma uns umas meu minha meus minhas seu sua nosso nossa esse essa este esta isso isto ele ela eles elas eu voce voces vc vcs a gente nos me se te
de da do das dos no na nos nas num numa em pra pro para com por pelo pela e ja agora aqui hoje ontem mesmo ate enfim finalmente tudo td todo toda todos
muito bem super ta esta foi ficou era tava estava estao ser sim viu gracas deus ne tambem tb tbm rapido rapidinho logo ah nossa oba eba ufa opa entao gente moca moco
cobraram entregaram trocaram devolveram estornaram atenderam ajudaram responderam mandaram enviaram veio vieram sozinha sozinho antes prazo hora certa dia tempo k kk rs
estorno reembolso dinheiro valor pix boleto pagamento nota fiscal recibo codigo etiqueta rastreio rastreamento pedido produto produtos pacote encomenda entrega troca devolucao
compra caixa email mail spam conta cartao fatura banco app aplicativo site portaria porteiro vizinho vizinha marido esposa mae pai filho filha casa loja protocolo cupom desconto
senha cadastro endereco link pdf estado deu duvida caso assunto presente novo nova celular pessoal lixeira
the my it its is in on here now all and i we got at to of me this that your refund refunds money shape condition package parcel order invoice label code replacement
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())
_WELL_WORDS = """
caiu cairam chegou chegaram recebi recebemos peguei retirei achei encontrei localizei consegui conseguimos resolvi resolvemos resolveu resolveram resolvido resolvida resolvidos
abriu baixou baixei imprimi funcionou funciona funcionando serviu serviram certo certa certinho certinha certinhos direitinho direitinha perfeito perfeita perfeitos otimo otima lindo linda show
confirmado confirmada aprovado aprovada creditado creditada creditados estornado estornada estornaram entregue corrigido corrigida atualizado atualizada compensou entendi esclarecido
amei adorei gostei maravilhoso maravilhosa ordem intacto intacta acertou achou conseguiu
arrived sorted solved fixed works worked fits fit perfect perfectly found resolved received landed cleared
"""
_WELL = frozenset(_WELL_WORDS.split())
# "consegui resolver" tells, "resolver isso" asks; "just wanted to say" says nothing yet.
_MANAGED = Pattern(
    r"\b(?:i )?just wanted to (?:say|tell you)\b|\b(conseguimos|consegui) (?:resolver|abrir|baixar|imprimir|entrar|acessar|pegar|retirar|receber|falar)\b"
)
_ARTICLES = frozenset(("o", "a", "os", "as", "meu", "minha", "meus", "minhas", "the", "my", "do", "da", "no", "na"))
_NOTHING_LEFT = Pattern(
    r"(?:nao|nem) (?:preciso|precisa|vou|vai|quero|tenho)(?: (?:de|precisar|mais|que))*(?: \w+){0,2} (?:mais )?nada(?: mais)?(?: nao)?"
    r"|sem mais (?:\w+ ){0,2}(?:por hoje|hoje|por enquanto|por agora)"
)
_OVER = Pattern(
    r"sem mais|(?:e|era|foi) (?:so )?isso(?: (?:entao|mesmo|ai|por hoje|que eu (?:queria|precisava)))*"
    r"|(?:por (?:hoje|enquanto|agora|ora) )?(?:e|era|foi) so(?: isso| uma (?:duvida|curiosidade)| curiosidade)?(?: mesmo)?|so queria (?:saber|isso|tirar (?:essa|a|uma) duvida|confirmar|entender)(?: (?:isso|mesmo|so))*"
    r"|so (?:vim|passei|queria|escrevi)(?: aqui)?(?: (?:pra|para))? (?:falar|dizer|contar|avisar)(?: isso)?(?: mesmo)?|so (?:elogios?|alegria|gratidao|agradecer)(?: mesmo)?|(?:pode|podem) (?:encerrar|fechar|finalizar)(?: (?:o|a|aqui|ja|esse|este))*(?: (?:atendimento|chat|chamado|conversa|protocolo))?"
    r"|(?:(?:vou|estou|fico|to|entao|eu) )*(?:no aguardo|aguard(?:o|ar|ando)|esper(?:o|ar|ando))(?: (?:entao|aqui|agora))*"
    r"|(?:me )?desculp(?:a|e|em|as)(?: (?:o|a|pel[oa]|qualquer|por))*(?: (?:incomodo|demora|coisa|incomodar|transtorno|confusao|engano|insistencia|ai|viu|algo))?"
    r"|(?:(?:qualquer (?:coisa|duvida)|se precisar|depois|amanha|mais tarde|precisando|logo) )+(?:eu )?(?:volto|chamo|falo|apareco|retorno|escrevo)(?: (?:aqui|de novo|com voces|a falar|a chamar|ai))*"
    r"|(?:(?:entao|agora|ja|eu) )*vou (?:dormir|trabalhar|almocar|jantar|sair|ali|nessa|indo|la|descansar|nessa)(?: (?:agora|ja|entao))*"
    r"|(?:nossa )?que (?:rapid\w+|agilidade|maravilha|eficiencia|alegria|sonho|delicia)|(?:voces|vcs) arras\w+|amem|paz(?: e bem)?|fi(?:ca|que) na paz|de coracao|atenciosamente(?: \w+){0,3}|att(?: \w+){0,3}"
    r"|(?:all )?(?:sorted|solved|fixed|done|good)(?: now| then)?|thats? (?:all|it|what i needed)(?: for (?:now|today))?|(?:it|that)(?: is| has been|s)? (?:all )?(?:sorted|solved|fixed|resolved)(?: (?:it|that|now))*|sorry to bother(?: you)?"
)
# Whatever makes it more than that, should a harmless word carry it.
_MORE = Pattern(
    r"\b(?:metade|parte|dobro|vezes|dois|duas|mas|porem|so que|exceto|menos|falt\w+|ainda|errad[oa]s?|quero|queria(?! (?:saber|isso|tirar|confirmar|entender)\b)|preciso(?! (?:de )?(?:\w+ )?mais)|cade|quando|como|onde|qual|quanto|nunca"
    r"|nao (?!preciso|precisa|vou|quero|tenho)|problema (?!(?:ja |ta |esta |foi )*resolvido)"
    r"|(?:pacote|encomenda|pedido|produto|compra|caixa) d[aoe]s? (?:vizinh|outr)\w+|wrong|broken|damaged|late|missing|another|empty|but|not|isnt|hasnt|didnt|still|only)\b"
)
_THERE = Pattern(
    r"\b(?:deu (?:tudo )?certo|(?:ja |ta |esta |caindo )+na (?:minha )?conta|no spam|na lixeira|got (?:it|my|the)|refunds? in)\b"
)
_AND = Pattern(r" (?:e|and) ")


def only_tells_it_is_done(clause: str) -> bool:
    """Tell whether a clause only says that something arrived, was solved or is over."""
    said = _MANAGED.sub(r"\1", written_out(clause)).strip()
    if not said or _MORE.search(said):
        return False
    return _is_done(said) or all(_is_done(part) for part in _AND.split(said))


def says_nothing_is_left(clause: str) -> bool:
    """Tell whether a clause says that there is nothing more: a goodbye in itself."""
    return _NOTHING_LEFT.fullmatch(written_out(clause)) is not None


def is_harmless(clause: str) -> bool:
    """Tell whether a clause tells of the matter in harmless words, well or not ("vocês me cobraram")."""
    said = written_out(clause)
    return _MORE.search(said) is None and all(word in _PLAIN or word in _WELL for word in said.split())


def asks_for_more(clause: str) -> bool:
    """Tell whether a clause holds a word that makes it more than news: a wish, a doubt, a lack."""
    return _MORE.search(written_out(clause)) is not None


def _is_done(said: str) -> bool:
    return any(pattern.fullmatch(said) for pattern in (_NOTHING_LEFT, _OVER)) or _tells_well(said.split())


def _tells_well(words: list[str]) -> bool:
    unknown = [place for place, word in enumerate(words) if word not in _PLAIN and word not in _WELL]
    named = len(unknown) == 1 and unknown[0] > 0 and words[unknown[0] - 1] in _ARTICLES and len(words[unknown[0]]) > 3
    return (not unknown or named) and (
        any(word in _WELL for word in words) or _THERE.search(" ".join(words)) is not None
    )
