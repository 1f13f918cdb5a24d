"""Count what may be done only so often, in every process together; tell one anonymous visitor from another.

The subjects of `attempts` are keyed hashes: a count names nobody.
"""

from alembic import op

revision = "0005"
down_revision = "0004"

UP = """
create table attempts (
    scope text not null,
    subject text not null,
    count integer not null,
    until timestamptz not null,
    primary key (scope, subject)
);
create index attempts_until on attempts (until);

alter table conversations add column visitor text;
"""

DOWN = """
alter table conversations drop column visitor;
drop table attempts;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
