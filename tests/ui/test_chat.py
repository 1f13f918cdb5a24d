"""The chat page over the real backend: what a visitor sees, clicks, and finds again."""

from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from ops.reading import conversations_of, history
from settings import ROOT
from ui import chat
from ui.bridge import Backend

PAGE = str(ROOT / "app.py")
NEW_ADDRESS = "preciso trocar o endereço do pedido 10431: Rua das Acácias, 245, São Paulo, SP, CEP 01310-100"
WHERE_IS_IT = "oi, meu tênis do pedido 10405 ainda não chegou, cadê?"
pytestmark = pytest.mark.slow


@pytest.fixture
def backend(in_process: dict[str, str]) -> Iterator[Backend]:
    """The page's own backend, on this test's database."""
    chat.backend.clear()
    opened = chat.backend()
    yield opened
    chat.backend.clear()
    opened.close()


@pytest.fixture
def opened(backend: Backend) -> Callable[..., AppTest]:
    """Open the page as a new browser does; `address` are query parameters."""

    def open_page(**address: str) -> AppTest:
        at = AppTest.from_file(PAGE, default_timeout=60)
        for key, value in address.items():
            at.query_params[key] = value
        return at.run()

    return open_page


def page(at: AppTest) -> str:
    """All HTML that the page drew of its own."""
    assert not at.exception
    drawn = (str(element.proto.body) for element in at.get("html"))
    return "\n".join(body for body in drawn if not body.startswith("<style>"))


def keys(at: AppTest) -> list[str]:
    return [str(button.key) for button in at.button]


def address_of(at: AppTest) -> dict[str, str]:
    return {key: str(value[0] if isinstance(value, list) else value) for key, value in dict(at.query_params).items()}


def test_an_empty_page_greets_by_name_and_offers_three_examples(opened: Callable[..., AppTest]) -> None:
    at = opened()
    text = page(at)
    assert "Como podemos ajudar?" in text
    assert "loja de demonstração" in text
    assert "modelo offline" in text
    assert [key for key in keys(at) if key.startswith("exemplo-")] == ["exemplo-0", "exemplo-1", "exemplo-2"]


def test_a_message_of_which_nobody_sees_anything_is_not_sent(opened: Callable[..., AppTest], backend: Backend) -> None:
    at = opened()
    for text in (" \u3000", "\u200b\u2060"):
        at.chat_input[0].set_value(text).run()
        assert "Como podemos ajudar?" in page(at)
    assert backend.read(conversations_of(backend.bastao.database, "c1")) == ()


def test_an_example_is_answered_and_the_panel_says_why(opened: Callable[..., AppTest], backend: Backend) -> None:
    at = opened()
    at.button(key="exemplo-0").click().run()
    text = page(at)
    assert "fala cliente" in text
    assert "fala agente" in text
    assert "Decisão" in text
    assert "Consultou o pedido 10405" in text
    rows = backend.read(conversations_of(backend.bastao.database, "c1"))
    assert len(rows) == 1


def test_a_conversation_is_found_again_after_a_reload(opened: Callable[..., AppTest]) -> None:
    at = opened()
    at.chat_input[0].set_value(WHERE_IS_IT).run()
    before = page(at)
    again = opened(**address_of(at))
    assert WHERE_IS_IT in page(again)
    assert page(again).count("fala agente") == before.count("fala agente") == 1
    assert "Decisão" in page(again)


def test_a_conversation_of_another_customer_is_not_opened(opened: Callable[..., AppTest]) -> None:
    at = opened()
    at.chat_input[0].set_value("meu segredo sobre o 10405").run()
    other = opened(conversa=address_of(at)["conversa"], cliente="c2")
    assert "segredo" not in page(other)
    assert "Como podemos ajudar?" in page(other)


def test_choosing_another_customer_starts_clean(opened: Callable[..., AppTest]) -> None:
    at = opened()
    at.chat_input[0].set_value(WHERE_IS_IT).run()
    at.selectbox(key="cliente_escolhido").set_value("c2").run()
    text = page(at)
    assert "10405" not in text.replace("Meu pedido 10405", "")
    assert "Como podemos ajudar?" in text
    assert address_of(at) == {"cliente": "c2"}


def test_the_list_opens_an_earlier_conversation(opened: Callable[..., AppTest]) -> None:
    at = opened()
    at.chat_input[0].set_value("primeira conversa sobre o 10405").run()
    first = address_of(at)["conversa"]
    at.button(key="nova").click().run()
    assert "Como podemos ajudar?" in page(at)
    at.chat_input[0].set_value("segunda, sobre o 10418").run()
    assert address_of(at)["conversa"] != first
    at.button(key=f"conversa-{first}").click().run()
    assert "primeira conversa sobre o 10405" in page(at)
    assert "segunda, sobre o 10418" not in page(at)


@pytest.mark.parametrize(
    "hostile", ["<img src=http://evil.example/x onerror=alert(1)>", "![x](http://evil.example/x.png)"]
)
def test_what_a_customer_types_is_shown_literally(opened: Callable[..., AppTest], hostile: str) -> None:
    at = opened()
    at.chat_input[0].set_value(hostile).run()
    text = page(at)
    assert "<img" not in text
    assert "evil.example" in text
    assert not any("evil.example" in str(element.value) for element in at.markdown)


def waits_for_yes(at: AppTest) -> str:
    """Bring the conversation to an action that waits for a yes; return its proposal's id."""
    at.chat_input[0].set_value(NEW_ADDRESS).run()
    asked = [key.removeprefix("sim-") for key in keys(at) if key.startswith("sim-")]
    assert len(asked) == 1, page(at)
    return asked[0]


def test_an_action_waits_in_a_card_with_its_exact_words(opened: Callable[..., AppTest]) -> None:
    at = opened()
    waits_for_yes(at)
    text = page(at)
    assert "Precisa da sua confirmação" in text
    card = text[text.index("confirmacao") :]
    assert "10431" in card
    assert "245" in card


def test_the_card_is_there_after_a_reload(opened: Callable[..., AppTest]) -> None:
    at = opened()
    asked = waits_for_yes(at)
    assert f"sim-{asked}" in keys(opened(**address_of(at)))


def test_yes_is_a_message_of_the_customer_and_is_sent_once(opened: Callable[..., AppTest], backend: Backend) -> None:
    at = opened()
    asked = waits_for_yes(at)
    second_tab = opened(**address_of(at))
    at.button(key=f"sim-{asked}").click().run()
    second_tab.button(key=f"sim-{asked}").click().run()
    lines = backend.read(history(backend.bastao.database, address_of(at)["conversa"], customer=None))
    assert [line.text for line in lines if line.role == "customer"] == [NEW_ADDRESS, "sim"]
    assert f"sim-{asked}" not in keys(at)
    assert "Protocolo" in page(at) or "protocolo" in page(at)


def test_no_drops_the_action(opened: Callable[..., AppTest]) -> None:
    at = opened()
    asked = waits_for_yes(at)
    at.button(key=f"nao-{asked}").click().run()
    assert "confirmacao" not in page(at)


def test_a_transfer_is_a_card_and_stays_one(opened: Callable[..., AppTest]) -> None:
    at = opened()
    at.chat_input[0].set_value("oi, meu tênis do pedido 10405 ainda não chegou, cadê?").run()
    at.chat_input[0].set_value("aproveitando, vi que me cobraram duas vezes esse pedido no pix").run()
    for drawn in (page(at), page(opened(**address_of(at)))):
        assert 'class="passagem"' in drawn
        assert "Financeiro recebeu: pedido 10405" in drawn


def test_a_person_that_was_called_is_announced(opened: Callable[..., AppTest]) -> None:
    at = opened()
    at.chat_input[0].set_value("quero falar com um atendente").run()
    assert 'class="aviso"' in page(at)
    assert "Protocolo" in page(at)


def test_the_panel_shows_an_earlier_turn_and_can_be_closed(opened: Callable[..., AppTest]) -> None:
    at = opened()
    at.chat_input[0].set_value(WHERE_IS_IT).run()
    at.chat_input[0].set_value("bom dia").run()
    turns = next(box for box in at.selectbox if str(box.key).startswith("turno-"))
    turns.set_value(1).run()
    assert "Consultou o pedido 10405" in page(at)
    at.toggle(key="bastidores").set_value(False).run()
    assert "Decisão" not in page(at)
    assert "fala agente" in page(at)


def test_without_a_database_the_page_says_so(in_process: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    chat.backend.clear()
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    at = AppTest.from_file(PAGE, default_timeout=60).run()
    assert "O banco de dados não está respondendo agora" in page(at)
    assert keys(at) == ["tentar"]
    assert not at.chat_input


def test_a_wrong_configuration_is_named(
    in_process: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chat.backend.clear()
    wrong = tmp_path_factory.mktemp("config") / "config.json"
    wrong.write_text('{"mode": "demo", "shopp": {}}', "utf-8")
    monkeypatch.setenv("BASTAO_CONFIG", str(wrong))
    at = AppTest.from_file(PAGE, default_timeout=60).run()
    assert "A configuração tem um erro" in page(at)
    assert "shopp" in page(at)
