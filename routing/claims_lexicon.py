"""The verbs with which a shop's reply announces something, in every form that matters, in Portuguese and English.

Weights: `hard` announces in any form (approve, refund, cancel); `own` does when we say that we do it, and elsewhere
beside a noun of its group; `light` only beside such a noun. Words are flat: lower case, without accents.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

from routing.claims_words import listed

Act = Literal["approve", "refund", "cancel", "other"]
Weight = Literal["hard", "own", "light"]
Group = Literal["act", "money", "account", "decide", "stop", "record", "ship"]
# now1/past1/fut1: we; we: "-amos", past or habit; past3, now3, fut3: somebody; done: English past and participle.
Shape = Literal[
    "inf",
    "subj",
    "ger",
    "part",
    "now1",
    "past1",
    "we",
    "fut1",
    "past3",
    "now3",
    "fut3",
    "done",
    "base",
    "ing",
    "now3en",
]


class Word(NamedTuple):
    """What one written form can be."""

    shape: Shape
    act: Act
    weight: Weight
    group: Group


_PT: tuple[tuple[Act, Weight, Group, str], ...] = (
    ("approve", "hard", "act", "aprovar autorizar deferir homologar"),
    ("refund", "hard", "money", "reembolsar estornar ressarcir restituir indenizar creditar"),
    ("cancel", "hard", "stop", "cancelar anular"),
    ("approve", "own", "decide", "liberar conceder acatar"),
    ("approve", "light", "decide", "aceitar validar confirmar garantir assegurar atender"),
    ("refund", "own", "money", "devolver depositar isentar"),
    ("refund", "light", "money", "repassar transferir reverter abater compensar remeter pagar disparar efetivar zerar perdoar dispensar liquidar quitar transmitir"),
    ("cancel", "own", "stop", "encerrar suspender desfazer excluir abortar"),
    ("cancel", "light", "stop", "interromper deletar apagar remover retirar derrubar"),
    ("other", "own", "act", "registrar solicitar agendar encaminhar processar efetuar finalizar iniciar programar formalizar"
     " acionar providenciar abrir emitir lancar realizar protocolar reabrir priorizar gerar concluir despachar"),
    ("other", "own", "record", "alterar atualizar trocar aplicar ajustar adicionar cadastrar incluir corrigir mudar reservar marcar"
     " remarcar reagendar"),
    ("other", "hard", "ship", "reenviar"),
    ("other", "own", "ship", "repor"),
    ("other", "light", "record", "salvar adiantar agilizar antecipar"),
    ("other", "light", "act", "fazer dar pedir mandar enviar colocar botar deixar resolver executar comecar"
     " tratar cuidar conseguir obter postar separar entrar"),
)  # fmt: skip
_EN: tuple[tuple[Act, Weight, Group, str], ...] = (
    ("approve", "hard", "act", "approve authorize authorise okay greenlight"),
    ("refund", "hard", "money", "refund reimburse"),
    ("cancel", "hard", "stop", "cancel void annul"),
    ("approve", "own", "decide", "grant release accept clear"),
    ("approve", "light", "decide", "confirm guarantee secure validate"),
    ("refund", "own", "account", "credit deposit"),
    ("refund", "own", "money", "reverse compensate waive"),
    ("refund", "light", "money", "return pay wire transfer remove zero forgive"),
    ("cancel", "own", "stop", "terminate undo abort scrap suspend"),
    ("cancel", "light", "stop", "stop end drop delete"),
    ("other", "own", "act", "open process issue submit schedule file create register arrange request initiate log raise start"
     " complete book finalize finalise escalate generate expedite reopen"),
    ("other", "own", "record", "change update apply add correct adjust switch swap exchange reserve"),
    ("other", "hard", "ship", "reship resend"),
    ("other", "own", "ship", "replace ship"),
    ("other", "light", "stop", "fix sort"),
    ("other", "light", "act", "send give put push make take do get handle settle ask"),
)  # fmt: skip
_IRREGULAR_PT: Mapping[str, Mapping[Shape, str]] = {
    "fazer": {"now1": "faco", "past1": "fiz", "we": "fazemos fizemos", "past3": "fez fizeram", "now3": "faz fazem",
              "fut1": "farei faremos", "fut3": "fara farao", "part": "feit", "subj": "fazerem fizesse fizessem faca facam"},
    "desfazer": {"now1": "desfaco", "past1": "desfiz", "we": "desfizemos", "past3": "desfez desfizeram", "part": "desfeit"},
    "dar": {"now1": "dou", "past1": "dei", "we": "demos", "past3": "deu deram", "now3": "dao", "part": ""}, "cuidar": {"part": "", "now1": ""}, "tratar": {"now1": ""},
    "pedir": {"now1": "peco", "part": ""},
    "suspender": {"part": "suspens suspendid"},
    "repor": {"now1": "reponho", "past1": "repus", "we": "repusemos", "past3": "repos repuseram", "part": "repost"},
    "abrir": {"part": "abert"}, "reabrir": {"part": "reabert"}, "aceitar": {"part": "aceitad aceit"},
    "obter": {"past1": "obtive", "we": "obtivemos", "past3": "obteve obtiveram", "now1": "obtenho"},
    "conseguir": {"now1": "", "we": "", "part": ""}, "deferir": {"now1": "defiro"}, "ressarcir": {"now1": "ressarco"},
    "corrigir": {"now1": "corrijo"}, "transferir": {"now1": "transfiro"}, "expedir": {"now1": "expeco"},
    "pagar": {"now1": "", "part": "", "past3": ""}, "entrar": {"part": "", "now3": "", "past3": ""},
    "emitir": {"part": "emitid"}, "entregar": {"part": "entreg"},
}  # fmt: skip
_IRREGULAR_EN: Mapping[str, tuple[str, str]] = {
    "send": ("sent", "sending"), "give": ("gave given", "giving"), "put": ("put", "putting"), "make": ("made", "making"),
    "forgive": ("forgave forgiven", "forgiving"), "take": ("took taken", "taking"), "do": ("did done", "doing"), "get": ("got gotten", "getting"), "pay": ("paid", "paying"),
    "undo": ("undid undone", "undoing"), "resend": ("resent", "resending"), "reset": ("reset", "resetting"),
    "cancel": ("cancelled canceled", "cancelling canceling"), "okay": ("okayed okd", "okaying"), "stop": ("stopped", "stopping"),
    "scrap": ("scrapped", "scrapping"), "drop": ("dropped", "dropping"), "ship": ("shipped", "shipping"), "reship": ("reshipped", "reshipping"),
    "swap": ("swapped", "swapping"), "log": ("logged", "logging"), "submit": ("submitted", "submitting"),
    "transfer": ("transferred", "transferring"),
}  # fmt: skip
# First persons that are nouns or adjectives too ("o estorno"): the grammar asks for a sign that they are verbs.
NOUNS_TOO = listed(
    "estorno reembolso credito troco registro processo cadastro marco reenvio envio deposito inicio programo mudo"
    " trato abono protocolo despacho posto comeco aceito repasso isento valido"
)
_ENDINGS = ("o", "a", "os", "as", "issimo", "issima", "inho", "inha")
_CEDILLA = ("lancar", "comecar")  # "lançar" is flat "lancar", and keeps its c before e


@cache
def lexicon() -> Mapping[str, Word]:
    """Return every form with its reading; where two share one, the graver keeps it."""
    found: dict[str, Word] = {}
    for act, weight, group, verbs in _PT:
        for verb in verbs.split():
            for shape, form in _portuguese(verb):
                found.setdefault(form, Word(shape, act, weight, group))
    for act, weight, group, verbs in _EN:
        for verb in verbs.split():
            for shape, form in _english(verb):
                found.setdefault(form, Word(shape, act, weight, group))
    return found


def _portuguese(verb: str) -> Iterator[tuple[Shape, str]]:
    table: dict[Shape, str] = {**_regular(verb), **_IRREGULAR_PT.get(verb, {})}
    for shape, forms in table.items():
        for form in forms.split():
            for ending in _ENDINGS if shape == "part" else ("",):
                yield shape, form + ending


def _regular(verb: str) -> dict[Shape, str]:
    stem, vowel = verb[:-2], verb[-2]
    before_e = stem
    if vowel == "a" and verb not in _CEDILLA:
        before_e = stem[:-1] + "qu" if stem.endswith("c") else stem + "u" if stem.endswith("g") else stem
    now = {"a": ("a", "am"), "e": ("e", "em"), "i": ("e", "em"), "o": ("oe", "oem")}[vowel]
    past = {"a": "ou", "e": "eu", "i": "iu", "o": "os"}[vowel]
    wish = "e" if vowel == "a" else "a"
    first = before_e + "ei" if vowel == "a" else stem + "i"
    return {
        "inf": verb, "ger": f"{stem}{vowel}ndo", "part": stem + ("ad" if vowel == "a" else "id"), "now1": stem + "o",
        "past1": first, "we": f"{stem}{vowel}mos", "fut1": f"{verb}ei {verb}emos", "past3": f"{stem}{past} {stem}{vowel}ram",
        "now3": f"{stem}{now[0]} {stem}{now[1]}", "fut3": f"{verb}a {verb}ao",
        "subj": f"{verb}em {stem}{vowel}sse {stem}{vowel}ssem {before_e}{wish} {before_e}{wish}m",
    }  # fmt: skip


def _english(verb: str) -> Iterator[tuple[Shape, str]]:
    regular = (verb + "d", verb[:-1] + "ing") if verb.endswith("e") else (verb + "ed", verb + "ing")
    done, ing = _IRREGULAR_EN.get(verb, regular)
    for form in done.split():
        yield "done", form
    yield "base", verb
    yield "now3en", verb + "s"
    for form in ing.split():
        yield "ing", form
