"""Nothing of the project's own cases is lost; a builder that drops something is caught."""

from typing import Any

import pytest

from evals.integrity import TOKENS_AT_MOST, run, score
from routing.briefing import render_briefing
from routing.package import HandoffPackage, build_package
from routing.reasons import ReasonOverride
from routing.tokens import approximate_tokens
from settings import load_settings, reasons_of, roster_of
from tests.evals.cases import case, own

LOST_IF_DROPPED: dict[str, Any] = {
    "conversation_id": "", "contact": "", "leg": "", "from_agent": "nobody", "to_agent": "", "reason": "", "detail": None,
    "hop_count": 0, "visited": (), "recent_turns": (), "earlier_summary": None, "facts": (), "hypotheses": (),
    "commitments": (), "executed_actions": (), "conflicts": (), "open_question": None, "pending_action": None,
    "open_topics": (), "language": "en",
}  # fmt: skip


@pytest.mark.parametrize("pad", [0, 200])
def test_nothing_is_lost_in_the_projects_own_cases(pad: int) -> None:
    result = run(own(), pad=pad)
    assert [(row["id"], row["lost"], row["broken"]) for row in result.cases if row["lost"] or row["broken"]] == []
    assert result.metrics["package_tokens"]["max"] <= TOKENS_AT_MOST  # type: ignore[index,call-overload,operator]
    assert result.metrics["secrets"] == {"given": 2, "removed": 2}


def test_there_are_enough_cases_of_every_sort() -> None:
    cases = own()
    assert len(cases) >= 40
    assert len({each.id for each in cases}) == len(cases)
    assert {each.lang for each in cases} == {"pt", "en"}
    assert {"order", "cpf", "cep", "address", "email", "date", "amount", "name"} <= {
        v.key for c in cases for v in c.values
    }
    for each in cases:
        for value in (*each.values, *each.outdated):
            assert value.value.lower() in each.turns[value.turn].text.lower(), (each.id, value)


def without(field: str) -> Any:
    """Return a copy of the builder that drops a field."""

    def build(**given: Any) -> HandoffPackage:
        return build_package(**given).model_copy(update={field: LOST_IF_DROPPED[field]})

    return build


@pytest.mark.parametrize("field", LOST_IF_DROPPED)
def test_a_builder_that_drops_a_field_is_caught(field: str) -> None:
    result = run(own("carried", "long"), build=without(field))
    assert any(row["lost"] or row["broken"] for row in result.cases)


def test_every_field_is_tried() -> None:
    assert set(HandoffPackage.model_fields) - set(LOST_IF_DROPPED) == {"schema_version", "at"}


@pytest.mark.parametrize("kept", ["facts", "turns", "earlier_summary", "commitments", "proposal"])
def test_a_builder_that_is_not_given_something_is_caught(kept: str) -> None:
    def build(**given: Any) -> HandoffPackage:
        return build_package(**{name: value for name, value in given.items() if name != kept})

    result = run(own("carried", "long"), build=build)
    assert any(row["lost"] or row["broken"] for row in result.cases)


def test_a_commitment_that_is_reworded_is_caught() -> None:
    def build(**given: Any) -> HandoffPackage:
        package = build_package(**given)
        said = tuple(each.model_copy(update={"text": each.text.rstrip(".")}) for each in package.commitments)
        return package.model_copy(update={"commitments": said})

    promised = own("carried")[0]
    assert score(promised).broken == ()
    assert score(promised, build=build).broken == ("commitments",)


def test_recall_counts_only_for_a_key_that_the_index_shows() -> None:
    def hidden(material: Any) -> str:
        return "\n".join(line for line in render_briefing(material).splitlines() if not line.startswith("index "))

    moved = case(
        *(f"C: pedido {10_000 + n}" for n in range(6)),
        "A: Certo.",
        *(["C: ok", "A: ok"] * 7),
        values=(("order", "10000", 0),),
    )
    assert score(moved).lost == ()
    assert [value.value for value in score(moved, render=hidden).lost] == ["10000"]


def test_an_identifier_must_be_a_fact_of_the_customers() -> None:
    """Readable in the last turns is not enough, and neither is a tool's reading of the same value."""

    def loses_what_was_said(**given: Any) -> HandoffPackage:
        package = build_package(**given)
        kept = tuple(fact.model_copy(update={"source": "tool:lookup_order"}) for fact in package.facts)
        return package.model_copy(update={"facts": kept})

    said = case("C: pedido 10405", values=(("order", "10405", 0),))
    assert score(said).lost == ()
    assert [value.value for value in score(said, build=loses_what_was_said).lost] == ["10405"]


def test_secrets_are_left_out_and_counted_where_the_door_knew_them() -> None:
    told = case(
        "C: minha senha é girassol88",
        "C: abacate12",
        values=(("password", "girassol88", 0), ("password", "abacate12", 1)),
    )
    row = score(told)
    assert (row.kept, row.secrets, row.removed) == ((), 2, 1)


def test_a_value_that_was_taken_back_may_not_stand() -> None:
    taken_back = {"outdated": ({"key": "order", "value": "10450", "turn": 0},)}
    assert score(case("C: pedido 10450", "C: errei, o pedido é 10405", **taken_back)).broken == ()
    assert score(case("C: pedido 10450", "C: e o pedido 10405", **taken_back)).broken == (
        "order 10450 was taken back and stands",
    )


def bench(turns: int) -> int:
    """Return the briefing's tokens after `turns` customer turns with a new order, amount and date every ten."""
    lines: list[str] = []
    for turn in range(turns):
        news = turn // 10
        new = f"pedido {10_000 + news}, R$ {news + 20},90, comprado em {news % 28 + 1:02d}/{news % 12 + 1:02d}/2026"
        lines += [
            f"C: {new}" if turn % 10 == 0 else f"C: e então, o que faço com isso? conta {turn}a",
            "A: Já verifico.",
        ]
    promise = {"text": "Te retornamos até sexta", "turn": 1}
    return score(case(*lines, promises=(promise,))).briefing_tokens


def test_the_briefing_stays_flat_over_600_turns() -> None:
    sizes = {turns: bench(turns) for turns in (10, 60, 600)}
    assert max(sizes.values()) <= 1_500, sizes
    assert sizes[600] / sizes[60] <= 1.10, sizes


def test_the_package_of_a_very_long_turn_fits() -> None:
    crowded = case(*("C: " + "palavra " * 900 for _ in range(6)), *(f"C: código X{n}Y7" for n in range(50)))
    assert score(crowded).package_tokens <= TOKENS_AT_MOST
    assert approximate_tokens(crowded.turns[0].text) > TOKENS_AT_MOST


def test_every_reason_of_the_roster_has_a_case_that_it_leads_right() -> None:
    table = reasons_of(settings := load_settings({}), roster_of(settings))
    declared = [each for each in own("reasons") if each.change.declared]
    assert {each.change.reason for each in declared} == set(table.entries)
    assert run(declared, table=table).metrics["broken"] == 0
    swapped = reasons_of(
        settings.model_copy(update={"reasons": {"defect": ReasonOverride(agent="billing")}}), roster_of(settings)
    )
    broken = {str(row["id"]): row["broken"] for row in run(declared, table=swapped).cases if row["broken"]}
    assert broken == {"own-reason-defect": ["defect leads to billing, not to returns"]}
    without = swapped.model_copy(update={"entries": {k: v for k, v in table.entries.items() if k != "invoice"}})
    assert run(declared, table=without).metrics["broken"] == 1
