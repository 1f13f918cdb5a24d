"""What a turn ran with, requests to be forgotten, and what finds rows by their age.

The ages are found by block ranges: rows are added in the order of their time, and such an index weighs next to nothing.
"""

from alembic import op

revision = "0003"
down_revision = "0002"

UP = """
alter table turns add column release text;

create table erasures (
    id text primary key,
    subject text not null,
    customer_id text,
    requested_at timestamptz not null,
    done_at timestamptz,
    receipt jsonb not null default '{}'
);
create unique index erasures_one_open on erasures (subject) where done_at is null;
create index erasures_subject on erasures (subject, requested_at);

create index messages_at on messages using brin (at);
create index facts_at on facts using brin (at);
create index packages_at on packages using brin (at);
create index failures_at on failures using brin (at);
create index audit_at on audit using brin (at);
create index proposals_at on proposals using brin (asked_at);
create index spend_totals_subject on spend_totals (scope, substr(subject, 12));
"""

DOWN = """
drop index spend_totals_subject, proposals_at, audit_at, failures_at, packages_at, facts_at, messages_at;
drop table erasures;
alter table turns drop column release;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
