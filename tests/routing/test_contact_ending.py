import pytest

from routing.contact_ending import QuietTurn, ending_of


def turn(reply: str = "Chega amanhã.", **changes: object) -> QuietTurn:
    return QuietTurn.model_validate(
        {"status": "replied", "reply": reply, "target": "support", "reason": "confident"} | changes
    )


THANKS = turn("Imagina! Precisa de mais alguma coisa?", target="courtesy", reason="courtesy")


@pytest.mark.parametrize(
    ("turns", "ending", "because"),
    [
        ([turn()], "resolved", "answered"),
        ([turn(), THANKS], "resolved", "answered"),
        ([turn(), turn(status="nothing_due", reply=None)], "resolved", "answered"),
        ([turn("Qual é o número do pedido?")], "abandoned", "question"),
        ([turn("Qual é o número do pedido?"), THANKS], "abandoned", "question"),
        ([turn("Não consigo cancelar.", refused=True)], "abandoned", "refusal"),
        ([turn(target="out_of_scope")], "abandoned", "refusal"),
        ([turn("Desculpe.", status="failed")], "abandoned", "apology"),
        ([turn("É sobre A ou B?", target="clarification", reason="low_confidence")], "abandoned", "low_confidence"),
        ([turn(status="held", reply=None)], "abandoned", "unanswered"),
        ([], "abandoned", "unanswered"),
    ],
)
def test_how_a_quiet_contact_ended(turns: list[QuietTurn], ending: str, because: str) -> None:
    ended = ending_of(turns, person_replied=False)
    assert (ended.ending, ended.because) == (ending, because)


def test_a_person_who_replied_ends_it() -> None:
    assert ending_of([turn("E o número?")], person_replied=True).ending == "handed_over"
