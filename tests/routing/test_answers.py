import pytest

from routing.answers import bare_identifier, is_bare_answer, read_answer

CANCEL = "cancelar o pedido 10431 (tênis Corre, R$ 349,00)"
ADDRESS = "trocar o endereço do pedido 10431 para Rua das Flores, 354, CEP 01310-100"
TICKET = "abrir um chamado de cobrança duplicada do pedido 10405"

YES = {
    TICKET: "sim;s;ss;SIM!!;simmm;isso;isso mesmo;pode;pode abrir;pode abrir sim;manda ver;👍;claro;com certeza;quero sim;sim, por favor;yes please;go ahead;sure;yep;"
    "pode ser;confirmo;pode abrir o chamado;pode abrir o chamado do 10405, por favor;ok;ok, pode abrir;beleza;blz pode ir;tá bom;abre aí;abre;manda;por favor;quero;"
    "sim sim;sim, pode abrir o chamado;aham;isso aí;é isso;sim obrigada;obrigada 👍;sim, não tem problema;faz isso por favor;ta ok;tudo bem;bora;vai;pode prosseguir;"
    "prossiga por favor;yeah do it;ok thanks;sim!! obrigada;👌",
    CANCEL: "sim, pode cancelar;pode cancelar;cancela;confirmo o cancelamento;sim, cancela o pedido 10431;quero cancelar;pode cancelar o 10431 por favor;quero sim cancelar",
    ADDRESS: "pode trocar;sim, pode trocar o endereço;isso, rua das flores 354;ta certo;correto",
}  # fmt: skip
NO = {
    TICKET: "não;nao;n;nn;não, obrigada;não, espera;nope;no;no thanks;não quero;não precisa;isso não;melhor não;deixa pra lá;esquece;desisti;mudei de ideia;espera;agora não;"
    "sim senhor já falei que não;claro que não;quero não;nem pensar;👎;never mind;don't;wait;não quero mais;não pode;não abre;não, quero outra coisa;obrigada, não precisa;"
    "cancela isso;não não;acho que não;por enquanto não;não espera;calma aí;sim... não, espera;não quero que abra;nao precisa nao obg;hold on;de jeito nenhum;cancela;pode cancelar",
    CANCEL: "não cancela;não cancela não;não quero cancelar;não quero mais cancelar",
}  # fmt: skip
AMENDED = {
    ADDRESS: "sim, mas no outro endereço;sim, mas o número é 254;pode, só que o número é 254;isso, porém com complemento apto 12;sim só que sem cep;pode ser na outra rua;"
    "sim, número 254;ok, mas manda pro trabalho;yes, but to the other address;sim, apartamento 12;sure, but change the number;ok but first tell me the price",
    CANCEL: "sim, cancela o 10432;pode cancelar só o tênis;pode cancelar o 10433",
}  # fmt: skip
NEITHER = (
    "pode ser que sim;pode ser que demore;e o reembolso?;cadê meu pedido?;não recebi o tênis ainda;sim?;pode?;sim, e cadê o 10405 do outro mês?;obrigada;entendi;ok entendi;"
    "vai demorar quanto;quero trocar o tênis;talvez;acho que sim;não sei;quanto tempo demora?;oi;bom dia;;meu cpf é 123;aliás cadê o 10405?;não chegou o pedido;por que não?;"
    "isso vai demorar?;claro que fui cobrado duas vezes né?;😡"
)  # fmt: skip


def cases(table):
    return [(about, text) for about, texts in table.items() for text in texts.split(";")]


@pytest.mark.parametrize(("about", "text"), cases(YES))
def test_a_yes(about, text):
    assert read_answer(text, about=about) == "yes"


@pytest.mark.parametrize(("about", "text"), cases(NO))
def test_a_no(about, text):
    assert read_answer(text, about=about) == "no"


@pytest.mark.parametrize(("about", "text"), cases(AMENDED))
def test_a_yes_with_a_condition_is_no_yes(about, text):
    assert read_answer(text, about=about) == "amended"


@pytest.mark.parametrize("text", NEITHER.split(";"))
def test_neither(text):
    assert read_answer(text, about=TICKET) is None


@pytest.mark.parametrize("text", ["ok", "👍", "beleza", "tá bom", "ok obrigada", "certo", "blz", "perfeito", "great"])
def test_a_nod_after_an_explanation_is_no_yes(text):
    assert read_answer(text, about=TICKET, weak_counts=False) is None
    assert read_answer(text, about=TICKET, weak_counts=True) == "yes"


@pytest.mark.parametrize("text", ["sim", "pode", "ok, pode abrir", "beleza, pode", "confirmo"])
def test_a_firm_yes_counts_also_after_an_explanation(text):
    assert read_answer(text, about=TICKET, weak_counts=False) == "yes"


def test_a_quoted_line_is_not_the_customers_answer():
    assert read_answer("> sim\nnão", about=TICKET) == "no"
    assert read_answer("> não\nsim", about=TICKET) == "yes"


@pytest.mark.parametrize("text", ["sim", "não", "não, obrigada", "não quero", "pode ser", "👎", "no thanks"])
def test_bare_answers(text):
    assert is_bare_answer(text)


@pytest.mark.parametrize(
    "text", ["não, quero trocar o tênis", "sim, quero saber do reembolso", "não?", "oi", "não, cadê meu pedido?", ""]
)
def test_answers_that_say_more_are_not_bare(text):
    assert not is_bare_answer(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("10420", "order"),
        ("#10420", "order"),
        ("pedido 10420", "order"),
        ("é o 10405", "order"),
        ("o número é 10405.", "order"),
        ("10405 e 10418", "order"),
        ("it's 10405", "order"),
        ("01310100", "order"),
        ("AA123456789BR", "tracking"),
        ("rastreio LP00123456789", "tracking"),
        ("ana@example.com", "email"),
        ("meu e-mail é ana.souza+loja@example.com.br", "email"),
        ("01310-100", "cep"),
        ("meu CEP é 01310-100", "cep"),
        ("cpf 123.456.789-09", "document"),
        ("11 91234-5678", "phone"),
        ("+55 (11) 91234-5678", "phone"),
        ("42", "number"),
        ("2", "number"),
    ],
)
def test_identifiers_that_stand_alone(text, kind):
    assert bare_identifier(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "10405 cadê?",
        "oi",
        "",
        "cadê o 10405",
        "meu pedido",
        "Rua das Flores, 35",
        "R$ 89,90",
        "entregas",
        "not an order",
    ],
)
def test_what_is_no_bare_identifier(text):
    assert bare_identifier(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("isso, manda ver", "yes"), ("sim, pode, confirmo", "yes"), ("dale", "yes"), ("nem", "no"), ("nops", "no"),
        ("nem chegou", None), ("nem sei", None), ("isso, manda o boleto", "amended"), ("ok confirma o valor", None),
    ],
)  # fmt: skip
def test_one_yes_may_follow_another(text: str, expected: str | None) -> None:
    assert read_answer(text) == expected
