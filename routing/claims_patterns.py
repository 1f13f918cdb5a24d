"""The forms in which a reply announces something, in Portuguese and English. Compiled when first asked for."""

import re
from functools import cache
from typing import NamedTuple

_AR = [
    "cancel",
    "registr",
    "solicit",
    "alter",
    "atualiz",
    "troc",
    "agend",
    "encaminh",
    "liber",
    "process",
    "efetu",
    "finaliz",
    "inici",
    "program",
    "marc",
    "reserv",
    "aplic",
    "autoriz",
    "aprov",
    "reembols",
    "estorn",
    "credit",
    "ajust",
    "adicion",
    "cadastr",
    "formaliz",
    "acion",
    "reenvi",
    "providenci",
    "notific",
]
_IRREGULAR = {
    "abrir": ("abri", "abrimos", "abert", "abrindo", "abriu"), "incluir": ("inclui", "incluimos", "incluid", "incluindo", "incluiu"),
    "corrigir": ("corrigi", "corrigimos", "corrigid", "corrigindo", "corrigiu"), "pedir": ("pedi", "pedimos", "pedid", "pedindo", "pediu"),
    "devolver": ("devolvi", "devolvemos", "devolvid", "devolvendo", "devolveu"), "deferir": ("deferi", "deferimos", "deferid", "deferindo", "deferiu"),
    "concluir": ("conclui", "concluimos", "concluid", "concluindo", "concluiu"), "fazer": ("fiz", "fizemos", "feit", "fazendo", "fez"),
    "remover": ("removi", "removemos", "removid", "removendo", "removeu"), "emitir": ("emiti", "emitimos", "emitid", "emitindo", "emitiu"),
    "aceitar": ("aceitei", "aceitamos", "aceit", "aceitando", "aceitou"), "conceder": ("concedi", "concedemos", "concedid", "concedendo", "concedeu"),
    "ressarcir": ("ressarci", "ressarcimos", "ressarcid", "ressarcindo", "ressarciu"),
    "lancar": ("lancei", "lancamos", "lancad", "lancando", "lancou"),
    "realizar": ("realizei", "realizamos", "realizad", "realizando", "realizou"),
}  # fmt: skip
_EN = {
    "cancel": "cancel(?:l?ed)", "refund": "refunded", "open": "opened", "approve": "approved", "authorize": "authori[sz]ed",
    "process": "processed", "issue": "issued", "change": "changed", "update": "updated", "submit": "submitted",
    "schedule": "scheduled", "file": "filed", "create": "created", "register": "registered", "arrange": "arranged",
    "request": "requested", "exchange": "exchanged", "initiate": "initiated", "grant": "granted", "credit": "credited",
    "apply": "applied", "reverse": "reversed", "accept": "accepted", "log": "logged", "raise": "raised", "start": "started",
    "complete": "completed", "send": "sent", "book": "booked", "return": "returned", "waive": "waived", "give": "given",
}  # fmt: skip

# Nouns whose state is our doing. What carriers and banks do to parcels and payments is reading, not announcing.
_DOING = (
    r"(?:pedido|compra|chamado|devolucao|troca|solicitacao|reclamacao|reembolso|estorno|cancelamento|endereco|cadastro|coleta|analise"
    r"|valor|credito|cobranca|dinheiro|pix|desconto|cupom|protocolo|telefone|e-?mail|assinatura)"
)
_REQUESTS = r"(?:chamado|devolucao|troca|solicitacao|reclamacao|reembolso|estorno|cancelamento|coleta|analise|credito)"
_DOING_EN = (
    r"(?:order|purchase|ticket|return|exchange|request|complaint|refund|cancellation|address|account|pickup|review|claim|charge"
    r"|discount|money|subscription|case|credit|store credit)"
)
_ADVERB = r"(?:\s+(?:ja|agora|sendo|tudo|devidamente|finalmente|oficialmente|automaticamente|integralmente|com sucesso|sim|entao|ate)){0,2}"
_ADVERB_EN = r"(?:\s+(?:now|already|just|been|being|successfully|finally|fully|officially|also|automatically)){0,3}"


_LOOKING = r"\s+(?:up\s+)?(?:your|the)\s+(?:(?:order|account)(?:'s)?\s+(?:details|history|page|information)|tracking|history|details)\b"
_CLOSED = r"(?=\s*(?:[.!,;]|$|com sucesso|para\b|sob\b|agora|hoje))"
# "pode ser cancelado", "caso seja aprovado", "quando for": nothing has happened yet.
_NOT_BEING = r"(?<!\bser )(?<!\bseja )(?<!\bsejam )(?<!\bfor )(?<!\bforem )(?<!\bfosse )(?<!\bsera )(?<!\bserao )"


class Form(NamedTuple):
    """How a claim is put. `tense`: past (done), future (will be), now (in progress); `own`: we say that we do it."""

    pattern: re.Pattern[str]
    tense: str
    own: bool


def _pt() -> dict[str, str]:
    past = [f"{stem}(?:uei|quei|ei|amos)" for stem in _AR] + [form for v in _IRREGULAR.values() for form in v[:2]]
    past = [
        form.replace("marc(?:uei|quei", "mar(?:quei")
        .replace("troc(?:uei|quei", "tro(?:quei|c")
        .replace("aplic(?:uei|quei", "apli(?:quei|c")
        for form in past
    ]
    infinitive = [f"{stem}ar" for stem in _AR] + list(_IRREGULAR)
    loose = {"feit", "pedid", "realizad", "efetuad", "concluid", "iniciad"}  # a purchase is "feita" by the customer
    participle = [p for p in (*(f"{stem}ad" for stem in _AR), *(v[2] for v in _IRREGULAR.values())) if p not in loose]
    participle += ["resolvid", "confirmad"]
    gerund = [f"{stem}ando" for stem in _AR] + [v[3] for v in _IRREGULAR.values()]
    third = [f"{stem}ou" for stem in _AR] + [v[4] for v in _IRREGULAR.values()]
    return {name: "(?:" + "|".join(forms) + ")" for name, forms in
            {"past": past, "inf": infinitive, "part": participle, "ger": gerund, "third": third}.items()}  # fmt: skip


@cache
def forms() -> tuple[Form, ...]:
    """Return the announcing forms of actions, approvals and refunds."""
    pt = _pt()
    done = "(?:" + "|".join(_EN.values()) + ")"
    base = "(?:" + "|".join(_EN) + ")"
    ger = "(?:" + "|".join(f"{verb.rstrip('e')}l?(?:t)?ing" for verb in _EN) + ")"
    ours = r"(?:loja|equipe|financeiro|time|setor|sistema|supervisor\w*|gerente|area|atendente|colega|empresa|banco|a gente)"
    ours_en = r"(?:team|store|billing|department|supervisor|manager|system|company|bank|colleague)"
    table = (
        (rf"\b{pt['past']}\b", "past", True),
        (rf"\b(?:acabei|acabamos|acabou) de\s+{pt['inf']}\b", "past", True),
        (rf"\b(?:vou|vamos|irei|iremos)\s+(?:ja\s+|te\s+|agora\s+)?{pt['inf']}\b", "future", True),
        (rf"\b{pt['inf']}(?:ei|emos)\b", "future", True),
        (rf"\b(?:estou|estamos)\s+(?:ja\s+|te\s+)?{pt['ger']}\b", "now", True),
        (rf"\b{ours}\b[^.;!?]{{0,30}}?\b{pt['third']}\b", "past", True),
        (rf"\bele[s]?\s+(?:ja\s+)?{pt['third']}\b", "past", True),
        (rf"\b{ours}\b[^.;!?]{{0,20}}?\b(?:vai|vao|ira|irao)\s+{pt['inf']}\b", "future", True),
        (rf"\b{_REQUESTS}\b[^.;!?]{{0,60}}?\b(?:foi|foram)\b{_ADVERB}\s+(?:feit|pedid|realizad|efetuad|concluid|iniciad|enviad)[oa]s?\b", "past", False),
        (rf"\b{_DOING}\b[^.;!?]{{0,60}}?\b(?:foi|foram|fica|ficou|acaba de ser|acabou de ser)\b{_ADVERB}\s+{pt['part']}[oa]s?\b", "past", False),
        (rf"\b{_DOING}\b[^.;!?]{{0,60}}?\b(?:esta|estao)\b{_ADVERB}\s+{pt['part']}[oa]s?\b", "past", False),
        (rf"\b{_DOING}\b[^.;!?]{{0,60}}?\b(?:sera|serao|vai ser|vao ser)\b{_ADVERB}\s+{pt['part']}[oa]s?\b", "future", False),
        (r"\b(?:voce|sera|vai ser)\s+(?:sera\s+|vai ser\s+)?(?:reembolsad|ressarcid|estornad)[oa]s?\b", "future", False),
        (rf"{_NOT_BEING}\b(?:cancelad|aprovad|autorizad|reembolsad|estornad|ressarcid|deferid)[oa]s?\b", "past", False),
        (r"\b(?:aprov|autoriz|cancel|estorn|reembols|liber)aram\b", "past", True),
        (r"\b(?:mandei|mandamos|pedi para|pedimos para|ja pedi pra)\s+(?:cancelar|estornar|reembolsar|aprovar|devolver)\b", "past", True),
        (r"\b(?:consegui(?:mos)?|obtive(?:mos)?|recebeu|teve|ganhou|saiu)\s+(?:a|o|seu|sua)?\s*(?:aprovacao|autorizacao|estorno|reembolso|cancelamento|cancelar|estornar|aprovar)\b", "past", True),
        (rf"\b(?:reembolso|estorno|cancelamento)\b[^.;!?]{{0,40}}?{_NOT_BEING}\b(?:enviad|confirmad|garantid|realizad|feit|efetuad|processad|emitid|concluid|registrad)o\b", "past", False),
        (rf"^\W*(?:(?:pronto|prontinho|ok|certo|otimo|feito|tudo certo)\W+)?(?:(?:o|a|seu|sua|sim)\s+)?{_DOING}(?:\s+(?:do|da|de|no|integral|parcial|total)\s?[^,.;!?]{{0,30}}?)?\s+(?:ja\s+)?(?:{pt['part']}|feit|realizad|efetuad|concluid)[oa]s?\b{_CLOSED}", "past", False),
        (r"^\W*(?:feito|resolvido|cancelado|aprovado|autorizado|estornado|reembolsado)\W*$", "past", True),
        (r"\b(?:reembolso|estorno|credito|dinheiro|valor)\b[^.;!?]{0,40}?\b(?:ja\s+)?(?:caiu|saiu|voltou|entrou|esta a caminho|ja esta a caminho|esta em andamento|esta em processamento)\b", "now", False),
        (r"\b(?:receber(?:a)?|vai receber|recebera)\s+(?:o\s+|seu\s+|um\s+)?(?:estorno|reembolso|dinheiro|credito)\b", "future", False),
        (r"\b(?:reembolso|estorno)\b[^.;!?]{0,20}?\besta garantid[oa]\b", "past", False),
        (rf"\b(?:i|we)(?:'ve|\s+have)?(?:\s+(?:just|already|now|also|successfully|gone ahead and))*\s+{done}\b", "past", True),
        (rf"\b(?:i|we)(?:'ll|\s+will|\s+shall|'m going to|\s+am going to|'re going to)\s+(?:now\s+|also\s+)?{base}\b(?!{_LOOKING})", "future", True),
        (rf"\b(?:i|we)(?:'m|\s+am|'re|\s+are)\s+(?:now\s+|currently\s+)?{ger}\b(?!{_LOOKING})", "now", True),
        (rf"\b{ours_en}\b[^.;!?]{{0,20}}?(?<!been )(?<!was )(?<!were )(?<!be )\b{done}\b", "past", True),
        (rf"\b{ours_en}\b[^.;!?]{{0,20}}?\bwill\s+{base}\b", "future", True),
        (rf"\b{_DOING_EN}\b[^.;!?]{{0,40}}?\b(?:has|have|had|was|were)\b{_ADVERB_EN}\s+(?:{done}|confirmed)\b", "past", False),
        (rf"\b{_DOING_EN}\b[^.;!?]{{0,40}}?(?:\b(?:is|are)|'s)\b{_ADVERB_EN}\s+(?:{done}|confirmed)\b", "now", False),
        (rf"\b(?:{_DOING_EN}|you|it)\b[^.;!?]{{0,30}}?\b(?:will|is going to|are going to)\s+be(?:\s+\w+ly)?\s+{done}\b", "future", False),
        (r"(?<!\bbe )(?<!\bbeing )(?<!\byou )(?<!\bget )(?<!\bcannot be )\b(?:cancel(?:l?ed)|approved|authori[sz]ed|refunded|credited|reversed)\b", "past", False),
        (r"\b(?:cancellation|refund|return|exchange)\b[^.;!?]{0,20}?\b(?:went through|is (?:done|complete|final|in place)|has gone through)\b", "past", False),
        (r"\b(?:tenho|temos|ja tenho)\s+(?:a|o)\s+(?:aprovacao|autorizacao|ok)\b|\bdeu\s+(?:o\s+)?(?:ok|aval|sinal verde)\b", "past", True),
        (r"\b(?:i|we)(?:'ve|\s+have)?\s+(?:just\s+)?put\s+(?:your|the|a)\s+(?:refund|return|exchange|cancellation)\s+through\b", "past", True),
        (r"\bsigned off on\b[^.;!?]{0,20}?\b(?:refund|return|exchange|cancellation)\b", "past", True),
        (r"\b(?:money|refund|credit)\b[^.;!?]{0,30}?\b(?:is|are)\s+(?:already\s+|now\s+)?(?:on (?:its|the) way|in progress|under way|guaranteed)\b", "now", False),
        (r"\b(?:will|'ll)\s+(?:send|get|receive|give|have)\s+(?:you\s+)?(?:your|the|a)?\s*(?:full\s+)?(?:money|refund|credit)\b", "future", True),
        (rf"^\W*(?:(?:done|ok|great|all set)\W+)?(?:(?:your|the)\s+)?{_DOING_EN}\s+(?:now\s+|successfully\s+)?(?:{done}|confirmed)\b", "past", False),
        (r"^\W*(?:done|all done|all set|cancel(?:l?ed)|refunded|approved)\W*$", "past", True),
    )  # fmt: skip
    return tuple(Form(re.compile(pattern), tense, own) for pattern, tense, own in table)


_PEOPLE = r"(?:atendente|pessoa|equipe|time|setor|financeiro|supervisor\w*|especialista|humano|responsavel|area|colega|gerente|trocas|suporte|entregas|cobrancas?)"
_PEOPLE_EN = (
    r"(?:agent|person|human|team|department|billing|support|returns|specialist|supervisor|colleague|manager|someone)"
)


@cache
def transfers() -> re.Pattern[str]:
    """Return the forms that announce a transfer, to a specialist or to a person."""
    return re.compile(
        r"\b(?:(?:vou|vamos|irei|estou|ja|acabei de)\s+(?:te\s+|lhe\s+|ja\s+|o\s+)?(?:transfer\w+|pass(?:ar|ando)\s+(?:voce|seu caso|a conversa|para|o seu)"
        r"|encaminh\w+|direcion\w+|conect\w+|redirecion\w+)"
        r"|te\s+(?:transfir\w+|transferi|passo|passei|encaminh\w+|conect\w+|passando)|(?:estou|vou)\s+te\s+pass(?:ando|ar)"
        rf"|transferi(?:mos)?\b|(?:encaminhei|encaminhamos|passei|passamos|direcionei|enviei)\s+[^.;!?]{{0,30}}?\b(?:para|ao|a|pro|pra)\s+[^.;!?]{{0,16}}?{_PEOPLE}"
        rf"|(?:vou|vamos)\s+(?:chamar|acionar)\s+[^.;!?]{{0,20}}?{_PEOPLE}|(?:chamei|acionei|chamamos|acionamos)\s+[^.;!?]{{0,20}}?{_PEOPLE}"
        rf"|(?:um|uma|o|a|nosso|nossa)\s+{_PEOPLE}[^.;!?]{{0,12}}?\s(?:vai|ira)\s+(?:assumir|te atender|continuar|falar com voce|seguir)"
        r"|(?:i'm|i am|we're|we are|i'll|i will|let me|i'm going to)\s+(?:now\s+)?(?:transfer\w*|connect\w*|forward\w*|pass(?:ing)?|hand(?:ing)?|redirect\w*|escalat\w*)"
        r"|(?:i|we)(?:'ve|\s+have)?(?:\s+just)?\s+(?:transferred|forwarded|passed|escalated|handed|connected)"
        rf"|(?:an?|our)\s+{_PEOPLE_EN}\s+(?:will be with you|will take over|is taking over|will continue)"
        rf"|(?:i|we)(?:'ve|'ll|\s+have|\s+will)?\s+call(?:ed)?\s+(?:a|an|someone|in a)\s+[^.;!?]{{0,12}}?{_PEOPLE_EN})\b"
    )


@cache
def callbacks() -> re.Pattern[str]:
    """Return the forms that promise to come back to the customer."""
    return re.compile(
        r"\b(?:te (?:ligo|aviso|retorno|respondo (?:por|ate|amanha|em)|dou (?:um )?retorno|mando (?:uma )?(?:mensagem|noticia))|(?:ligo|retorno|aviso) (?:para|pra) voce"
        r"|(?:vou|vamos|vai|vao|ira|irao|iremos)\s+(?:te\s+|lhe\s+)?(?:ligar|telefonar|avisar|retornar|dar (?:um )?retorno|responder (?:por|em|ate|ainda)|entrar em contato|contatar|procurar)"
        r"|(?:ligaremos|avisaremos|retornaremos|entraremos em contato|entrara em contato|entrarao em contato|retornara|retornarao|contatara|daremos (?:um )?retorno)"
        r"|(?:alguem|uma pessoa|um atendente|a equipe|nossa equipe)[^.;!?]{0,20}?\s(?:te (?:retorna|liga|procura|avisa)|retorna o contato|entra em contato)"
        r"|te\s+(?:retornamos|ligamos|avisamos)"
        r"|(?:will|'ll|is going to|are going to)\s+(?:call|phone|contact|notify|update|email)\s+you|(?:will|'ll)\s+(?:get|be|come)\s+(?:back to|in touch)"
        r"|(?:i|we)(?:'ll|\s+will)\s+(?:let you know|keep you (?:posted|updated)|reach out|follow up)|(?:will|'ll)\s+(?:reach out|follow up))\b"
    )


@cache
def deadlines() -> re.Pattern[str]:
    """Return the forms that say when something will happen."""
    number = r"(?:\d{1,3}|um|uma|dois|duas|tres|cinco|sete|dez|one|two|three|five|seven|ten|poucos|alguns|a few)"
    unit = r"(?:dias?(?: ute(?:is|l))?|horas?|semanas?|minutos?|faturas?|meses|mes|(?:business |working )?days?|hours?|weeks?|minutes?|statements?|months?)"
    day = r"(?:amanha|hoje|segunda|terca|quarta|quinta|sexta|sabado|domingo|tomorrow|today|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    date = r"(?:\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2} de [a-z]{3,9}|(?:january|february|march|april|june|july|august|september|october|november|december) \d{1,2})"
    will = (
        r"(?:cheg\w+|vai|vao|sera|serao|ira|receb(?:e|era|er)\b|entreg(?:amos|aremos|ara)\b|cai\b|caira|volta\b|voltara|sai\b|acontec\w+|resolv\w+|liberad\w+"
        r"|will|'ll|arrives?|is going to|gets? to|should)"
    )
    span = rf"(?:(?:em|ate|dentro de|no prazo de|within|in|by|on|dia|until|para)\s+(?:ate\s+|o dia\s+|a\s+|o\s+|dia\s+)?(?:{number}\s+{unit}|{day}|{date})|\b{day}\b)"
    return re.compile(
        rf"\b{will}[^.;!?]{{0,60}}?\b{span}|^\W*(?:o\s+)?prazo\s+(?:e|sera|de entrega e)\s+(?:de\s+)?(?:ate\s+)?{number}\s+{unit}"
    )


@cache
def internals() -> re.Pattern[str]:
    """Return what belongs to the machinery and never to a customer (on the text as it is)."""
    return re.compile(
        r"\b(?:call|toolu|chatcmpl|run|msg|resp)_[A-Za-z0-9]{6,}|\{\s*\"[\w-]+\"\s*:|\[\s*\{|Traceback \(most recent|\b\w+(?:Error|Exception)\b\s*:"
        r"|(?i:\btransferring back\b|\btransfer_(?:to|back)_\w+|\bnot_mine\b|\bnote_hypothesis\b|<\/?briefing>|\btool[_ ]?calls?\b|\bsystem prompt\b)"
        r"|\b[a-z]+(?:_[a-z]+)+\(|^\s*File \"[^\"]+\", line \d+"
    )
