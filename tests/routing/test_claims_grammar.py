"""Who acts, when, and whether it is real: every verb in every mould that announces, and in every one that does not."""

import itertools

import pytest

from routing.claims import check_claims

# infinitive, past, past of somebody, of several, of ours, future, gerund, participle, subjunctive, object
VERBS = [
    "cancelar cancelei cancelou cancelaram cancelamos cancelarei cancelando cancelado cancele|o seu pedido",
    "estornar estornei estornou estornaram estornamos estornarei estornando estornada estorne|a cobrança",
    "aprovar aprovei aprovou aprovaram aprovamos aprovarei aprovando aprovado aprove|o seu reembolso",
    "autorizar autorizei autorizou autorizaram autorizamos autorizarei autorizando autorizada autorize|a sua devolução",
    "liberar liberei liberou liberaram liberamos liberarei liberando liberado libere|o reembolso",
    "devolver devolvi devolveu devolveram devolvemos devolverei devolvendo devolvido devolva|o seu dinheiro",
    "fazer fiz fez fizeram fizemos farei fazendo feito faça|o estorno",
    "concluir concluí concluiu concluíram concluímos concluirei concluindo concluído conclua|o cancelamento",
    "registrar registrei registrou registraram registramos registrarei registrando registrada registre|a troca",
]
ANNOUNCES = [
    "{past} {obj}.", "Já {past} {obj} para você.", "A gente {third} {obj}.", "Nós {we} {obj}.", "O financeiro já {third} {obj}.",
    "{several} {obj} hoje cedo.", "Acabei de {inf} {obj}.", "Vou {inf} {obj} agora.", "Tô {ger} {obj} aqui.", "{future} {obj} hoje.",
    "Consegui {inf} {obj}.", "{Obj} foi {part}.", "{Obj} já tá {part}.", "{Obj} está sendo {part} agora.", "{Obj} vai ser {part}.",
    "{Obj} acaba de ser {part}.", "Como você pediu, {obj} foi {part}.", "Não se preocupe, {obj} já está {part}.",
    "Depois da análise, {obj} foi {part}.", "Foi {part} {obj}.", "Pedi para o time {inf} {obj}.", "A equipe vai {inf} {obj} hoje.",
    "{Obj} foi {part}, viu?", "Sabia que {obj} foi {part}?", "{Obj}: {part}.", "Pronto, {obj} {part}!", "{Obj} encontra-se {part}.",
    "{Obj} consta como {part}.", "{Obj} tinha sido {part} ontem.", "Tive que {inf} {obj}.",
]  # fmt: skip
SAYS_NOTHING = [
    "Ainda não {past} {obj}.", "{Obj} não foi {part}.", "Não consta que {obj} foi {part}.", "Não sei se {obj} foi {part}.",
    "Quer que eu {subj} {obj}?", "Posso {inf} {obj}, se você quiser.", "Se você confirmar, vou {inf} {obj}.", "{Obj} foi {part}?",
    "{Obj} só pode ser {part} por uma pessoa.", "{Obj} precisa ser {part} pela equipe.", "Antes de {inf} {obj}, preciso do número.",
    "Quando {obj} for {part}, o sistema mostra.", "Caso {obj} seja {part}, o sistema mostra.", "Até {obj} ser {part}, nada muda.",
    "Não consigo {inf} {obj} por aqui.", "Você disse que {obj} foi {part}.", "Quem {third} {obj}?", "Você já {third} {obj}?",
    "{Obj} seria {part} só depois da análise.", "{Obj} vai ser {part} se a análise for positiva.", "Falta {inf} {obj}.",
    "O prazo para {inf} {obj} terminou.", "Talvez {obj} tenha sido {part}.", "Quero entender por que {obj} foi {part}.",
]  # fmt: skip
ENGLISH = [
    "cancel cancelled cancelling|your order", "refund refunded refunding|the charge", "approve approved approving|your refund",
    "process processed processing|your refund", "reverse reversed reversing|the payment", "issue issued issuing|the refund",
    "complete completed completing|the cancellation",
]  # fmt: skip
ANNOUNCES_EN = [
    "I've {done} {obj}.", "We've already {done} {obj}.", "The team {done} {obj}.", "I'll {inf} {obj} now.", "I'm {ger} {obj}.",
    "Let me {inf} {obj} for you.", "{Obj} has now been {done}.", "{Obj} is being {done}.", "{Obj} will be {done} today.",
    "{Obj} {done}!", "I managed to {inf} {obj}.", "I went ahead and {done} {obj}.", "{Obj} was {done}, ok?",
]  # fmt: skip
SAYS_NOTHING_EN = [
    "I haven't {done} {obj} yet.", "{Obj} has not been {done}.", "Shall I {inf} {obj}?", "If you confirm, I'll {inf} {obj}.",
    "Has {obj} been {done}?", "{Obj} must be {done} by a person.", "Once {obj} is {done}, the site shows it.",
    "You said {obj} was {done}.", "I see no record that {obj} was {done}.", "Nobody has {done} {obj}.", "I can {inf} {obj} if you like.",
]  # fmt: skip


def forms(line: str, names: str) -> dict[str, str]:
    words, thing = line.split("|")
    return dict(zip(names.split(), words.split(), strict=True)) | {"obj": thing, "Obj": thing[0].upper() + thing[1:]}


def filled(moulds: list[str], lines: list[str], names: str) -> list[str]:
    made = (mould.format(**forms(line, names)) for mould, line in itertools.product(moulds, lines))
    return [text[0].upper() + text[1:] for text in made]


PT, EN = "inf past third several we future ger part subj", "inf done ger"


@pytest.mark.parametrize(
    "texts", [filled(ANNOUNCES, VERBS, PT), filled(ANNOUNCES_EN, ENGLISH, EN)], ids=["Portuguese", "English"]
)
def test_every_verb_announces_in_these_moulds(texts: list[str]) -> None:
    assert [text for text in texts if not check_claims(text, language="pt")] == []


@pytest.mark.parametrize(
    "texts", [filled(SAYS_NOTHING, VERBS, PT), filled(SAYS_NOTHING_EN, ENGLISH, EN)], ids=["Portuguese", "English"]
)
def test_no_verb_announces_in_those(texts: list[str]) -> None:
    assert [text for text in texts if check_claims(text, language="pt")] == []


NOUNS = ["O seu reembolso", "O cancelamento do seu pedido", "O estorno"]


@pytest.mark.parametrize(
    "rest",
    ["foi encaixado no lote de hoje", "já se concretizou", "está quitado", "ocorreu ontem", "será realizado", "vai ser pago", "deu certo",
     "foi disponibilizado", "entrou em vigor", "recebeu o ok da gerência"],
)  # fmt: skip
def test_whatever_happens_to_a_refund_or_a_cancellation_is_announced(rest: str) -> None:
    assert [noun for noun in NOUNS if not check_claims(f"{noun} {rest}.", language="pt")] == []


@pytest.mark.parametrize(
    "rest",
    ["está em análise", "depende do banco", "precisa de aprovação", "fica a cargo da equipe", "foi pedido por você ontem", "segue em análise",
     "será analisado por uma pessoa", "aguarda conferência", "demorou mais do que o normal", "é outro assunto"],
)  # fmt: skip
def test_what_waits_or_is_read_is_not(rest: str) -> None:
    assert [noun for noun in NOUNS if check_claims(f"{noun} {rest}.", language="pt")] == []


@pytest.mark.parametrize(
    "text",
    [
        "O pagamento foi aprovado e o pedido está sendo separado.", "O pacote foi liberado pela fiscalização.",
        "A transportadora cancelou a tentativa de entrega.", "O pedido inclui um tênis e uma caneca.", "O troco não é comum por aqui.",
        "Vou abrir o histórico do pedido.", "Um reembolso aprovado aparece na fatura.", "Aprovada a troca, você posta o produto.",
    ],
)  # fmt: skip
def test_what_others_do_and_what_only_looks_like_a_verb_is_read(text: str) -> None:
    assert check_claims(text, language="pt") == ()
