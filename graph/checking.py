"""The check before anything is shown: a claim without its proof is repaired once by the model, then replaced."""

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig

from graph.material import dialogue_messages, facts_of, language_of
from graph.services import TurnContext
from graph.state import State
from routing.claims import Violation, check_claims, repair_instruction, safe_reply
from routing.facts import Commitment, ExecutedAction
from routing.ports import SpendingStopped
from routing.sentences import say
from routing.shop import Receipt
from routing.showable import harmless
from routing.text import presentable
from tools.wording import day

Json = dict[str, Any]
_QUIET: RunnableConfig = {"tags": ["nostream"]}


@dataclass(frozen=True, slots=True)
class Checked:
    """The text that may be shown, and what was wrong with the one before it."""

    text: str
    violations: tuple[Violation, ...]
    cost_usd: float = 0.0


async def check_reply(state: State, turn: TurnContext, text: str) -> Checked:
    """Return the text itself, its repair, or the safe reply."""
    violations = find_violations(state, turn, text)
    if not violations or not turn.services.enforce_claims:
        return Checked(text, violations)
    repaired = plain_reply(
        presentable(await _repair(state, turn, text, violations)), limit=turn.services.limits.reply_chars
    )
    if repaired and not find_violations(state, turn, repaired):
        return Checked(repaired, violations)
    protocol = (state.get("called") or {}).get("protocol") or turn.queue_protocol
    return Checked(safe_reply(language=language_of(state), facts=facts_of(state), protocol=protocol), violations)


def find_violations(state: State, turn: TurnContext, text: str) -> tuple[Violation, ...]:
    """Hold the text against what was done, read and promised in this turn and before it."""
    outcomes = state.get("outcomes", [])
    receipts = [
        Receipt.model_validate(o["receipt"]).model_copy(update={"values": _proved(o)})
        for o in outcomes
        if o.get("receipt")
    ]
    services = turn.services
    names = [n for h in state.get("handoffs", []) for n in _names(turn, h["to"])]
    if state.get("called") or turn.queue_protocol:
        names.extend(("atendente", "pessoa", "equipe", "human", "team"))
    return check_claims(
        text, language=language_of(state), receipts=receipts, actions=(*turn.actions, *_actions(outcomes, turn)), facts=[f for f in facts_of(state) if f.key not in _TYPED],
        policies=[*_policies(outcomes), *(x["text"] for x in state.get("dialogue", []) if x["role"] == "person")],
        commitments=_promises(state, turn), tool_data=[e for o in outcomes for e in _evidence(o)],
        transferred_to=names, tool_names=tuple(services.tools), prompt=_prompts(turn), heard=_heard(state),
        today=turn.now.astimezone(services.zone).date(),
    )  # fmt: skip


def _promises(state: State, turn: TurnContext) -> list[Commitment]:
    """Return the promises that stand. Of a callback only that and when it is proved: what it is about, a model wrote."""
    language, standing = language_of(state), list[Commitment]()
    for promise in turn.commitments:
        if promise.origin != "promise_callback":
            standing.append(promise)
        elif promise.due is not None:
            on = day(promise.due.astimezone(turn.services.zone).date(), language)
            told = say("tools.done_callback_due", language, on=on, protocol=promise.id.removeprefix("c-"))
            standing.append(promise.model_copy(update={"text": told}))
    return standing


def _prompts(turn: TurnContext) -> str:
    """Return every specialist's static prompt: none of them is for a customer."""
    roster = turn.services.roster
    return "\n".join(roster.prompt(agent) for agent in roster.ids)


def _heard(state: State) -> tuple[str, ...]:
    """Return the customer's own words, as far back as the state remembers them."""
    lines = (*state.get("dialogue", []), *state.get("heard", []))
    said = [line["text"] for line in lines if line["role"] == "customer"]
    return tuple(dict.fromkeys((*said, *state.get("leg_words", []), *state.get("inbox", []))))


# Texts that a model or somebody outside wrote: they are shown as data, and prove nothing.
_UNTRUSTED = frozenset(
    {
        "note",
        "about",
        "name",
        "product",
        "products",
        "detail",
        "reason",
        "query",
        "key",
        "values",
        "last_event",
        "address",
        "street",
    }
)
_TYPED = ("item", "product", "address")  # facts whose value is somebody's text
_WORDS_OF_THE_CALL = ("recall", "note_hypothesis", "not_mine", "open_review", "promise_callback")
_RULES = ("consult_policy",)  # what the rule is: a policy, and no record of what was done
_ECHOING = ("not_grounded", "invalid_arguments", "unknown_reason", "not_owned", "order_not_found")


def _evidence(outcome: Json) -> list[Any]:
    """What a tool's outcome proves: the shop's own fields, and what our rules said; never the words of the call."""
    found: list[Any] = []
    if outcome["name"] not in (*_WORDS_OF_THE_CALL, *_RULES):
        found.append(_trusted(outcome["data"]))
    if outcome.get("says"):
        found.append(outcome["says"])
    if outcome.get("told") and outcome.get("because") not in _ECHOING:
        found.append(outcome["told"])
    return found


def _trusted(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _trusted(value) for key, value in data.items() if key not in _UNTRUSTED}
    return [_trusted(item) for item in data] if isinstance(data, list) else data


def _proved(outcome: Json) -> Json:
    return {} if outcome["name"] in _WORDS_OF_THE_CALL else _trusted(outcome["receipt"].get("values", {}))


def _policies(outcomes: list[Json]) -> list[str]:
    return [str(o["data"].get("text", "")) for o in outcomes if o["name"] in _RULES]


def _names(turn: TurnContext, agent: str) -> tuple[str, ...]:
    if agent not in turn.services.roster.ids:
        return ()
    spec = turn.services.roster.by_id(agent)
    return (spec.display_name, spec.display_name_en, *spec.aliases)


def _actions(outcomes: list[Json], turn: TurnContext) -> list[ExecutedAction]:
    return [
        ExecutedAction(
            name=o["name"],
            effect_id=o.get("effect_id") or "",
            status="done",
            at=turn.now,
            receipt=o["receipt"]["protocol"],
        )
        for o in outcomes
        if o.get("receipt") and o["outcome"] in ("ok", "repeated")
    ]


async def _repair(state: State, turn: TurnContext, text: str, violations: tuple[Violation, ...]) -> str:
    """Let the specialist that wrote the draft write it once more, told which sentences have nothing behind them."""
    services = turn.services
    author = next((d["agent"] for d in reversed(state.get("drafts", [])) if not d.get("fixed")), None)
    if author not in services.roster.ids:
        return ""
    model = services.models.for_agent(services.roster.by_id(author))
    messages = [
        SystemMessage(services.roster.prompt(author)), *dialogue_messages(state, state.get("inbox", [])), AIMessage(text),
        HumanMessage(repair_instruction(violations, language_of(state))),
    ]  # fmt: skip
    purse = services.purse
    if purse is None:
        return (await model.ainvoke(messages, config=_QUIET)).text.strip()
    try:
        async with purse.pay(messages, (), thread_id=turn.thread_id, agent=author) as charge:
            answer = await model.ainvoke(messages, config=_QUIET)
            charge.cost_usd = purse.cost(answer)
    except SpendingStopped:
        return ""
    return answer.text.strip()


def plain_reply(text: str, *, limit: int) -> str:
    """Return a model's text without what a client might load or run, and no longer than `limit` characters."""
    text = harmless(text).strip()
    if len(text) <= limit:
        return text
    cut = text[:limit]
    return cut[: max(cut.rfind(mark) for mark in (".", "!", "?", "\n")) + 1] or cut
