"""Words with which a customer asks for a person, and the ones that only speak of one."""

import re
from functools import cache

from routing.pattern import Pattern
from routing.short_forms import written_out
from routing.text import fold, normalise

# Over normalised clauses. A noun that means "a person who answers".
_STAFF = (
    r"(?:atendentes?(?: human[oa]| de verdade| real)?|human[oa]s?|ser(?:es)? humano|gerente|gerencia|supervisora?|ouvidor(?:a|ia)?|operador(?! d[eo])|uma operadora(?! d[eoa])"
    r"|responsavel|funcionari[oa]|representante|atendimento (?:humano|pessoal|com (?:gente|pessoa|humano|atendente))|suporte humano|consultor(?:a)?|chefe|superior(?:es)?)"
)
_ATTENDANT = r"(?:atendentes?(?: human[oa]| de verdade| real)?|human[oa]s?|ser humano|operador(?! d[eo])|atendimento (?:humano|com (?:gente|pessoa|humano|atendente))|suporte humano)"
_ANYONE = r"(?:pessoas?(?: de verdade| de carne e osso| real| reais| humana)?|alguem(?: de verdade| de carne e osso| real| humano)?|gente(?: de verdade| real| de carne e osso| como a gente)?)"
_EN_STAFF = (
    r"(?:(?:live |human |real |actual )?(?:agents?|humans?|representatives?|reps?|operator|advisor|manager|supervisor|human being)"
    r"|(?:real |actual |live |human )(?:person|people|being|someone)|someone (?:real|human)|customer service rep(?:resentative)?)"
)
_EN_ANYONE = r"(?:person|people|someone|somebody|anyone|human)"
# Only after a verb of speaking: "o dono" of the parcel is somebody else.
_WHO_DECIDES = r"(?:don[oa](?: da loja)?|diretor(?:a|ia)?|chefia|quem (?:manda|resolve|resolva|decide|decida|entende|entenda|manje))"
_HELPER = r"(?:(?:pessoa|alguem|gente|atendente|humano) que (?:me )?(?:resolva|entenda|leia|escute|ouca|decida|preste|saiba)|(?:moc[oa]|menin[oa]|rapaz|senhora?|pessoa|alguem) (?:pra|para|que) (?:me )?(?:atend|explic|ouv|ouc|escut|entend)\w+)"
_MACHINE = r"(?:robos?|bots?|maquinas?|ia|inteligencia artificial|chatbot|assistente virtual|computador|gravacao|atendimento (?:automatico|virtual|eletronico))"
_TIRED = (
    r"(?:nao (?:quero|aguento|vou|gosto de|to a fim de|estou a fim de|adianta|da pra)(?: (?:mais|ficar|de|pra|para))*|cansei de|cansad[oa] de|chega de|odeio|detesto|parar de|para de|de saco cheio de"
    r"|sem|para com|nada de|sair d[oa]|sair dess[ea]|(?:chega|cansei) dess[ea](?= (?:robos?|bots?|ia|chatbot|assistente virtual|atendimento)))"
)
_ARTICLE = r"(?:(?:um|uma|o|a|os|as|algum|alguma|outr[oa]|qualquer|logo|direto|direta|so|seu|sua) )*"
_EN_ARTICLE = r"(?:(?:a|an|the|some|any|another|your|one of your) )?"
_WANT = (
    r"(?:quero|queria|gostaria|gostava|preciso|precisava|necessito|desejo|prefiro|exijo|posso|poss?ivel|consigo|conseguiria|poderia|pode|podia|podemos|da|daria|tem como|teria como|tem jeito|deixa eu|deixe me|deixa"
    r"|(?:como|onde) (?:eu )?(?:faco|consigo|posso|faz|faria)|bora|vamos|vou querer|to querendo|estou querendo|tentando|ja pedi|to pedindo|estou pedindo|pedi|so (?:falo|quero)|faz favor|por favor|pfv|pf|pfvr|pls|me deixa|me deixe|insisto em|solicito|opcao(?: de)?)"
)
_TALK = r"(?:falar|conversar|falo|tratar|resolver(?: isso)?|resolvo(?: isso)?|fala|contato|conversa|converso|bater um papo|ser atendid[oa]|ser ouvid[oa]|atendimento|reclamar|negociar|me entender|lidar|sentar)"
_TO_TALK = r"(?: (?:de|em|pra|para|por favor|eu|muito|so|e|mesmo|agora|ja|logo|urgente|urgentemente|pra mim))*"
_PASS = r"(?:passa|passe|passar|transfere|transfira|transferir|transfer|encaminha|encaminhe|encaminhar|direciona|direcione|direcionar|conecta|conecte|conectar|coloca|coloque|colocar|bota|poe|liga|redireciona)"
_CALL = r"(?:chama|chame|chamar|chamem|aciona|acione|acionar|convoca)"
_TAIL = r"(?: (?:pfv|pf|pfvr|por favor|pls|please|agora|ja|urgente|ai|aqui|ne|logo|now|asap|pra mim|mesmo|hoje|online|disponivel|e so isso|obrigad[oa]|caramba|porra|pelo amor de deus|tem|cade))*"
_HELLO = r"(?:(?:oi|ola|bom dia|boa tarde|boa noite|moc[oa]|hi|hello|hey|please|por favor|pfv|so|entao|ai|olha|nao) )*"

_ASKS = (
    # The noun alone: "atendente", "humano pfv", "agent".
    rf"^{_HELLO}(?:opcao (?:de )?|digit[eo] \d )?{_ARTICLE}(?:{_STAFF}|pessoas? de verdade|pessoa humana|(?:pessoa|gente|humano) mesmo|pessoa real|gente de verdade|{_EN_STAFF}|a human|real person){_TAIL}$",
    rf"\b{_WANT}{_TO_TALK} {_TALK}(?: (?:direto|diretamente|agora|ja|urgente|logo|por favor|aqui|por telefone|pelo telefone))* (?:com|por|pra|c) {_ARTICLE}(?:{_STAFF}|{_ANYONE}|{_WHO_DECIDES})\b",
    rf"\bso (?:falo|converso|resolvo|trato|negocio)(?: isso)? com {_ARTICLE}(?:{_STAFF}|{_ANYONE}|{_WHO_DECIDES})\b",
    rf"^{_HELLO}(?:opcao )?{_TALK}(?: (?:direto|agora|ja))* (?:com|por) {_ARTICLE}(?:{_STAFF}|{_ANYONE})\b",
    rf"\b(?:quero|queria|preciso(?: de)?|gostaria de|prefiro|exijo|me da|me de|me arruma|arruma|manda|me manda|me ve|solicito|posso ter|necessito(?: de)?|desejo) (?:ter )?{_ARTICLE}(?:{_STAFF}|pessoa(?! \w*[aeiou]r\b)(?: de verdade| real| humana)?$|pessoa (?:de verdade|real|humana)|alguem (?:de verdade|real|humano)|gente de verdade)\b",
    rf"\b(?:me |nos )?{_PASS}(?: (?:me|logo|ai|por favor|pfv|isso|a ligacao|a conversa|o atendimento|esse atendimento|o chat|agora|ja))* (?:pr[oa]|para|pra|a|ao|com|em contato com) {_ARTICLE}(?:{_STAFF}|{_ANYONE})\b",
    rf"\bme {_PASS}(?: logo)? {_ARTICLE}(?:{_STAFF})\b",
    rf"\b(?:{_PASS}|traz|traga|arranja|arruma)(?: (?:ai|aqui|logo|por favor|pfv|pra mim))* (?:logo )?(?:(?:um|uma|outr[oa]|algum|alguma) (?:{_ATTENDANT}|gerente|supervisora?|(?:pessoa|alguem) (?:de verdade|real|humano))|alguem (?:de verdade|humano|real)|gente (?:de verdade|humana|real))\b",
    rf"\b(?:me |nos )?{_PASS}(?: (?:me|logo|ai|por favor|pfv|agora|ja))* (?:pra|para|p) (?:eu )?(?:falar|conversar|ser atendid[oa])(?: (?:com|por))? {_ARTICLE}(?:{_STAFF}|{_ANYONE}|{_WHO_DECIDES})\b",
    rf"\b(?:telefone|numero|contato|whats(?:app)?|zap|ramal|canal|link|opcao|botao|tecla)(?: \w+)? (?:pra|para|de) (?:falar|conversar|contato|ser atendid[oa])(?: (?:com|por))? {_ARTICLE}(?:{_STAFF}|{_ANYONE})\b",
    rf"\b(?:contato|telefone|numero|whats(?:app)?|zap|ramal) (?:de|do|da) {_ARTICLE}(?:{_ATTENDANT}|gerente|supervisora?|pessoa|alguem)(?! (?:que|d[oae]|da)\b)(?= (?:de verdade|real|humana?|ai|por favor|pfv|pra)\b|$)",
    rf"\b(?:quero|queria|preciso(?: de)?|prefiro|exijo|gostaria de|me arruma|cade|passa pra|me passa pra|chama|manda) {_ARTICLE}{_HELPER}\b",
    r"\b(?:da|daria|tem como|teria como|pode)(?: (?:pra|para))? alguem (?:de verdade |humano )?me atender de verdade\b|\balguem de verdade (?:me )?(?:atend|respond|ajud|lig)\w+",
    rf"^{_HELLO}(?:(?:voce|vc) )?(?:(?:pode|poderia|consegue|quero que|tem como) )?me (?:transfere|transfira|transferir)(?: (?:daqui|ai|logo))*{_TAIL}$",
    rf"\bme manda (?:pr[oa]|para|pra) {_ARTICLE}(?:{_STAFF})\b",
    rf"\b(?<!se ){_CALL}(?: (?:ai|logo|por favor|pra mim|pfv))* {_ARTICLE}(?:{_STAFF}|{_ANYONE}(?! (?:que|de la)))\b",
    rf"\b(?:tem|ha|existe|teria|cade|nao tem|voces tem|vcs tem|sera que tem|onde (?:esta|ta|tem|acho|encontro))(?: (?:o|a|os|um|uma|algum|alguma|voces|ai))* (?:{_ATTENDANT}|pessoas? (?:de verdade|de carne e osso|real|humana)|gente (?:de verdade|de carne e osso)|alguem (?:de verdade|de carne e osso|humano|real))(?! (?:que|de ontem|da loja|me|disse|falou))\b",
    rf"\b(?:quero|prefiro|preciso|queria|gostaria de|posso|exijo) ser (?:atendid[oa]|ajudad[oa]) (?:por|pel[oa]) {_ARTICLE}(?:{_STAFF}|{_ANYONE})\b",
    rf"\b(?:quero|preciso|queria|gostaria|peco|exijo|solicito|espero) que (?:{_ARTICLE}(?:{_STAFF}|{_ANYONE})) (?:me )?(?:ligue|ligasse|atenda|atendesse|chame|entre em contato|fale comigo|assuma|me responda|responda)\b",
    rf"\b(?:{_STAFF}|alguem de verdade|pessoa de verdade) (?:pode|poderia|consegue) (?:me )?(?:atender|ajudar|responder|ligar|assumir)\b",
    r"\b(?:alguem|gente|pessoa|ser humano)(?: ai)?(?: d[ei])? carne (?:e|i) osso\b|\bpass[ea] me (?:a|para|pra) el[ea]\b",
    r"\b(?:haveria|ha|tem|teria|existe)(?: (?:ai|aqui))?(?: (?:um|uma|algum|alguma|ou|moc[oa]|rapaz|menin[oa]|pessoa|alguem|senhora?|funcionari[oa]|atendente))+ que (?:pudesse|possa|poderia|pode) me (?:atender|ouvir|explicar|ajudar)\b",
    # No machine means a person.
    rf"\b{_TIRED}(?: (?:falar|falando|conversar|conversando|resolver|falo|perder tempo|lidar|lidando))+(?: com| por)? {_ARTICLE}(?:ess[ea] |est[ea] )?{_MACHINE}(?! (?:aspirador|de (?:lavar|secar|cafe|costura)))\b",
    rf"\b{_TIRED}(?: \w+){{0,3}} de (?:robo|bot|maquina) (?:em|pra|para|a) (?:robo|bot|maquina)\b|^{_HELLO}{_MACHINE} nao(?: (?:por favor|pfv|ne|da))*$|^(?:no|stop)(?: more)?(?: the)? (?:bots?|robots?|chatbots?|automated (?:answers|replies))(?: please)?$",
    rf"\b{_TIRED}(?: (?:mais|com|de))* (?!computador|gravacao){_MACHINE}(?! (?:aspirador|que|de|da|do|novo|pequeno|grande|azul|preto|branco))\b",
    # English.
    rf"\b(?:speak|talk|chat|connect me|get me|put me through|put me on|transfer me|pass me|forward me|switch me|escalate(?: this| me)?|hand me over|be transferred|get through)(?: (?:directly|now|please|over))* (?:to|with)? ?{_EN_ARTICLE}(?:{_EN_STAFF}|{_EN_ANYONE})\b",
    rf"\b(?:want|need|would like|d like|id like|get me|give me|send me|prefer|require|let me have|can i (?:get|have)|could i (?:get|have)|may i have|connect me to) {_EN_ARTICLE}(?:{_EN_STAFF}|human|person(?: please)?$)\b(?! (?:who|size|shaped|resources|hair))",
    r"\b(?:put|bring|get|send) (?:me )?(?:an? |some |the )?(?:human|real person|live agent|agent|rep|representative|manager|supervisor)(?: on| in| here)?(?: please)?$|\b(?:anyone|someone|somebody|anybody) (?:real|human)\b",
    r"\b(?:can|could|will|would) (?:an? |some |your )?(?:human(?: being)?|real person|person|someone real|manager|agent|representative|supervisor) (?:please )?(?:call|ring|phone|contact|help|answer|talk to|speak to|get back to) me\b",
    r"^(?:please )?(?:can|could) you (?:please )?(?:transfer|escalate|forward) me(?: please| now)?$",
    rf"\b(?:is there|are there|do you have|where is|wheres) {_EN_ARTICLE}(?:{_EN_STAFF}|human)(?: (?:here|there|available|i can|that i can|around))?\b",
    rf"^(?:i )?(?:dont|do not|no longer) want to (?:talk|speak|chat) (?:to|with) {_EN_ARTICLE}(?:bot|robot|machine|ai|computer|chatbot)\b|\b(?:no more|tired of|sick of)(?: talking to)? (?:bots?|robots?|machines?)\b",
)  # fmt: skip

# The wish itself is negated ("não quero atendente"); "não consigo falar com ninguém" is none of these.
_NEGATED = (
    rf"\b(?:nao|nem|nunca|sem)(?: (?:e|eu|me|mais|vou|to|estou|ha|tem|seria|era|foi))* (?:quero|queria|querendo|preciso|precisa|precisava|precisar|necessito|gostaria|pretendo|vou|adianta|desejo|necessidade|faco questao|pedi|ter que|ter de|precisando|falar|conversar|solicitei)\b.{{0,40}}?\b(?:{_STAFF}|{_ANYONE})\b",
    rf"\b(?:nao|nem)(?: (?:me|precisa|preciso|e|era|seria|pra|para|caso|de|ha|tem|necessidade|quero que))* (?:{_PASS}|{_CALL}|manda)\b.{{0,30}}?\b(?:{_STAFF}|{_ANYONE})\b",
    rf"\b(?:dont|do not|didnt|did not|no need|without|not|wont)\b.{{0,30}}?\b(?:{_EN_STAFF}|{_EN_ANYONE})\b",
    # Told, not asked: "ontem consegui falar com um atendente".
    rf"\b(?:fui|consegui|acabei de|acabo de|depois de|apos|ao|antes de|quando|tentei|tive que|cheguei a|me (?:mandaram|pediram|disseram)|pedi ontem|ontem pedi) (?:{_TALK}|transferid[oa])\b",
    r"\b(?:falar|conversar|talk|speak) (?:com|to|with) (?:a |the )?(?:pessoa|person|people|gente) (?:d[oa] (?:lado|portaria)|errada)\b",
)  # fmt: skip
_MENTIONS = rf"\b(?:{_STAFF}|{_EN_STAFF})\b"
_CLAUSE = Pattern(r"[.,;:!?\n()\u2026\u2014\u2013]+|\s-\s|\b(?:mas|porem|but|so que)\b")
_QUOTED_LINE = Pattern(r"(?m)^\s*>.*$")
_MAX_CLAUSES = 60


def asks_person(text: str) -> bool:
    """Tell whether the message asks for a person, in Portuguese or English."""
    return any(_asks(clause) for clause in _clauses(text))


def without_refusals(text: str) -> str:
    """Return the text without quoted lines and clauses that decline a person or tell of one; as it is where it has none."""
    _, negated, machine = _compiled()
    clauses = _clauses(text)
    kept = [c for c in clauses if machine.search(c) or not any(pattern.search(c) for pattern in negated)]
    return text if len(kept) == len(clauses) and not _QUOTED_LINE.search(text) else ". ".join(kept)


def only_mentions(text: str) -> bool:
    """Tell whether the message speaks of an attendant without asking for one."""
    return re.search(_MENTIONS, normalise(text)) is not None and not asks_person(text)


def _asks(clause: str) -> bool:
    wanted, negated, machine = _compiled()
    if machine.search(clause):
        return True
    if any(pattern.search(clause) for pattern in negated):
        return False
    return any(pattern.search(clause) for pattern in wanted)


def _clauses(text: str) -> list[str]:
    folded = _QUOTED_LINE.sub("", fold(text))
    clauses = [written_out(clause) for clause in _CLAUSE.split(folded)[:_MAX_CLAUSES]]
    return [clause for clause in clauses if clause]


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...], re.Pattern[str]]:
    # Compiled at the first message, not at import.
    machine = "|".join(pattern for pattern in _ASKS if _TIRED in pattern)
    wanted = tuple(re.compile(pattern) for pattern in _ASKS)
    return wanted, tuple(re.compile(pattern) for pattern in _NEGATED), re.compile(machine)
