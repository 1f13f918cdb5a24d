"""What the simulated customers' conversations answer: who reached the goal, in how many messages, over how many transfers."""

from statistics import fmean

from pydantic import JsonValue

from evals.results import Share, quantile
from routing.model import Frozen, Language


class CustomerRow(Frozen):
    """One conversation. `messages` are the customer's own, up to the goal or to where it gave up.

    `dispatched` counts turns that went to a specialist, `immediate` those of them in which it passed on at once.
    """

    id: str
    manner: str
    lang: Language
    reached: bool
    messages: int
    transfers: int
    immediate: int
    dispatched: int
    clarifications: int
    people: int
    blocked: int
    replies: int
    lint: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    talk: tuple[tuple[str, str], ...] = ()


class CustomersReport(Frozen):
    """One run. `talk` of a row is the conversation: what the customer said, and the reply."""

    customers: tuple[CustomerRow, ...]

    @property
    def reached(self) -> Share:
        return Share(hits=sum(row.reached for row in self.customers), n=len(self.customers))

    @property
    def immediate(self) -> Share:
        return Share(hits=sum(row.immediate for row in self.customers), n=sum(row.dispatched for row in self.customers))

    def named(self) -> dict[str, float | None]:
        """Return flat numbers, None without observations; messages are of those who reached their goal."""
        messages = [row.messages for row in self.customers if row.reached]
        return {
            "customers": len(self.customers), "reached": self.reached.value,
            "messages_mean": fmean(messages) if messages else None, "messages_median": quantile(messages, 0.5),
            "messages_p90": quantile(messages, 0.9), "transfers": sum(row.transfers for row in self.customers),
            "immediate_transfers": self.immediate.hits, "immediate_transfer_rate": self.immediate.value,
            "clarifications": sum(row.clarifications for row in self.customers),
            "people_called": sum(row.people for row in self.customers), "claims_blocked": sum(row.blocked for row in self.customers),
            "replies": sum(row.replies for row in self.customers), "lint_findings": sum(len(row.lint) for row in self.customers),
        }  # fmt: skip

    def figures(self) -> dict[str, float]:
        """Return flat numbers, usable as floors and ceilings; a figure without observations is left out."""
        return {name: float(value) for name, value in self.named().items() if value is not None}

    def metrics(self) -> dict[str, JsonValue]:
        """Return the figures with n and interval where they are shares."""
        return {
            **self.figures(),
            "reached": self.reached.as_json(),
            "immediate_transfer_rate": self.immediate.as_json(),
        }

    def rows(self) -> list[dict[str, JsonValue]]:
        """Return a row per conversation, without its words."""
        return [
            {**row.model_dump(mode="json", exclude={"talk", "reached"}), "passed": row.reached}
            for row in self.customers
        ]
