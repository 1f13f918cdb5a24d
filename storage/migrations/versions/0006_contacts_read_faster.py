"""Read a contact's messages by the turns that are known already, instead of looking up the turn of each message.

The view's columns and figures stay as they are.
"""

from alembic import op

revision = "0006"
down_revision = "0005"

_CONTACTS = """
create or replace view bi_contacts as
select
    c.id as contact_id,
    c.protocol,
    c.thread_id,
    v.channel,
    v.brand,
    v.language,
    c.opened_at,
    c.closed_at,
    case when c.status = 'reopened' then coalesce(c.outcome ->> 'ended_as', 'resolved') else c.status end as outcome,
    c.outcome ->> 'because' as because,
    c.status = 'reopened' as reopened,
    c.status = 'resolved' and c.outcome ->> 'because' is distinct from 'erased' as resolved,
    case
        when q.taken or m.by_people > 0 or t.by_operators > 0 or c.outcome ->> 'because' = 'operator' then 'acted'
        when q.items > 0 then 'called'
        else 'none'
    end as person,
    f.to_agent as first_destination,
    coalesce(p.transfers, 0) as transfers,
    coalesce(p.hops, 0) as hops,
    coalesce(p.hop_at_once, false) as transferred_at_once,
    p.first_moved - f.turn_number as turns_to_transfer,
    t.turns,
    t.clarifications,
    m.messages,
    m.from_customer as customer_messages,
    t.cost_usd,
    v.thread_id like 'erased-%' and v.customer_id like 'erased-%' as erased
from contacts c
join conversations v on v.thread_id = c.thread_id
left join lateral (
    select
        count(*) filter (where x.action is null) as turns,
        count(*) filter (where x.action is not null) as by_operators,
        count(*) filter (where x.decision ->> 'target' = 'clarification') as clarifications,
{ids}        coalesce(sum((
            select sum(coalesce(s.settled_usd, s.reserved_usd)) from spend s where s.turn_id = x.id and s.status <> 'released'
        )), 0) as cost_usd
    from turns x where x.contact_id = c.id
) t on true
left join lateral (
    select x.to_agent, x.turn_id, x.turn_number from bi_transfers x
    where x.thread_id = c.thread_id and x.contact_id = c.id and x.kind <> 'person' order by x.at, x.transfer_id limit 1
) f on true
left join lateral (
    select
        count(*) filter (where x.kind in ('hop', 'switch')) as transfers,
        count(*) filter (where x.kind = 'hop') as hops,
        bool_or(x.kind = 'hop' and x.turn_id = f.turn_id and x.from_agent = f.to_agent) as hop_at_once,
        min(x.turn_number) filter (where x.kind in ('hop', 'switch')) as first_moved
    from bi_transfers x where x.thread_id = c.thread_id and x.contact_id = c.id
) p on true
left join lateral (
    select
        count(*) as messages,
        count(*) filter (where x.role = 'customer') as from_customer,
        count(*) filter (where x.role = 'operator') as by_people
    from messages x
{turn}    where x.thread_id = c.thread_id
        and x.role <> 'system'
        and (
            {belongs}
            or (x.role = 'operator' and x.at >= c.opened_at and x.at <= coalesce(c.closed_at, 'infinity'))
        )
) m on true
left join lateral (
    select count(*) as items, bool_or(x.operator is not null) as taken from human_queue x
    where x.thread_id = c.thread_id and x.contact_id = c.id
) q on true;
"""
AFTER = _CONTACTS.format(ids="        array_agg(x.id) as ids,\n", turn="", belongs="x.turn_id = any(t.ids)")
BEFORE = _CONTACTS.format(ids="", turn="    left join turns y on y.id = x.turn_id\n", belongs="y.contact_id = c.id")


def upgrade() -> None:
    op.execute(AFTER)


def downgrade() -> None:
    op.execute(BEFORE)
