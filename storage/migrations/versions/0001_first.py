"""Everything that a conversation leaves behind, and the demo shop.

Foreign keys only where erasing a conversation must take its rows along. Money is numeric US$ in the ledger and integer
centavos in the shop.
"""

from alembic import op

revision = "0001"
down_revision = None

CONVERSATIONS = """
create table conversations (
    thread_id text primary key,
    customer_id text,
    channel text not null,
    brand text not null,
    language text check (language in ('pt', 'en')),
    title text,
    epoch integer not null default 0,
    fence bigint not null default 0,
    held_by text,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index conversations_customer on conversations (customer_id, updated_at desc);

create table contacts (
    id text primary key,
    thread_id text not null references conversations on delete cascade,
    protocol text not null unique,
    status text not null default 'open'
        check (status in ('open', 'resolved', 'abandoned', 'handed_over', 'reopened')),
    subject text,
    opened_at timestamptz not null,
    closed_at timestamptz,
    current_agent text,
    hops integer not null default 0,
    outcome jsonb not null default '{}',
    reopened_by text
);
create unique index contacts_one_open on contacts (thread_id) where status = 'open';
create index contacts_thread on contacts (thread_id, opened_at desc);

create table turns (
    id text primary key,
    thread_id text not null references conversations on delete cascade,
    number integer not null,
    contact_id text,
    status text not null default 'running'
        check (status in ('running', 'replied', 'held', 'interrupted', 'failed', 'nothing_due')),
    action jsonb,
    owner text not null,
    fence bigint not null,
    epoch integer not null,
    lease_until timestamptz not null,
    attempts integer not null default 1,
    stop_requested boolean not null default false,
    started_at timestamptz not null,
    ended_at timestamptz,
    first_effect_at timestamptz,
    reply text,
    reply_message_id text,
    discarded_reply text,
    trail jsonb not null default '[]',
    decision jsonb,
    cost_usd numeric(14, 8) not null default 0,
    tokens jsonb not null default '{}',
    versions jsonb not null default '{}',
    error_protocol text,
    unique (thread_id, number)
);
create unique index turns_one_running on turns (thread_id) where status = 'running';
create index turns_lease on turns (lease_until) where status = 'running';
create index turns_contact on turns (contact_id);

create table messages (
    thread_id text not null references conversations on delete cascade,
    seq integer not null,
    message_id text not null,
    role text not null check (role in ('customer', 'agent', 'operator', 'system')),
    author text,
    text text not null,
    parts jsonb not null default '[]',
    at timestamptz not null,
    turn_id text references turns on delete set null,
    given_back boolean not null default false,
    channel text not null,
    brand text not null,
    primary key (thread_id, seq),
    unique (thread_id, message_id)
);
create index messages_untaken on messages (thread_id, seq) where turn_id is null and role = 'customer';
create index messages_turn on messages (turn_id);

create table failures (
    protocol text primary key,
    at timestamptz not null,
    thread_id text references conversations on delete cascade,
    turn_id text,
    kind text not null,
    detail text not null
);
"""

LEDGERS = """
create table effects (
    id text primary key,
    key text not null unique,
    thread_id text not null references conversations on delete cascade,
    turn_id text not null,
    tool text not null,
    args jsonb not null default '{}',
    state text not null check (state in ('claimed', 'sent', 'done', 'refused', 'unknown')),
    receipt jsonb,
    personal jsonb,
    fence bigint not null,
    attempts integer not null default 1,
    claimed_at timestamptz not null,
    settled_at timestamptz
);
create index effects_thread on effects (thread_id, claimed_at);
create index effects_unsettled on effects (claimed_at) where state in ('claimed', 'sent', 'unknown');

create table packages (
    id text primary key,
    thread_id text not null references conversations on delete cascade,
    turn_id text not null,
    contact_id text,
    from_agent text,
    to_agent text not null,
    reason text not null,
    schema_version integer not null,
    body jsonb not null,
    tokens integer not null,
    at timestamptz not null,
    status text not null default 'taken' check (status in ('taken', 'failed'))
);
create index packages_thread on packages (thread_id, at);
create index packages_turn on packages (turn_id);

create table facts (
    id text not null,
    thread_id text not null references conversations on delete cascade,
    customer_id text,
    scope text not null default 'conversation' check (scope in ('conversation', 'customer')),
    key text not null,
    entity text,
    value text not null,
    source text not null,
    status text not null check (status in ('reported', 'confirmed', 'replaced')),
    at timestamptz not null,
    turn integer not null,
    max_age_s integer,
    replaced_by text,
    primary key (thread_id, id)
);
create index facts_key on facts (thread_id, key, at desc);
create index facts_entity on facts (thread_id, entity, at desc);
create index facts_customer on facts (customer_id, at desc) where scope = 'customer';

create table commitments (
    id text not null,
    thread_id text not null references conversations on delete cascade,
    customer_id text,
    text text not null,
    by text not null,
    at timestamptz not null,
    due timestamptz,
    status text not null default 'open' check (status in ('open', 'kept', 'overdue', 'withdrawn')),
    origin text not null check (origin in ('receipt', 'policy', 'promise_callback', 'person')),
    primary key (thread_id, id)
);
create index commitments_customer on commitments (customer_id, at) where status in ('open', 'overdue');

create table follow_ups (
    id text primary key,
    thread_id text not null,
    commitment_id text not null,
    owner text not null,
    due timestamptz not null,
    status text not null default 'open' check (status in ('open', 'queued', 'overdue', 'done', 'withdrawn')),
    queued_at timestamptz,
    foreign key (thread_id, commitment_id) references commitments on delete cascade
);
create index follow_ups_due on follow_ups (due) where status in ('open', 'queued');

create table proposals (
    id text primary key,
    thread_id text not null references conversations on delete cascade,
    turn_id text,
    tool text not null,
    args jsonb not null,
    digest text not null,
    summary text not null,
    proposed_by text not null,
    basis jsonb not null default '{}',
    asked_at timestamptz not null,
    expires_at timestamptz not null,
    settled_at timestamptz,
    status text not null default 'pending'
        check (status in ('pending', 'confirmed', 'rejected', 'void', 'expired', 'operator'))
);
create index proposals_thread on proposals (thread_id, asked_at);

create table spend (
    id text primary key,
    at timestamptz not null,
    day date not null,
    provider text not null,
    model text,
    agent text,
    thread_id text references conversations on delete cascade,
    customer_id text,
    turn_id text,
    reserved_usd numeric(14, 8) not null,
    settled_usd numeric(14, 8),
    settled_at timestamptz,
    status text not null default 'reserved' check (status in ('reserved', 'settled', 'released'))
);
create index spend_day on spend (day);
create index spend_turn on spend (turn_id);
create index spend_thread on spend (thread_id);

create table spend_totals (
    scope text not null check (scope in ('day', 'conversation', 'customer')),
    subject text not null,
    usd numeric(14, 8) not null default 0,
    primary key (scope, subject)
);
"""

PEOPLE = """
create table human_queue (
    id text primary key,
    key text not null unique,
    protocol text not null unique,
    thread_id text references conversations on delete cascade,
    contact_id text,
    turn_id text,
    kind text not null,
    reason text not null,
    about text,
    status text not null default 'waiting' check (status in ('waiting', 'claimed', 'resolved', 'withdrawn')),
    priority integer not null default 0,
    package jsonb,
    notes jsonb not null default '[]',
    operator text,
    created_at timestamptz not null,
    claimed_at timestamptz,
    resolved_at timestamptz,
    due timestamptz
);
create index human_queue_open on human_queue (status, priority desc, created_at) where status in ('waiting', 'claimed');
create index human_queue_thread on human_queue (thread_id);

create table webhook_deliveries (
    id text primary key,
    item_id text references human_queue on delete cascade,
    event text not null,
    body jsonb not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_at timestamptz not null,
    created_at timestamptz not null,
    delivered_at timestamptz,
    last_error text
);
create index webhook_deliveries_next on webhook_deliveries (next_at) where status = 'pending';

create table audit (
    id bigserial primary key,
    at timestamptz not null,
    thread_id text,
    customer_id text,
    actor text not null,
    rule text not null,
    detail jsonb not null default '{}'
);
create index audit_thread on audit (thread_id, id);
create index audit_customer on audit (customer_id, id);

create table alarms (
    id text primary key,
    kind text not null,
    detail text not null,
    at timestamptz not null,
    last_at timestamptz not null,
    count integer not null default 1,
    closed_at timestamptz
);
create unique index alarms_one_open on alarms (kind) where closed_at is null;

create table policies (
    topic text not null,
    language text not null check (language in ('pt', 'en')),
    version integer not null,
    text text not null,
    at timestamptz not null,
    primary key (topic, language, version)
);
"""

SHOP = """
create schema shop;

create table shop.customers (
    id text primary key,
    name text not null,
    tier text,
    email text not null,
    phone text not null,
    cpf text not null
);

create table shop.orders (
    id text primary key,
    customer_id text not null references shop.customers,
    status text not null check (status in ('awaiting_payment', 'paid', 'preparing', 'in_transit', 'delayed', 'delivered',
        'returned', 'cancelled')),
    placed_at timestamptz not null,
    total integer not null,
    note text,
    version integer not null default 1
);
create index orders_customer on shop.orders (customer_id, placed_at desc);

create table shop.items (
    order_id text not null references shop.orders,
    id text not null,
    name text not null,
    quantity integer not null default 1,
    price integer not null,
    primary key (order_id, id)
);

create table shop.charges (
    id text primary key,
    order_id text not null references shop.orders,
    amount integer not null,
    method text not null check (method in ('pix', 'card', 'boleto')),
    status text not null check (status in ('paid', 'pending', 'overdue', 'refunded', 'refund_pending')),
    at timestamptz not null,
    instalments integer not null default 1,
    due date
);
create index charges_order on shop.charges (order_id);

create table shop.deliveries (
    order_id text primary key references shop.orders,
    carrier text,
    tracking text,
    status text,
    estimate date,
    shipped_at timestamptz,
    delivered_at timestamptz,
    last_event text
);

create table shop.addresses (
    order_id text primary key references shop.orders,
    street text not null,
    number text not null,
    complement text,
    district text,
    city text not null,
    state text not null,
    cep text not null
);

create table shop.requests (
    protocol text primary key,
    kind text not null,
    order_id text not null references shop.orders,
    item_id text,
    status text not null check (status in ('open', 'approved', 'done', 'refused')),
    at timestamptz not null,
    detail text
);
create index requests_order on shop.requests (order_id);

create table shop.policies (
    topic text not null,
    language text not null check (language in ('pt', 'en')),
    text text not null,
    primary key (topic, language)
);

create table shop.documents (
    order_id text not null references shop.orders,
    kind text not null check (kind in ('invoice', 'boleto', 'pix_code')),
    number text not null,
    content text not null,
    due date,
    primary key (order_id, kind)
);

create table shop.effects (
    key text primary key,
    receipt jsonb not null,
    at timestamptz not null
);
"""


def upgrade() -> None:
    for statements in (CONVERSATIONS, LEDGERS, PEOPLE, SHOP):
        op.execute(statements)
