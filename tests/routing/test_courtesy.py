import pytest

from routing.courtesy import plain_courtesy, read_courtesy

KINDS = {
    "greeting": "oi|Oiiii|olá|oi, tudo bem?|bom dia|Bom dia, tudo bem com vocês?|boa noite!!|e ae blz?|alô?|tem alguém aí?|hi there|hello, how are you?|how's it going|opa|👋|tudo joia?",
    "thanks": "obrigada 👍|obrigado|muito obrigada pela ajuda|valeu!|vlw|obg viu|beleza, obrigada|ok, obrigado|thanks a lot|thank you so much|❤️|🙏|oi, obrigada|deus te abençoe|me ajudou muito|Muitíssimo obrigado pela atenção|já resolvi a troca sozinho, obrigado viu|consegui baixar a nota, valeu|got my refund, thanks!|o problema foi resolvido, obrigada|o estorno já está na conta, obrigada|obrigada, viu?|vocês são uns amores, obrigadíssima",
    "goodbye": "tchau|até mais!|vlw flw|era só isso, obrigada|obrigada, tchau!|Perfeito, muito obrigado! Tenha um ótimo dia|that's all, thanks!|bye|bom fim de semana|falou|um abraço|só isso mesmo|o estorno caiu aqui. Valeu, tchau!|não preciso cancelar mais nada, não. Boa noite, tchau|a geladeira chegou, um abraço a todos|passar bem, até outra ocasião|inté, fica com deus",
    "acknowledgement": "ok|ok rs|tá bom então|entendi|beleza|👍|kkkkk|que bom!|perfeito|show de bola|got it|hmm|aguardo|certo",
}  # fmt: skip
NOT_COURTESY = [
    "sim",
    "não",
    "isso",
    "não, obrigada",
    "valeu! e o reembolso cai como?",
    "oi quero trocar",
    "oi, meu pedido não chegou",
    "obrigada por nada",
    "e aí?",
    "só isso?",
    "tá?",
    "fui cobrado",
    "bom dia, cadê meu pedido?",
    "ok, pode abrir",
    "ok mas não chegou",
    "boa tarde preciso da nota",
    "obrigado mas não resolveu",
    "tudo bem mas cadê?",
    "olá, 10405",
    "😡",
    "?",
    "...",
    "",
    "perfeito, quero trocar",
    "legal a loja",
    "bom",
    "thanks but where is it",
    "hello I want my money",
    "entendi nada",
    "abrir devolução, obrigada",
    "troca do pedido que chegou ontem, obrigado",
    "nota fiscal do pedido que recebi, obrigada",
    "resolver isso, obrigada",
    "o pedido chegou e deu problema no produto, obrigada",
    "recebi só a caixa, obrigada",
    "recebi a encomenda do vizinho, obrigada",
    "recebeu meu pix aí obg",
    "I got the wrong package, thanks",
    "o pedido chegou quebrado, obrigada",
    "chegou metade, valeu",
    "chegou errado, obrigada",
    "cobraram meu cartão, obrigada",
    "aguardo o reembolso na conta, obrigada",
    "endereço novo, obrigada",
    "trocaram meu pedido, obrigada",
    "o estorno não caiu, obrigada",
    "ainda não chegou. Valeu, tchau!",
    "obrigada, o estorno caiu?",
    "parabéns pela demora",
]


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in KINDS.items() for text in texts.split("|")])
def test_courtesy_alone(kind, text):
    assert read_courtesy(text) == kind


@pytest.mark.parametrize("text", NOT_COURTESY)
def test_what_asks_for_something_is_no_courtesy(text):
    assert read_courtesy(text) is None


def test_a_long_text_is_no_courtesy():
    assert read_courtesy("oi " * 100) is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [("o estorno caiu aqui. Valeu, tchau!", None), ("valeu, tchau!", "goodbye"), ("obrigada 👍", "thanks")],
)
def test_news_beside_a_courtesy_is_not_plain(text, plain):
    assert plain_courtesy(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "obrigada pela entrega com defeito",
        "obrigada pela entrega toda quebrada",
        "obrigado pela entrega com atraso",
        "obrigada pela troca com defeito",
        "obrigada pela compra com problema",
        "obrigada pela resposta de merda",
        "obrigada pelo atendimento de lixo",
    ],
)
def test_a_complaint_in_the_words_of_thanks_is_no_courtesy(text):
    assert read_courtesy(text) is None
