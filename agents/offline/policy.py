"""A conversation policy as data: what a specialist understands, what it needs, which tools it calls, what it answers."""

from typing import Literal

from pydantic import Field

from routing.model import Frozen, Language
from routing.shop import OrderStatus

Slot = Literal["order", "item", "reason", "identity"]


class Text(Frozen):
    """A reply's template in both languages; `$name` stands for a value of `agents.offline.wording`."""

    pt: str
    en: str

    def of(self, language: Language) -> str:
        return self.en if language == "en" else self.pt


class Call(Frozen):
    """A tool call. In `args`, "$order" is a slot, "$amount?" one that may be missing, anything else itself.

    "$address" stands for all address parts that the customer gave. `when` "late" calls only for an order that is late,
    "no_receipt" only where the briefing shows no action with a protocol.
    `lead` is a key of the replies: what is said before an action that is the bot's own idea is put to the customer.
    """

    tool: str
    args: dict[str, str] = Field(default_factory=dict[str, str])
    when: Literal["always", "late", "no_receipt"] = "always"
    lead: str | None = None


class Intent(Frozen):
    """Something that customers want.

    `when` and `unless` are patterns over the flat text (lower case, no accents). `after` names tools: the intent counts
    only where one of them was used or proposed in this conversation. `candidates` are the states of orders that fit when
    the customer names none. `weak` gives way to another specialist's subject. `reply` is a key of the policy's replies,
    `if_cancelled` the one that is said instead, before anything is asked or done, of an order that reads as cancelled.
    """

    name: str
    when: tuple[str, ...]
    unless: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    needs: tuple[Slot, ...] = ()
    candidates: tuple[OrderStatus, ...] = ()
    calls: tuple[Call, ...] = ()
    reply: str
    if_cancelled: str | None = None
    weak: bool = False


class FollowUp(Frozen):
    """What an answer to our own last message means: `asked` is a pattern over it, `said` over the customer's words.

    `said` None stands for a yes.
    """

    asked: str
    said: str | None = None
    intent: str


class OfflinePolicy(Frozen):
    """How a specialist converses without a model. `help` is asked when nothing was understood."""

    intents: tuple[Intent, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    replies: dict[str, Text] = Field(default_factory=dict[str, Text])
    help: Text | None = None
