"""What the customer's words state, as tables of message and facts."""

import time
from datetime import date

import pytest

from routing.extraction import asked_key, attachment_draft, extract
from routing.facts import FactDraft
from routing.values import holds

# CPU seconds that only a blow-up passes; no test measures speed.
GENEROUS_S = 30.0

TODAY = date(2026, 11, 30)


def found(text: str, *, asked: str | None = None, **more: object) -> list[tuple[str, str | None, str]]:
    drafts = extract(text, turn=1, asked=asked, today=TODAY, **more)  # type: ignore[arg-type]
    return [(draft.key, draft.entity, draft.value) for draft in drafts]


def values(text: str, key: str, *, asked: str | None = None, **more: object) -> list[str]:
    return [value for name, _, value in found(text, asked=asked, **more) if name == key]


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("cadê o meu pedido 10405?", "order", ["10405"]),
        ("aliás, cadê o 10405?", "order", ["10405"]),
        ("é o #10405", "order", ["10405"]),
        ("pedidos 10405 e 10420, por favor", "order", ["10405", "10420"]),
        ("order number is #W2378156", "order", ["W2378156"]),
        ("pedido nº 1040", "order", ["1040"]),
        ("o pedido de 2026 chegou", "order", ["2026"]),
        ("chegou em 2026", "order", []),
        ("meu cpf é 529.982.247-25", "cpf", ["529.982.247-25"]),
        ("52998224725", "cpf", ["529.982.247-25"]),
        ("529.982.247-26", "cpf", []),
        ("cnpj 11222333000181", "cnpj", ["11.222.333/0001-81"]),
        ("cnpj 12.ABC.345/01DE-35", "cnpj", ["12.ABC.345/01DE-35"]),
        ("12.ABC.345/01DE-36", "cnpj", []),
        ("cep 01310100", "cep", ["01310-100"]),
        ("01310-100", "cep", ["01310-100"]),
        ("my zip code is 60623", "cep", ["60623"]),
        ("é Ana.Souza+loja@Example.com.br, tá?", "email", ["ana.souza+loja@example.com.br"]),
        ("me liga no (11) 98765-4321", "phone", ["+5511987654321"]),
        ("meu whats é 11987654321", "phone", ["+5511987654321"]),
        ("call +1 415 555 2671", "phone", ["+14155552671"]),
        ("telefone 123", "phone", []),
        ("cobraram R$ 1.234,56", "amount", ["R$ 1.234,56"]),
        ("foram 89,90 reais", "amount", ["R$ 89,90 (89,90 reais)"]),
        ("charged $12.50 twice", "amount", ["$12.50"]),
        ("93 bucks", "amount", ["$93.00 (93 bucks)"]),
        ("rastreio aa123456789br", "tracking", ["AA123456789BR"]),
        ("AA 123 456 789 BR", "tracking", ["AA123456789BR"]),
        ("o rastreamento é JD0099XX12345", "tracking", ["JD0099XX12345"]),
        ("cartão 4111 1111 1111 1111", "card", ["1111"]),
        ("cartão final 1234", "card", ["1234"]),
        ("paguei no pix", "payment_method", ["pix"]),
        ("paguei com o cartão de crédito", "payment_method", ["cartão de crédito"]),
        ("não foi no cartão, foi no pix", "payment_method", ["pix"]),
        ("posso pagar no pix?", "payment_method", []),
        ("me manda o código pix", "payment_method", []),
        ("ainda não chegou", "order_status", ["ainda não chegou"]),
        ("o pedido já chegou?", "order_status", []),
        ("o tênis não serviu, queria trocar", "reason", ["não serviu"]),
        ("Rua das Flores, 35, apto 2, Campinas. Obrigada", "address", ["Rua das Flores, 35, apto 2, Campinas"]),
        ("ship it to 12 Oak Street, Dallas", "address", ["12 Oak Street, Dallas"]),
        ("share 48 Oak Street with Dylan", "address", ["48 Oak Street"]),
        ("No 48 Oak Street please", "address", ["48 Oak Street (No 48 Oak Street)"]),
        ("pick me up at 30th street station", "address", ["30th street station"]),
        ("7 th house 2 nd lane old big mill street", "address", ["7 th house 2 nd lane old big mill street"]),
        ("I have 2 problems and my order is on the street", "address", []),
        ("errei, o número é 254", "address_number", ["254"]),
        ("meu nome é ana souza e o pedido atrasou", "name", ["ana souza"]),
        ("My name is James Sanchez and my zip is 60623", "name", ["James Sanchez"]),
        ("sou a titular da conta", "name", []),
        ("moro em Belo Horizonte", "city", ["Belo Horizonte"]),
        ('a mensagem diz "objeto extraviado" desde ontem', "quote", ["objeto extraviado"]),
        ("o técnico da Brastemp veio", "mention", ["Brastemp"]),
        ("código XK-99A2", "identifier", ["XK-99A2"]),
        ("a ref 654 e 17", "identifier", ["ref 654 e 17", "654"]),
        ("moment 4982 4918 0129", "identifier", ["moment 4982 4918 0129", "4982", "4982 4918 0129", "4918", "0129"]),
    ],
)
def test_reads_a_value(text: str, key: str, expected: list[str]) -> None:
    assert values(text, key, known_products=()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("comprei em 12/03/2026", "2026-03-12 (12/03/2026)"),
        ("comprei em 12/03", "2026-03-12 (12/03)"),
        ("vence 15/01", "2027-01-15 (15/01)"),
        ("dia 12 de março", "2026-03-12 (12 de março)"),
        ("2026-03-12", "2026-03-12"),
        ("on March 12th, 2026", "2026-03-12 (March 12th, 2026)"),
        ("the 2nd of March", "2026-03-02 (2nd of March)"),
        ("june 172018", "2018-06-17 (june 172018)"),
        ("next Tuesday", "next Tuesday"),
        ("chegou ontem", "ontem"),
        ("on the 30th", "the 30th"),
        ("30th street station", None),
        ("99/99/2026", None),
    ],
)
def test_reads_a_date(text: str, expected: str | None) -> None:
    got = values(text, "date")
    assert (got[0] if got else None) == expected


def test_reads_month_first_where_the_country_does() -> None:
    assert values("03/12/2026", "date", country="US") == ["2026-03-12 (03/12/2026)"]


@pytest.mark.parametrize("text", ["às 14h30", "19:00", "half past 1 in the afternoon", "1130 pm", "ao meio-dia"])
def test_reads_a_time(text: str) -> None:
    assert len(values(text, "time")) == 1


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        ("Qual é o número do pedido?", "1042", ("order", "order:1042", "1042")),
        ("order", "W5061109", ("order", "order:W5061109", "W5061109")),
        ("amount", "250", ("amount", None, "R$ 250,00 (250)")),
        ("phone", "11987654321", ("phone", None, "+5511987654321")),
        ("cep", "60623", ("cep", None, "60623")),
        ("name", "roy kurian", ("name", None, "roy kurian")),
        ("payment_method", "boleto", ("payment_method", None, "boleto")),
        ("Qual o motivo da troca?", "ficou meio estranho", ("reason", None, "ficou meio estranho")),
        ("What kind of movie?", "something supernatural", ("answer", None, "something supernatural")),
    ],
)
def test_what_was_asked_decides(asked: str, text: str, expected: tuple[str, str | None, str]) -> None:
    assert expected in found(text, asked=asked)


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("Qual é o número do pedido?", "order"), ("What is your order number?", "order"), ("Me diga o CEP", "cep"),
        ("Could you provide the email address?", "email"), ("Qual o seu nome completo?", "name"),
        ("Como você pagou?", "payment_method"), ("Qual a sua senha?", "password"), ("Tudo bem?", None),
    ],
)  # fmt: skip
def test_a_question_asks_for_a_key(question: str, key: str | None) -> None:
    assert asked_key(question) == key


@pytest.mark.parametrize(
    ("text", "key", "corrects"),
    [
        ("errei, o número é 254", "address_number", True),
        ("não, é 10420", "order", True),
        ("é esse pedido, não, é 10420", "order", True),
        ("não é 10420", "order", False),
        ("na verdade o pedido é 10420", "order", True),
        ("I meant order 10420", "order", True),
        ("Actually, it's ana@x.com", "email", True),
        ("digitei errado: R$ 80,00", "amount", True),
        ("na verdade foram R$ 80,00", "amount", False),
        ("I actually don't know the email. My zip code is 60623", "cep", False),
        ("o pedido é 10420", "order", False),
    ],
)
def test_only_an_explicit_correction_corrects(text: str, key: str, corrects: bool) -> None:
    drafts = [draft for draft in extract(text, turn=1) if draft.key == key]
    assert [draft.corrects for draft in drafts] == [corrects]


@pytest.mark.parametrize(
    "text",
    ["minha senha é tomato 12", "a senha: xyz987", "cvv 123", "password is f 48 fd 5", "o código de segurança é 987"],
)
def test_secrets_are_no_facts(text: str) -> None:
    assert not [value for _, _, value in found(text) if any(part in value for part in ("12", "987", "48", "xyz"))]


def test_an_answer_to_a_question_for_a_password_is_dropped() -> None:
    assert extract("abc 123", turn=1, asked="Qual é a sua senha?") == ()


def test_a_forgotten_password_hides_nothing_else() -> None:
    assert values("esqueci a senha, pedido 10405", "order") == ["10405"]


def test_a_card_number_leaves_only_its_last_four() -> None:
    assert all("4111" not in value for _, _, value in found("4111 1111 1111 1111"))


def test_a_number_that_fails_the_card_check_is_kept_as_it_is() -> None:
    assert any(holds(value, "4532 0244 9834 3128") for _, _, value in found("o número é 4532 0244 9834 3128"))


def test_belongs_to_the_only_order_named() -> None:
    facts = found("pedido 10405, paguei no pix R$ 80,00")
    assert ("payment_method", "order:10405", "pix") in facts
    assert ("amount", "order:10405", "R$ 80,00") in facts


def test_belongs_to_the_order_in_focus_when_none_is_named_and_to_none_of_two() -> None:
    assert ("payment_method", "order:10420", "pix") in found("paguei no pix", entity="order:10420")
    assert ("payment_method", None, "pix") in found("pedidos 10405 e 10431, paguei no pix", entity="order:10420")


def test_knows_the_products_it_is_given() -> None:
    assert values("o tenis azul rasgou", "product", known_products=["Tênis Azul", "tênis"]) == ["Tênis Azul"]


@pytest.mark.parametrize("text", ["oi", "ok, obrigada", "bom dia!", "sim", "👍", "", "   ", "\x00", "de nada"])
def test_courtesies_state_nothing(text: str) -> None:
    assert found(text) == []


def test_repeats_count_once() -> None:
    assert values("10405, isso, 10405", "order") == ["10405"]


def test_a_photo_is_a_fact() -> None:
    assert attachment_draft("image", "media/1") == FactDraft(key="attachment", value="image media/1")


def test_turns_count_from_one() -> None:
    with pytest.raises(ValueError, match="count from 1"):
        extract("oi", turn=0)


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1 a ",
        "Aa ",
        "pedido 10405 e ",
        "a@a.",
        "rua a 1 ",
        '"a',
        " ",
        "529.982.247-25 ",
        "senha ",
        "paguei no no ",
    ],
)
def test_is_linear_in_a_huge_message(unit: str) -> None:
    extract("11 98765-4321 529.982.247-25", turn=1)

    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        start = time.process_time()
        extract(text, turn=1)
        return time.process_time() - start

    assert seconds(100_000) < GENEROUS_S


def test_a_message_takes_little_time() -> None:
    text = "Oi, meu nome é Ana Souza, pedido 10405 não chegou, paguei no pix R$ 89,90 dia 12/03, cpf 529.982.247-25"
    extract(text, turn=1)
    start = time.process_time()
    for _ in range(50):
        extract(text, turn=1)
    assert time.process_time() - start < GENEROUS_S
