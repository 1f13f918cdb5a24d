"""What may happen to an item of the human queue: waiting → claimed → resolved, or withdrawn, or back to waiting. Pure."""

from typing import Literal, assert_never

from routing.model import Frozen

ItemStatus = Literal["waiting", "claimed", "resolved", "withdrawn"]
Step = Literal[
    "claim",
    "reply",
    "note",
    "hand_back",
    "resolve",
    "approve",
    "reject",
    "happened",
    "did_not_happen",
    "withdraw",
    "release",
]
WhyNot = Literal["claimed_by_another", "over", "claimed", "not_claimed"]


class Standing(Frozen):
    """Where an item stands, and with whom."""

    status: ItemStatus
    operator: str | None = None


class Refused(Frozen):
    """The step does not fit: somebody else has the item, a person has it, nobody has it, or it is over."""

    because: WhyNot


def move(item: Standing, step: Step, *, operator: str | None = None) -> Standing | Refused:
    """Return where an item stands after a step. `operator` is who takes it; the bot withdraws, the clock releases."""
    if step == "note":
        return item
    if item.status in ("resolved", "withdrawn"):
        return Refused(because="over")
    match step:
        case "withdraw":
            return Refused(because="claimed") if item.status == "claimed" else Standing(status="withdrawn")
        case "release":
            return Standing(status="waiting") if item.status == "claimed" else Refused(because="not_claimed")
        case "claim" | "reply" | "hand_back" | "resolve" | "approve" | "reject" | "happened" | "did_not_happen":
            if item.status == "claimed" and item.operator != operator:
                return Refused(because="claimed_by_another")
            return Standing(status="claimed" if step in ("claim", "reply") else "resolved", operator=operator)
        case _:
            assert_never(step)
