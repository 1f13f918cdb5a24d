"""What a surface may have to tell its reader about, under one roof: surfaces do not reach into storage."""

from graph.conversation import ClosingDown
from graph.people import NotPossible
from routing.ports import ShopUnavailable
from storage.database import DatabaseUnavailable
from storage.embedded import EmbeddedPostgresError
from storage.records.conversations import NotYours

__all__ = [
    "ClosingDown",
    "DatabaseUnavailable",
    "EmbeddedPostgresError",
    "NotPossible",
    "NotYours",
    "ShopUnavailable",
]
