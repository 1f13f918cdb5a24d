"""Figures over contacts, from the views `bi_*`. A contact counts where it was opened; one whose data were erased never does.

Times are half-open: from `since` to before `until`. Days are those of the time zone `zone`.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Final

from storage.rows import Connection, Record, changed, must

MOST_TRANSFERS: Final = 3
"""Contacts with more transfers are counted here."""

# A contact's row is dear (its turns, messages, transfers, paid calls), so that those of the period are read once and
# everything is counted from them. Decimals travel as texts: JSON's numbers are read as floats.
_REPORT: Final = """
with period as materialized (
    select contact_id, opened_at, outcome, resolved, reopened, person, first_destination, transferred_at_once,
        clarifications, hops, transfers, messages, cost_usd, channel, erased
    from bi_contacts where opened_at >= %(since)s and opened_at < %(until)s
), counted as (select * from period where not erased), ended as (select * from counted where outcome <> 'open')
select
    (select to_jsonb(x) from (
        select count(*) filter (where not erased) as contacts,
            count(*) filter (where not erased and outcome = 'open') as open,
            count(*) filter (where not erased and outcome <> 'open') as ended,
            count(*) filter (where not erased and resolved) as resolved,
            count(*) filter (where not erased and resolved and person <> 'acted') as alone,
            count(*) filter (where not erased and outcome = 'abandoned') as abandoned,
            count(*) filter (where not erased and outcome = 'handed_over') as handed_over,
            count(*) filter (where not erased and reopened) as reopened,
            count(*) filter (where not erased and person = 'called') as called,
            count(*) filter (where not erased and person = 'acted') as acted,
            count(*) filter (where not erased and first_destination is not null) as placed,
            count(*) filter (where not erased and transferred_at_once) as at_once,
            count(*) filter (where not erased and clarifications > 0) as clarified,
            avg(hops) filter (where not erased and resolved)::float8 as hops_mean,
            avg(transfers) filter (where not erased and resolved)::float8 as transfers_mean,
            avg(messages) filter (where not erased and resolved)::float8 as messages_mean,
            coalesce(sum(cost_usd) filter (where not erased and outcome <> 'open'), 0)::text as cost_usd,
            count(*) filter (where channel = %(simulated)s) as simulated,
            count(*) filter (where erased) as erased
        from period
    ) x) as figures,
    (select coalesce(jsonb_agg(x order by x.transfers), '[]') from (
        select least(transfers, %(most)s)::int as transfers, count(*) as contacts,
            count(*) filter (where resolved) as resolved, sum(cost_usd)::text as cost_usd
        from ended group by 1
    ) x) as by_transfers,
    (select coalesce(jsonb_agg(x order by x.moved), '[]') from (
        select transfers > 0 as moved, count(*) as contacts, count(*) filter (where resolved) as resolved,
            sum(transfers)::bigint as transfers, sum(cost_usd)::text as cost_usd
        from ended where first_destination is not null group by 1
    ) x) as moved,
    (select coalesce(jsonb_agg(x order by x.day), '[]') from (
        select (opened_at at time zone %(zone)s)::date as day, count(*) filter (where outcome = 'resolved') as resolved,
            count(*) filter (where outcome = 'abandoned') as abandoned,
            count(*) filter (where outcome = 'handed_over') as handed_over,
            count(*) filter (where outcome = 'open') as open
        from counted group by 1
    ) x) as days,
    (select coalesce(jsonb_agg(x order by x.clarifications desc, x.followed_by), '[]') from (
        select f.followed_by, count(*) as clarifications, count(*) filter (where c.resolved) as resolved
        from bi_clarifications f join counted c on c.contact_id = f.contact_id
        -- No clarification is older than its contact: said, it is found by time instead of in every turn that ever was.
        where f.at >= %(since)s - interval '1 day' group by 1
    ) x) as followed
"""


class ContactFigures(Record):
    """How many contacts of which kind. `ended` is all but the open ones; `alone` were resolved and no person acted.

    `placed` got to a specialist, `at_once` are those of them whose first one passed them on in its first turn. Of the
    resolved ones: the mean of hops, of transfers, of messages. `cost_usd` is that of the ended ones.
    """

    contacts: int
    open: int
    ended: int
    resolved: int
    alone: int
    abandoned: int
    handed_over: int
    reopened: int
    called: int
    acted: int
    placed: int
    at_once: int
    clarified: int
    hops_mean: float | None
    transfers_mean: float | None
    messages_mean: float | None
    cost_usd: Decimal
    simulated: int
    erased: int


class TransfersLine(Record):
    """The ended contacts with so many transfers (`MOST_TRANSFERS`: so many or more), what they cost, how many were resolved."""

    transfers: int
    contacts: int
    resolved: int
    cost_usd: Decimal


class MovedLine(Record):
    """The ended contacts that were (not) transferred, with the number of their transfers."""

    moved: bool
    contacts: int
    resolved: int
    transfers: int
    cost_usd: Decimal


class ContactDay(Record):
    day: date
    resolved: int
    abandoned: int
    handed_over: int
    open: int


class FollowedLine(Record):
    """What followed a clarification, how often, and how many of those contacts ended resolved."""

    followed_by: str
    clarifications: int
    resolved: int


class ContactReport(Record):
    """Everything that is counted over a period's contacts.

    `by_transfers`: fewest first; `moved`: the contacts that stayed with their first specialist, and those that were
    transferred; `days`: by the day of the opening, days without any have no line; `followed`: what followed the
    clarifications, the most frequent first.
    """

    figures: ContactFigures
    by_transfers: tuple[TransfersLine, ...]
    moved: tuple[MovedLine, ...]
    days: tuple[ContactDay, ...]
    followed: tuple[FollowedLine, ...]


async def freeze(conn: Connection) -> None:
    """Let everything that the transaction reads from here on be of one moment. The first statement of a transaction."""
    await conn.execute("set transaction isolation level repeatable read, read only")


async def any_real(conn: Connection, *, simulated: str) -> bool:
    """Tell whether there is a conversation of another channel than the generated ones'."""
    return (
        await changed(conn, "select 1 from conversations where channel <> %(channel)s limit 1", {"channel": simulated})
        == 1
    )


async def report(conn: Connection, *, since: datetime, until: datetime, zone: str, simulated: str) -> ContactReport:
    """Count the contacts of a period. `simulated` is the channel of generated ones."""
    return await must(
        conn,
        ContactReport,
        _REPORT,
        {"since": since, "until": until, "zone": zone, "simulated": simulated, "most": MOST_TRANSFERS},
    )
