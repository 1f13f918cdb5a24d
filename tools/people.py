"""Roads to a person, and proving who one is."""

from datetime import date, datetime, time, timedelta

from routing.sentences import say
from routing.text import fold
from tools.contract import Args, Outcome, Plan, Proof, Refusal, Tool, ToolContext
from tools.keys import FactKey, Keys, draft
from tools.ownership import MATCHED_KEY, order_number, own_order
from tools.refusing import answering, refuse, refused
from tools.wording import day, local_day
from tools.writing import REQUEST_KEYS, done, effect_key

PROOF_KEYS: Keys = {MATCHED_KEY: FactKey("order", None)}
END_OF_DAY = time(18)
CALLBACK_WITHIN_DAYS = 30
PROOFS_NEEDED = 2


class OpenReview(Args):
    about: str
    order: str | None = None


class PromiseCallback(Args):
    about: str
    due: str | None = None


class VerifyIdentity(Args):
    order: str
    email: str | None = None
    cpf: str | None = None
    cep: str | None = None
    phone: str | None = None
    name: str | None = None


async def plan_review(args: OpenReview, ctx: ToolContext) -> Plan | Refusal:
    """Apply the rules of `open_review`."""
    order = await _about_order(args, ctx)
    if isinstance(order, Refusal):
        return order
    return Plan(
        summary=say("tools.plan_review", ctx.language),
        act=("review", ctx.customer.id or "visitor", order or "", fold(" ".join(args.about.split()))),
    )


@answering
async def open_review(args: OpenReview, ctx: ToolContext) -> Outcome:
    """Ask a person to look at a case that the rules cannot settle: a disputed refusal, a late defect, data that disagree.

    `about` says in one or two sentences what the customer claims and what the data show; `order` if it is about one.
    """
    order = await _about_order(args, ctx)
    if isinstance(order, Refusal):
        return refused(order)
    receipt = await ctx.desk.open_review(effect_key(ctx), about=args.about, order_id=order)
    return done(receipt, order=order, says=say("tools.done_review", ctx.language, protocol=receipt.protocol))


async def plan_callback(args: PromiseCallback, ctx: ToolContext) -> Plan | Refusal:
    """Apply the rules of `promise_callback`."""
    due = _due(args.due, ctx)
    if isinstance(due, Refusal):
        return due
    when = due.isoformat() if due else ""
    about = fold(" ".join(args.about.split()))
    return Plan(
        summary=say("tools.plan_callback", ctx.language), act=("callback", ctx.customer.id or "visitor", about, when)
    )


@answering
async def promise_callback(args: PromiseCallback, ctx: ToolContext) -> Outcome:
    """Promise that a person gets back to the customer, and put it where a person is reminded of it.

    The only way to promise a contact. `due` is a day ("2026-12-04") or a time in ISO form; leave it out if none was said.
    """
    due = _due(args.due, ctx)
    if isinstance(due, Refusal):
        return refused(due)
    receipt = await ctx.desk.promise_callback(effect_key(ctx), about=args.about, due=due)
    if due is None:
        return done(receipt, order=None, says=say("tools.done_callback", ctx.language, protocol=receipt.protocol))
    on = day(local_day(due, ctx.zone), ctx.language)
    says = say("tools.done_callback_due", ctx.language, protocol=receipt.protocol, on=on)
    return done(receipt, order=None, says=says)


@answering
async def verify_identity(args: VerifyIdentity, ctx: ToolContext) -> Outcome:
    """Check that a visitor owns an order: its number and two of e-mail, CPF, CEP, phone, name, as the visitor typed them.

    Only for visitors who are not logged in. It never says which of the data was wrong.
    """
    given = args.model_dump(exclude={"order"}, exclude_none=True)
    if len(given) < PROOFS_NEEDED:
        return refused(refuse("proof_too_little", ctx))
    order = order_number(args.order)
    if await ctx.shop.identify(order, given) < PROOFS_NEEDED:
        return refused(refuse("proof_failed", ctx, audit="identity_mismatch"))
    return Outcome(
        status="ok",
        data={"order": order, "verified": True},
        facts=(draft(PROOF_KEYS, MATCHED_KEY, entity=order, value=order),),
        signal=Proof(order_id=order),
    )


async def _about_order(args: OpenReview, ctx: ToolContext) -> str | Refusal | None:
    """Return the order that a review is about. A visitor's own word for it is enough: a person will look."""
    if args.order is None:
        return None
    if ctx.customer.level == "none":
        return order_number(args.order)
    order = await own_order(args.order, ctx, required="matched")
    return order if isinstance(order, Refusal) else order.id


def _due(text: str | None, ctx: ToolContext) -> datetime | Refusal | None:
    """Read a due time; a day alone means its end, in the shop's zone."""
    if text is None:
        return None
    try:
        due = datetime.fromisoformat(text)
    except ValueError:
        return refuse("due_unreadable", ctx)
    if "T" not in text and " " not in text:
        due = datetime.combine(date.fromisoformat(text), END_OF_DAY)
    due = due if due.tzinfo else due.replace(tzinfo=ctx.zone)
    if due <= ctx.now:
        return refuse("due_past", ctx)
    if due > ctx.now + timedelta(days=CALLBACK_WITHIN_DAYS):
        return refuse("due_too_far", ctx, days=CALLBACK_WITHIN_DAYS)
    return due


TOOLS = (
    Tool(
        name="open_review",
        kind="WRITE",
        args=OpenReview,
        run=open_review,
        plan=plan_review,
        identifiers=("order",),
        while_waiting=True,
    ),
    Tool(
        name="promise_callback",
        kind="WRITE",
        args=PromiseCallback,
        run=promise_callback,
        plan=plan_callback,
        while_waiting=True,
    ),
    Tool(
        name="verify_identity",
        kind="READ",
        args=VerifyIdentity,
        run=verify_identity,
        identifiers=("order", "cpf", "email", "cep", "phone"),
        from_customer=("name",),
        while_waiting=True,
    ),
)
FACTS: dict[str, Keys] = {
    "verify_identity": PROOF_KEYS,
    "open_review": REQUEST_KEYS,
    "promise_callback": REQUEST_KEYS,
}
