"""What is played in every case: a transfer and a write in one turn, or a yes to a write that was proposed; then one turn more."""

from collections.abc import Callable
from typing import Any

from langchain_core.messages import BaseMessage

from tests.scripted import ScriptedDecider, ScriptedModels, call

WITH_A_HOP = "abre um chamado, por favor: me cobraram duas vezes o pedido 10405"
ASKS_FIRST = "me cobraram duas vezes o pedido 10405"
YES = "pode abrir"
AFTERWARDS = "e agora, falta mais alguma coisa do 10405?"
TICKET = call("open_billing_ticket", order="10405", kind="duplicate_charge")


def decider() -> ScriptedDecider:
    """The request of the story with a hop comes to the wrong desk first."""
    return ScriptedDecider(lambda message, exchange: "support" if message == WITH_A_HOP else "billing")


def models(at: Callable[[str], None] = lambda name: None) -> ScriptedModels:
    """Support declines, billing writes and tells. `at` is told before the models answer."""

    def support(messages: list[BaseMessage], kwargs: dict[str, Any]) -> Any:
        at("model_asked")
        return call("not_mine", reason="duplicate_charge", detail="cobrado duas vezes")

    def billing(messages: list[BaseMessage], kwargs: dict[str, Any]) -> Any:
        said = next(m.text for m in reversed(messages) if m.type == "human")
        if messages[-1].type == "tool" or YES in said:
            at("model_tells")
            return "O chamado da cobrança está aberto." if "ok" in messages[-1].text else "Vi as duas cobranças."
        return "Não falta mais nada." if "falta" in said else TICKET

    return ScriptedModels({"support": support, "billing": billing})
