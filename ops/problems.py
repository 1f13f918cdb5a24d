"""What a surface may have to tell its reader about, under one roof: surfaces do not reach into storage."""

from graph.closing import ClosingDown
from graph.door_ids import BadId
from graph.parts import NothingSaid
from graph.people import NotPossible
from graph.rates import TooMany
from routing.ports import ShopUnavailable
from storage.database import DatabaseUnavailable
from storage.embedded import EmbeddedPostgresError
from storage.records.conversations import NotYours

__all__ = [
    "BadId",
    "ClosingDown",
    "DatabaseUnavailable",
    "EmbeddedPostgresError",
    "NotPossible",
    "NotYours",
    "NothingSaid",
    "ShopUnavailable",
    "TooMany",
]
