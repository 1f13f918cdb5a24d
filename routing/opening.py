"""When a person answers, as the customer is told it."""

from datetime import datetime
from zoneinfo import ZoneInfo

from routing.calendar import OpeningHours, is_open, next_opening
from routing.model import Language
from routing.sentences import say


def opening_words(now: datetime, hours: OpeningHours, language: Language) -> str:
    """Say when somebody looks: soon while people are here, else from the next opening; no hour is made up where none is known."""
    if is_open(now, hours):
        return say("people.soon", language)
    try:
        opening = next_opening(now, hours).astimezone(ZoneInfo(hours.zone))
    except ValueError:
        return say("people.some_time", language)
    pattern = "%d/%m at %H:%M" if language == "en" else "%d/%m às %H:%M"
    return say("people.at", language, when=opening.strftime(pattern))
