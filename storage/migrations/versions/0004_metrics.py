"""Views for whoever reads the numbers: `bi_*`, a contract that docs/metrics.md lists. No view shows anybody's words or names a
customer or an operator.

A release may add a column at a view's end, never rename or remove one. Nothing here is counted twice: what a view derives
from another one it reads there.
"""

from alembic import op

revision = "0004"
down_revision = "0003"

INDEXES = """
create index contacts_opened on contacts using brin (opened_at);
create index human_queue_created on human_queue using brin (created_at);
"""

TRANSFERS = """
create view bi_transfers as
select
    p.id as transfer_id,
    p.turn_id,
    t.contact_id,
    p.thread_id,
    v.channel,
    v.brand,
    p.at,
    t.number as turn_number,
    p.from_agent,
    p.to_agent,
    p.reason,
    case
        when p.to_agent = 'person' then 'person'
        when p.from_agent is null then 'first'
        when (p.body ->> 'hop_count')::integer > 0 then 'hop'
        else 'switch'
    end as kind,
    p.tokens as package_tokens
from packages p
join turns t on t.id = p.turn_id
join conversations v on v.thread_id = p.thread_id
where p.status = 'taken';

comment on view bi_transfers is 'Every passing of the baton that arrived, with its kind.';
comment on column bi_transfers.transfer_id is 'Id of the package.';
comment on column bi_transfers.turn_id is 'Turn in which it happened.';
comment on column bi_transfers.contact_id is 'Contact that the turn belongs to.';
comment on column bi_transfers.thread_id is 'Conversation.';
comment on column bi_transfers.channel is 'Channel of the conversation; "simulated" is generated data.';
comment on column bi_transfers.brand is 'Brand of the conversation.';
comment on column bi_transfers.at is 'When it happened.';
comment on column bi_transfers.turn_number is 'Number of the turn in its conversation, from 1.';
comment on column bi_transfers.from_agent is 'Specialist that passed on; null when nobody had the contact.';
comment on column bi_transfers.to_agent is 'Specialist that received, or "person".';
comment on column bi_transfers.reason is 'Declared reason or the decision''s reason, as a code.';
comment on column bi_transfers.kind is 'first: to the first specialist of a contact. switch: the router moved it, as for another subject. hop: a specialist said that it is not its own. person: to the human queue.';
comment on column bi_transfers.package_tokens is 'Approximate size of the package.';
"""

TURNS = """
create view bi_turns as
select
    t.id as turn_id,
    t.contact_id,
    t.thread_id,
    v.channel,
    v.brand,
    t.number as turn_number,
    t.started_at,
    t.ended_at,
    t.status,
    t.action is not null as by_operator,
    (extract(epoch from t.ended_at - t.started_at) * 1000)::double precision as latency_ms,
    coalesce((t.tokens ->> 'input')::bigint, 0) as input_tokens,
    coalesce((t.tokens ->> 'cached')::bigint, 0) as cached_tokens,
    coalesce((t.tokens ->> 'output')::bigint, 0) as output_tokens,
    coalesce(s.usd, 0) as cost_usd
from turns t
join conversations v on v.thread_id = t.thread_id
left join lateral (
    select sum(coalesce(x.settled_usd, x.reserved_usd)) as usd from spend x where x.turn_id = t.id and x.status <> 'released'
) s on true;

comment on view bi_turns is 'Every turn: how it ended, how long it took, what it used.';
comment on column bi_turns.turn_id is 'Id of the turn.';
comment on column bi_turns.contact_id is 'Contact that it belongs to; null while it runs.';
comment on column bi_turns.thread_id is 'Conversation.';
comment on column bi_turns.channel is 'Channel of the conversation; "simulated" is generated data.';
comment on column bi_turns.brand is 'Brand of the conversation.';
comment on column bi_turns.turn_number is 'Number in its conversation, from 1.';
comment on column bi_turns.started_at is 'When it began, after the pause that joins a burst of messages.';
comment on column bi_turns.ended_at is 'When its reply was committed; null while it runs.';
comment on column bi_turns.status is 'running, replied, held (forwarded to a person), interrupted, failed or nothing_due.';
comment on column bi_turns.by_operator is 'True for a turn that an operator''s approval or hand-back began.';
comment on column bi_turns.latency_ms is 'From beginning to commit; of a turn that was taken over, from its first owner''s beginning.';
comment on column bi_turns.input_tokens is 'Tokens that chat models read, cached ones included.';
comment on column bi_turns.cached_tokens is 'Those of input_tokens that came from the provider''s cache.';
comment on column bi_turns.output_tokens is 'Tokens that chat models wrote.';
comment on column bi_turns.cost_usd is 'Decisions and chat calls by the ledger, US$: settled, or reserved where the end is not known.';
"""

CONTACTS = """
create view bi_contacts as
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
        coalesce(sum((
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
    left join turns y on y.id = x.turn_id
    where x.thread_id = c.thread_id
        and x.role <> 'system'
        and (
            y.contact_id = c.id
            or (x.role = 'operator' and x.at >= c.opened_at and x.at <= coalesce(c.closed_at, 'infinity'))
        )
) m on true
left join lateral (
    select count(*) as items, bool_or(x.operator is not null) as taken from human_queue x
    where x.thread_id = c.thread_id and x.contact_id = c.id
) q on true;

comment on view bi_contacts is 'Every contact (each time that a customer needed something): how it ended, who had it, what it cost.';
comment on column bi_contacts.contact_id is 'Id of the contact.';
comment on column bi_contacts.protocol is 'Its number, as customers and operators read it out.';
comment on column bi_contacts.thread_id is 'Conversation.';
comment on column bi_contacts.channel is 'Channel of the conversation; "simulated" is generated data.';
comment on column bi_contacts.brand is 'Brand of the conversation.';
comment on column bi_contacts.language is 'Language of the conversation, pt or en; null until it is known.';
comment on column bi_contacts.opened_at is 'When its first turn began: reports date a contact by it.';
comment on column bi_contacts.closed_at is 'When it ended; null while it is open.';
comment on column bi_contacts.outcome is 'open, resolved, abandoned or handed_over (a person replied in it): how it ended, also if it was reopened later.';
comment on column bi_contacts.because is 'Why it ended so: answered, question, refusal, apology, low_confidence, unanswered, person_replied, operator, erased.';
comment on column bi_contacts.reopened is 'True when the customer came back with the same subject within 72 hours.';
comment on column bi_contacts.resolved is 'True when it ended as resolved and was neither reopened nor closed by an erasure.';
comment on column bi_contacts.person is 'none; called: it was in the human queue and nobody took it; acted: a person took, answered, decided or closed something in it.';
comment on column bi_contacts.first_destination is 'Specialist that got it first; null when none ever did.';
comment on column bi_contacts.transfers is 'Times that it passed from one specialist to another (hops and switches).';
comment on column bi_contacts.hops is 'Those of transfers that a specialist asked for, because it was not its own.';
comment on column bi_contacts.transferred_at_once is 'True when the first destination passed it on in the very turn in which it got it.';
comment on column bi_contacts.turns_to_transfer is 'Turns between getting the first destination and the first transfer: 0 in the same turn; null without a transfer.';
comment on column bi_contacts.turns is 'Turns that answered its messages.';
comment on column bi_contacts.clarifications is 'Turns that asked what the message is about.';
comment on column bi_contacts.messages is 'Messages of customer, bot and people; notices are not counted.';
comment on column bi_contacts.customer_messages is 'Those of messages that the customer wrote.';
comment on column bi_contacts.cost_usd is 'Decisions and chat calls of its turns by the ledger, US$.';
comment on column bi_contacts.erased is 'True when the customer had the data erased: messages, transfers and cost are gone, leave it out of averages.';
"""

DECISIONS = """
create view bi_decisions as
select
    t.id as turn_id,
    t.contact_id,
    t.thread_id,
    v.channel,
    v.brand,
    t.started_at as at,
    t.number as turn_number,
    t.decision ->> 'target' as target,
    t.decision ->> 'reason' as reason,
    t.decision ->> 'provider' as provider,
    t.decision ->> 'model' as model,
    (t.decision ->> 'calibrated')::boolean as calibrated,
    (t.decision ->> 'confidence')::double precision as top_probability,
    (t.decision ->> 'margin')::double precision as margin,
    (t.decision ->> 'threshold')::double precision as threshold,
    (t.decision ->> 'latency_ms')::double precision as latency_ms,
    (t.decision ->> 'cost_usd')::double precision as cost_usd,
    (
        select count(*) from jsonb_array_elements(coalesce(nullif(t.decision -> 'hops', 'null'), '[]')) h
        where h ->> 'outcome' in ('error', 'skipped')
    ) as providers_failed,
    case
        when t.status in ('running', 'failed', 'interrupted', 'nothing_due') then t.status
        when t.status = 'held' or t.decision ->> 'target' = 'person' or coalesce(p.to_person, false) then 'person'
        when t.decision ->> 'target' = 'clarification' then 'clarified'
        when coalesce(p.passed_on, false) then 'passed_on'
        else 'answered'
    end as outcome
from turns t
join conversations v on v.thread_id = t.thread_id
left join lateral (
    select bool_or(x.kind = 'person') as to_person, bool_or(x.kind = 'hop' and x.from_agent = t.decision ->> 'target') as passed_on
    from bi_transfers x where x.turn_id = t.id
) p on true
where t.decision is not null;

comment on view bi_decisions is 'Every decision about who speaks, by a rule or by a decision model.';
comment on column bi_decisions.turn_id is 'Turn that it was made for.';
comment on column bi_decisions.contact_id is 'Contact of the turn.';
comment on column bi_decisions.thread_id is 'Conversation.';
comment on column bi_decisions.channel is 'Channel of the conversation; "simulated" is generated data.';
comment on column bi_decisions.brand is 'Brand of the conversation.';
comment on column bi_decisions.at is 'When the turn began.';
comment on column bi_decisions.turn_number is 'Number of the turn in its conversation, from 1.';
comment on column bi_decisions.target is 'Specialist, or clarification, out_of_scope, courtesy, person.';
comment on column bi_decisions.reason is 'Reason code of the rule or of the policy.';
comment on column bi_decisions.provider is 'Decision provider that answered; null when a rule decided or nobody answered.';
comment on column bi_decisions.model is 'Model as served.';
comment on column bi_decisions.calibrated is 'Whether the provider''s probabilities are calibrated.';
comment on column bi_decisions.top_probability is 'Largest probability that it gave; null when a rule decided.';
comment on column bi_decisions.margin is 'Distance to the second option.';
comment on column bi_decisions.threshold is 'Threshold that the top probability was held against.';
comment on column bi_decisions.latency_ms is 'Time of the provider that answered.';
comment on column bi_decisions.cost_usd is 'Cost that the provider named, US$; the ledger is bi_spend.';
comment on column bi_decisions.providers_failed is 'Providers that were asked or skipped before without an answer.';
comment on column bi_decisions.outcome is 'What became of it in its turn: answered, passed_on (the specialist said that it is not its own), clarified, person, nothing_due, failed, interrupted, running.';
"""

CLARIFICATIONS = """
create view bi_clarifications as
select
    t.id as turn_id,
    t.contact_id,
    t.thread_id,
    v.channel,
    v.brand,
    t.started_at as at,
    (t.decision ->> 'confidence')::double precision as top_probability,
    coalesce(t.decision ->> 'detail', '') = 'offer_person' as offered_person,
    case
        when n.id is null then case when c.status = 'open' then 'waiting' else 'no_answer' end
        when n.status in ('failed', 'interrupted', 'running') then n.status
        when n.decision ->> 'target' = 'clarification' then 'asked_again'
        when n.status = 'held' or n.decision ->> 'target' = 'person' then 'person'
        when n.decision ->> 'reason' = 'chose_option' then 'chose_option'
        when n.decision ->> 'target' in ('out_of_scope', 'courtesy') then n.decision ->> 'target'
        else 'routed'
    end as followed_by,
    n.decision ->> 'target' as next_target,
    case when c.status = 'reopened' then coalesce(c.outcome ->> 'ended_as', 'resolved') else c.status end as contact_outcome
from turns t
join conversations v on v.thread_id = t.thread_id
left join contacts c on c.id = t.contact_id
left join lateral (
    select x.id, x.status, x.decision from turns x
    where x.thread_id = t.thread_id and x.contact_id = t.contact_id and x.number > t.number and x.action is null
    order by x.number limit 1
) n on true
where t.decision ->> 'target' = 'clarification';

comment on view bi_clarifications is 'Every question of ours about what a message is about, and what followed it.';
comment on column bi_clarifications.turn_id is 'Turn that asked.';
comment on column bi_clarifications.contact_id is 'Contact of the turn.';
comment on column bi_clarifications.thread_id is 'Conversation.';
comment on column bi_clarifications.channel is 'Channel of the conversation; "simulated" is generated data.';
comment on column bi_clarifications.brand is 'Brand of the conversation.';
comment on column bi_clarifications.at is 'When the turn began.';
comment on column bi_clarifications.top_probability is 'Largest probability that was not enough.';
comment on column bi_clarifications.offered_person is 'True when it offered a person instead of asking again.';
comment on column bi_clarifications.followed_by is 'Next turn of the contact: chose_option, routed (the answer was clear), asked_again, person, out_of_scope, courtesy, failed, interrupted, running; no_answer when the contact ended, waiting while it is open.';
comment on column bi_clarifications.next_target is 'Who that next turn went to.';
comment on column bi_clarifications.contact_outcome is 'Outcome of the contact, as in bi_contacts.';
"""

QUEUE = """
create view bi_queue as
select
    q.id as item_id,
    q.protocol,
    q.contact_id,
    q.thread_id,
    v.channel,
    v.brand,
    q.kind,
    q.reason,
    case when q.reason = 'sensitive' then q.about end as topic,
    q.priority,
    q.status,
    q.created_at,
    q.claimed_at,
    q.resolved_at,
    q.due,
    case
        when q.claimed_at is not null then extract(epoch from q.claimed_at - q.created_at)
        when q.status = 'resolved' then extract(epoch from q.resolved_at - q.created_at)
    end::double precision as wait_s
from human_queue q
left join conversations v on v.thread_id = q.thread_id;

comment on view bi_queue is 'Every item that was put before a person, and how long it waited.';
comment on column bi_queue.item_id is 'Id of the item.';
comment on column bi_queue.protocol is 'Its number, as customers and operators read it out.';
comment on column bi_queue.contact_id is 'Contact that it came from; null for a promise''s reminder.';
comment on column bi_queue.thread_id is 'Conversation.';
comment on column bi_queue.channel is 'Channel of the conversation; "simulated" is generated data.';
comment on column bi_queue.brand is 'Brand of the conversation.';
comment on column bi_queue.kind is 'What a person has to do: conversation, review, callback, approval, follow_up.';
comment on column bi_queue.reason is 'Why, as a code.';
comment on column bi_queue.topic is 'The sensitive topic, where that is the reason; null once the data were erased.';
comment on column bi_queue.priority is 'Larger is sooner.';
comment on column bi_queue.status is 'waiting, claimed, resolved or withdrawn (nobody had to see it any more).';
comment on column bi_queue.created_at is 'When it was put into the queue: reports date an item by it.';
comment on column bi_queue.claimed_at is 'When a person took it; of several times the last.';
comment on column bi_queue.resolved_at is 'When it was closed or withdrawn.';
comment on column bi_queue.due is 'When the promise behind it is due.';
comment on column bi_queue.wait_s is 'Seconds until a person took or closed it; null while it waits and for withdrawn ones that nobody took.';
"""

SPEND = """
create view bi_spend as
select
    s.day,
    v.channel,
    s.provider,
    s.model,
    s.agent,
    count(*) as calls,
    sum(coalesce(s.settled_usd, s.reserved_usd)) as usd,
    coalesce(sum(s.reserved_usd) filter (where s.status = 'reserved'), 0) as open_usd
from spend s
left join conversations v on v.thread_id = s.thread_id
where s.status <> 'released'
group by s.day, v.channel, s.provider, s.model, s.agent;

comment on view bi_spend is 'The ledger by day, channel, provider, model and specialist.';
comment on column bi_spend.day is 'Day in the shop''s time zone.';
comment on column bi_spend.channel is 'Channel of the conversation; null when it was erased or is not known.';
comment on column bi_spend.provider is 'Who was paid.';
comment on column bi_spend.model is 'Model that was asked for.';
comment on column bi_spend.agent is 'Specialist that the call was for; null for a decision.';
comment on column bi_spend.calls is 'Paid calls.';
comment on column bi_spend.usd is 'US$: settled, or reserved where the end is not known.';
comment on column bi_spend.open_usd is 'The part of usd that is still only reserved.';

create view bi_spend_days as
select
    coalesce(t.day, l.day) as day,
    coalesce(t.usd, l.usd) as counted_usd,
    coalesce(l.calls, 0) as calls,
    coalesce(l.usd, 0) as ledger_usd,
    coalesce(l.open_usd, 0) as open_usd
from (select subject::date as day, usd from spend_totals where scope = 'day') t
full join (
    select day, sum(calls)::bigint as calls, sum(usd) as usd, sum(open_usd) as open_usd from bi_spend group by day
) l on l.day = t.day;

comment on view bi_spend_days is 'Spend per day as the daily limit sees it. The limit itself is in config.json, budget.day.';
comment on column bi_spend_days.day is 'Day in the shop''s time zone; days without a paid call have no row.';
comment on column bi_spend_days.counted_usd is 'What counts against the day''s limit, US$: reserved and settled together; the ledger''s sum once that counter was taken out.';
comment on column bi_spend_days.calls is 'Paid calls in the ledger.';
comment on column bi_spend_days.ledger_usd is 'Sum of the ledger''s lines, US$; equals counted_usd.';
comment on column bi_spend_days.open_usd is 'The part of it that is still only reserved.';
"""

VIEWS = ("bi_spend_days", "bi_spend", "bi_queue", "bi_clarifications", "bi_decisions", "bi_contacts", "bi_turns", "bi_transfers")


def upgrade() -> None:
    for statements in (INDEXES, TRANSFERS, TURNS, CONTACTS, DECISIONS, CLARIFICATIONS, QUEUE, SPEND):
        op.execute(statements)


def downgrade() -> None:
    for view in VIEWS:
        op.execute(f"drop view {view}")
    op.execute("drop index contacts_opened, human_queue_created")
