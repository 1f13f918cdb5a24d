"""Find the turns of the last minutes without reading all of them."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("create index turns_started on turns (started_at)")


def downgrade() -> None:
    op.execute("drop index turns_started")
