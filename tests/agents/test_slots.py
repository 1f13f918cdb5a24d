import pytest

from agents.offline.addresses import address_parts
from agents.offline.orders import order_in
from agents.offline.slots import amount_in, method_in, reason_in


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Rua das Acácias, 245, Centro, Campinas, CEP 13010-000",
            {"street": "Rua das Acácias", "number": "245", "district": "Centro", "city": "Campinas", "cep": "13010-000"},
        ),
        (
            "é na Av. Paulista 1000 apto 12, bairro Bela Vista, São Paulo/SP 01310100",
            {
                "street": "Av. Paulista", "number": "1000", "complement": "apto 12", "district": "Bela Vista",
                "city": "São Paulo", "state": "SP", "cep": "01310100",
            },
        ),
        ("rua sete de setembro nº 9 em Porto Alegre cep 90010-190", {"street": "rua sete de setembro", "number": "9", "city": "Porto Alegre", "cep": "90010-190"}),
        ("errei, o número é 254", {"number": "254"}),
        ("o certo é 245", {"number": "245"}),
        ("na verdade 254", {"number": "254"}),
        ("o cep é 05435-000", {"cep": "05435-000"}),
        ("quero mudar o endereço do pedido 10431", {}),
        ("o número do pedido é 10431", {}),
    ],
)  # fmt: skip
def test_address_parts_are_word_for_word(text: str, parts: dict[str, str]) -> None:
    assert address_parts(text) == parts


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("cadê o pedido 10405?", "10405"),
        ("#10405", "10405"),
        ("o 10418 não chegou", "10418"),
        ("pedido nº 204778", "204778"),
        ("moro no cep 01310-100", None),
        ("paguei R$ 34900,00", None),
        ("o número da casa é 254", None),
        ("meu cpf é 529.982.247-25", None),
    ],
)
def test_an_order_number_is_told_from_other_numbers(text: str, order: str | None) -> None:
    assert order_in(text) == order


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("o fone do pedido 10418 parou de funcionar, quero trocar", "parou de funcionar"),
        ("quero devolver, me arrependi", "me arrependi"),
        ("Veio com DEFEITO na alça e quero trocar", "Veio com DEFEITO na alça"),
        ("quero trocar por um número maior", "por um número maior"),
        ("it stopped working yesterday. please exchange", "stopped working yesterday"),
        ("quero trocar o fone", None),
    ],
)
def test_a_reason_is_cut_out_as_it_was_typed(text: str, reason: str | None) -> None:
    assert reason_in(text) == reason


def test_amounts_and_methods() -> None:
    assert amount_in("cobraram R$ 189,90 duas vezes") == "R$ 189,90"
    assert amount_in("cobraram duas vezes") is None
    assert method_in("paguei no cartão de crédito") == "card"
    assert method_in("foi pix ou boleto?") is None
