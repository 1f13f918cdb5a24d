"""The demo shop's data for whoever serves them outside the database."""

from datetime import date
from typing import Any

from storage.seed import data


def demo_shop(today: date) -> dict[str, Any]:
    """Return customers, orders, documents, requests and policies as plain JSON, dated relative to `today`."""
    return data(today).model_dump(mode="json")
