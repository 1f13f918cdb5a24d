"""Words that only a page needs: times as people say them, and text that stays text."""

import html
import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ops.words import printable

_BOLD = re.compile(r"\*\*(?=\S)([^*\n]{1,200}?)(?<=\S)\*\*")
_AMOUNT = re.compile(r"R\$ (?=\d)")
TITLE_LENGTH = 22


def clock_words(at: datetime, *, now: datetime, zone: ZoneInfo) -> str:
    """Say when: "14:05" today, "ontem 14:05", "03/12 14:05"."""
    then, today = at.astimezone(zone), now.astimezone(zone).date()
    hour = then.strftime("%H:%M")
    if then.date() == today:
        return hour
    return f"ontem {hour}" if then.date() == today - timedelta(days=1) else f"{then:%d/%m} {hour}"


def short_title(title: str | None) -> str:
    """Return a conversation's first words on one line."""
    words = " ".join(printable(title or "").split())
    if not words:
        return "Conversa sem título"
    return words if len(words) <= TITLE_LENGTH else words[: TITLE_LENGTH - 1].rstrip() + "…"


def literal(text: str) -> str:
    """Return HTML that shows exactly this text: no tag, no link, no image of it takes effect."""
    return html.escape(printable(text))


def spoken(text: str) -> str:
    """Return HTML of an agent's reply: literal, but for **bold**, which chat models write unasked, and unbroken amounts."""
    return _BOLD.sub(r"<b>\1</b>", _AMOUNT.sub("R$\u00a0", literal(text)))


def as_label(text: str) -> str:
    """Return the text for a widget's label, where Streamlit would read Markdown."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~>:$<&])", r"\\\1", printable(text))
