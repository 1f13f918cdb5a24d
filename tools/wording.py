"""How values read: money, days, addresses, statuses. Amounts are in centavos and keep the Brazilian form in English too."""

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

from routing.model import Language
from routing.sentences import say
from routing.shop import Address


def brl(centavos: int) -> str:
    """Write an amount: 123456 -> "R$ 1.234,56"."""
    whole, cents = divmod(abs(centavos), 100)
    sign = "-" if centavos < 0 else ""
    return f"{sign}R$ {whole:,}".replace(",", ".") + f",{cents:02d}"


def day(when: date, language: Language) -> str:
    """Write a day: 04/12/2026, or 2026-12-04 in English, which no reader can turn round."""
    return when.isoformat() if language == "en" else when.strftime("%d/%m/%Y")


def local_day(at: datetime, zone: ZoneInfo) -> date:
    return at.astimezone(zone).date()


def cep_text(cep: str) -> str:
    digits = re.sub(r"\D", "", cep)
    return f"{digits[:5]}-{digits[5:]}" if len(digits) == 8 else cep


def address_text(address: Address) -> str:
    parts = [f"{address.street}, {address.number}", address.complement, address.district]
    known = [part for part in parts if part]
    return ", ".join([*known, f"{address.city}/{address.state}", f"CEP {cep_text(address.cep)}"])


def status_text(kind: str, code: str, language: Language) -> str:
    """Name a status ("order", "charge", "request"), a payment "method" or a request's "kind" in words."""
    return say(f"tools.{kind}_{code}", language)
