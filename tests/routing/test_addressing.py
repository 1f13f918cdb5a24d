import pytest

from routing.addressing import Member, addressed

ROSTER = (
    Member("returns", ("Devoluções e trocas", "Returns and exchanges"), ("trocas", "troca", "devolução", "devoluções")),
    Member(
        "support", ("Entregas e cadastro", "Deliveries and account"), ("entregas", "entrega", "cadastro", "suporte")
    ),
    Member("billing", ("Financeiro", "Billing"), ("financeiro", "cobrança", "pagamentos")),
)

ADDRESSED = [
    ("@Trocas quero trocar", "returns"),
    ("@financeiro", "billing"),
    ("@devolucoes_e_trocas ajuda", "returns"),
    ("oi @Financeiro, meu email é ana@trocas.com.br", "billing"),
    ("trocas, quero trocar o tênis", "returns"),
    ("TROCAS, quero trocar o tênis", "returns"),
    ("Financeiro: cadê meu dinheiro?", "billing"),
    ("FINANCEIRO, cadê?", "billing"),
    ("DEVOLUÇÕES: não serviu", "returns"),
    ("devolucoes, nao serviu", "returns"),
    ("Devoluções e trocas, preciso de ajuda", "returns"),
    ("bom dia, financeiro! tudo bem?", "billing"),
    ("Oi! Financeiro, me ajuda", "billing"),
    ("oi\ntrocas, quero trocar", "returns"),
    ("oi pessoal da entrega, cadê meu pedido?", "support"),
    ("cadê meu dinheiro, financeiro?", "billing"),
    ("fala com o financeiro", "billing"),
    ("quero falar com o financeiro", "billing"),
    ("preciso falar com alguém do financeiro", "billing"),
    ("gostaria de falar com o pessoal do cadastro", "support"),
    ("me passa pro financeiro", "billing"),
    ("pode me passar pra trocas?", "returns"),
    ("me transfere pro setor de trocas", "returns"),
    ("chama o financeiro aí", "billing"),
    ("pergunta pro financeiro se caiu", "billing"),
    ("isso é com o financeiro?", "billing"),
    ("não quero falar com o financeiro, quero falar com trocas", "returns"),
    ("> o financeiro respondeu\nentregas, cadê?", "support"),
    ("I want to talk to billing", "billing"),
    ("billing, where is my money?", "billing"),
    ("pass me to returns please", "returns"),
]

NOT_ADDRESSED = [
    "o financeiro já respondeu isso ontem",
    "não quero falar com o financeiro",
    "nem quero falar com trocas",
    "não precisa chamar o financeiro",
    "sem falar com o financeiro dá pra resolver?",
    "já falei com o financeiro",
    "falei com trocas ontem e nada",
    "tentei falar com o financeiro e não consegui",
    "mandaram falar com o financeiro",
    "queria falar com o financeiro ontem mas ninguém atendeu",
    "o financeiro, que me atendeu ontem, prometeu o estorno",
    "o pessoal do financeiro disse que ia estornar",
    "o setor de trocas não respondeu",
    "recebi um email do financeiro",
    "meu e-mail é contato@financeiro.com.br",
    "financeiro@loja.com.br",
    "entregas@trocas.com, esse é meu email",
    "segue o site www.trocas.com.br/entregas",
    "@trocas_oficial me segue",
    "> Financeiro: seu reembolso foi aprovado",
    "> @Trocas",
    'o e-mail dizia "Financeiro: seu reembolso foi aprovado"',
    "comprei o livro Trocas e veio rasgado",
    "Trocas, o livro que comprei, veio rasgado",
    'o jogo "Financeiro: o desafio" chegou quebrado',
    "comprei camiseta, meia, troca",
    "quero trocar o tênis",
    "quero fazer uma troca",
    "a entrega atrasou",
    "minha entrega, que era pra ontem, não veio",
    "quero saber da entrega",
    "quero o cadastro atualizado",
    "as trocas de vocês são ótimas",
    "trabalho no financeiro",
    "o financeiro da minha empresa precisa da nota",
    "Nome: Ana\nEntrega: Casa da mãe\nCEP: 01310-100",
    "Entrega: Rua A, 3",
    "",
]


@pytest.mark.parametrize(("text", "target"), ADDRESSED)
def test_a_specialist_is_spoken_to(text, target):
    assert [mention.target for mention in addressed(text, ROSTER)] == [target]


@pytest.mark.parametrize("text", NOT_ADDRESSED)
def test_a_specialist_is_only_spoken_of(text):
    assert addressed(text, ROSTER) == ()


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Trocas e Financeiro, preciso dos dois", ["returns", "billing"]),
        ("@Financeiro @Trocas quero trocar", ["billing", "returns"]),
        ("fala com trocas e com o financeiro", ["returns", "billing"]),
        ("quero falar com o financeiro e com trocas", ["billing", "returns"]),
        ("@Trocas @trocas @Devoluções", ["returns"]),
    ],
)
def test_two_names_keep_their_order(text, targets):
    assert [mention.target for mention in addressed(text, ROSTER)] == targets


def test_each_name_gets_the_words_that_follow_it():
    first, second = addressed("Trocas, quero trocar o tênis. Financeiro, cadê o reembolso?", ROSTER)

    assert first.text == "quero trocar o tênis"
    assert second.text == "cadê o reembolso"


def test_a_name_without_words_of_its_own_gets_the_message():
    text = "Trocas e Financeiro, preciso dos dois"

    assert addressed(text, ROSTER)[0].text == text


def test_the_longest_name_counts_where_one_holds_another():
    roster = (Member("a", ("Trocas",)), Member("b", ("Trocas internacionais",)))

    assert [mention.target for mention in addressed("Trocas internacionais, cadê?", roster)] == ["b"]


def test_a_name_with_signs_in_it_is_only_text():
    roster = (Member("a", ("C++ (beta).*",)),)

    assert [mention.target for mention in addressed("@c beta cadê", roster)] == ["a"]
    assert addressed("cccc beta", roster) == ()


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("falei com trocas e com o financeiro, ninguém sabe", []),
        ("fala com trocas e com o financeiro", ["returns", "billing"]),
        ("isso é com o financeiro", ["billing"]),
    ],
)
def test_a_second_name_shares_only_a_request(text, targets):
    assert [mention.target for mention in addressed(text, ROSTER)] == targets
