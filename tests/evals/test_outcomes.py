"""What the records of real contacts propose as labels, and what they may not: silence, people, and the system's own choice."""

from datetime import timedelta
from typing import Any

from evals.outcomes import Candidate, candidates
from graph.contacts import close_idle
from ops.outcomes import ended_contacts
from routing.shop import Customer
from storage.records.contact_stories import Story
from tests.graph.acting import MONDAY, SetClock, person
from tests.graph.conftest import C1, ROSTER, Desk, Make, tools_of
from tests.graph.conftest import make_desk as make_desk
from tests.ops.lived import ADDRESS
from tests.scripted import call

WHERE = "Você acompanha tudo em Meus pedidos."
DAYS: Any = {"since": MONDAY - timedelta(days=1), "until": MONDAY + timedelta(days=3)}


def not_mine(reason: str) -> Any:
    return call("not_mine", id=f"call_{reason}", reason=reason, detail="assunto de outra pessoa")


async def stories_of(desk: Desk) -> dict[str, Story]:
    """Return the contacts that ended, by their conversation, of which each holds one."""
    found = ended_contacts(desk.services.database, desk.services.shop, **DAYS)
    return {story.contact.thread_id: story async for story in found}


async def at_night(desk: Desk, clock: SetClock) -> None:
    """Let the idle hours pass, and the clock's round come."""
    clock.pass_(hours=13)
    async with desk.services.database.transaction() as conn:
        await close_idle(conn, now=clock.now())


def proposals(story: Story) -> list[tuple[str, str, str | None]]:
    return [(c.how, c.chose, c.proposed) for c in candidates(story, specialists=ROSTER.ids)]


def only(story: Story) -> Candidate:
    (found,) = candidates(story, specialists=ROSTER.ids)
    return found


def ended_as(story: Story, **changed: Any) -> Story:
    return story.model_copy(update={"contact": story.contact.model_copy(update=changed)})


def ended_with(story: Story, words: str) -> Story:
    """Return the story with other words of the customer's in its last turn."""
    last = story.turns[-1].id
    said = [
        m.model_copy(update={"text": words}) if (m.turn_id, m.role) == (last, "customer") else m for m in story.messages
    ]
    return story.model_copy(update={"messages": tuple(said)})


def handed_on(story: Story, **changed: str) -> Story:
    """Return the story with the last hand-off of its first turn changed."""
    (turn, *rest) = story.turns
    places = [n for n, entry in enumerate(turn.trail) if entry["type"] == "handoff"]
    assert len(places) == 2
    trail = [{**entry, **changed} if n == places[-1] else entry for n, entry in enumerate(turn.trail)]
    return story.model_copy(update={"turns": (turn.model_copy(update={"trail": trail}), *rest)})


async def test_real_contacts_propose_what_their_records_show_and_nothing_more(make_desk: Make) -> None:
    clock = SetClock(MONDAY)
    desk = await make_desk(
        {
            "support": [
                WHERE, WHERE, WHERE, not_mine("duplicate_charge"), not_mine("xyzzy"), not_mine("plugh"), WHERE,
                not_mine("duplicate_charge"), not_mine("duplicate_charge"), call("update_address", **ADDRESS), "Posso trocar?", "Pronto.",
            ],
            "billing": ["De qual pedido é a cobrança?"] * 4,
        },
        lambda message, exchange: "billing" if "outra pessoa" in message else "support",
        clock=clock,
    )  # fmt: skip

    async def say(thread_id: str, *texts: str, customer: Customer = C1) -> list[list[Any]]:
        return [await desk.say(text, thread_id=thread_id, customer=customer) for text in texts]

    await say("th-thanked", "cadê meu pedido 10405? sou a Ana Souza, cpf 529.982.247-25", "era isso, obrigada!")
    await say("th-silent", "cadê meu pedido 10405?")
    await say("th-person", "onde está minha entrega?", "quero falar com um atendente")
    await say("th-passed", "oi, veio cobrança dobrada no pix")
    await say("th-unknown", "fizeram bagunça no meu extrato")
    await say("th-later", "e a minha compra, como está?", "é que fui cobrada duas vezes")
    await say("th-visitor", "meu nome é Zeca Prado, fui cobrado em dobro", customer=Customer(id=None, visitor="v-1"))
    address = "troca o endereço do 10431 para Rua das Acácias, 77, Jardim Botânico, São Paulo, cep 01310-100"
    *_, changed = await say("th-act", address, "sim, pode trocar")
    assert ("update_address", "ok") in tools_of(changed)
    await at_night(desk, clock)
    desk.thread_id = "th-person"
    await person(desk, "resolve")  # without a word of the person's: the contact is resolved, by somebody else

    told = await stories_of(desk)
    assert {thread: proposals(story) for thread, story in told.items()} == {
        "th-thanked": [("solved", "support", "support")],
        "th-silent": [],
        "th-person": [],
        "th-passed": [("passed_on", "support", "billing")],
        # Nobody knew the reason: the decision model chose again, and its choice is no label.
        "th-unknown": [("passed_on", "support", None)],
        "th-later": [("passed_on_next", "support", "billing"), ("passed_on", "support", "billing")],
        "th-visitor": [("passed_on", "support", "billing")],
        "th-act": [("solved", "support", "support")],
    }
    assert {told[name].contact.status for name in ("th-silent", "th-person", "th-thanked")} == {"resolved"}

    thanked = told["th-thanked"]
    assert only(thanked).message == "cadê meu pedido 10405? sou a <name>, cpf <cpf>"
    assert "thanks" in only(thanked).happened
    assert "update_address was carried out" in only(told["th-act"]).happened
    assert "Acácias" not in only(told["th-act"]).message
    assert only(told["th-passed"]).happened == "support passed it on to billing (duplicate_charge)"
    assert only(told["th-visitor"]).message == "meu nome é <name>, fui cobrado em dobro"
    later = candidates(told["th-later"], specialists=ROSTER.ids)[1]
    assert (later.current_agent, later.message) == ("support", "é que fui cobrada duas vezes")
    assert [(line.role, line.text) for line in later.context] == [
        ("customer", "e a minha compra, como está?"),
        ("agent", WHERE),
    ]

    # The same contact, had it ended otherwise, confirms nothing; what was passed on stays passed on.
    for ended in ({"status": "reopened"}, {"status": "abandoned"}, {"called": True}, {"outcome": {"by": "marta"}}):
        assert proposals(ended_as(thanked, **ended)) == [], ended
    for words, proposed in {
        "tchau": 0,
        "valeu, tchau!": 1,
        "resolvido": 1,
        "mas cadê?": 0,
        "obrigada por nada": 0,
    }.items():
        assert len(proposals(ended_with(thanked, words))) == proposed, words
    assert proposals(ended_as(told["th-passed"], called=True)) == [("passed_on", "support", "billing")]
    # A second subject of the message says nothing about the first, and neither does a person.
    for handed in ({"reason": "open_topic"}, {"to": "person"}):
        assert proposals(handed_on(told["th-passed"], **handed)) == [], handed
    # A choice that a rule made is the rule's.
    (first, *rest) = thanked.turns
    named = first.model_copy(update={"decision": {**(first.decision or {}), "reason": "addressed_by_name"}})
    assert proposals(thanked.model_copy(update={"turns": (named, *rest)})) == []
