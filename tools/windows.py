"""Until when something can still be done: days counted from delivery, in the shop's zone."""

import re
from datetime import date, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from routing.shop import Order
from routing.text import fold
from tools.wording import local_day

ReturnReason = Literal["defect", "exchange", "regret"]

REGRET_DAYS = 7  # Código de Defesa do Consumidor, art. 49
EXCHANGE_DAYS = 30
DEFECT_DAYS = 90  # Código de Defesa do Consumidor, art. 26, durable goods
DAYS: dict[ReturnReason, int] = {"defect": DEFECT_DAYS, "exchange": EXCHANGE_DAYS, "regret": REGRET_DAYS}

_NO_DEFECT = re.compile(r"\b(?:sem|nao tem|nao ha|nenhum|no|without|not)\s+(?:\w+\s+){0,2}(?:defeito|defect\w*)")
_DEFECT = re.compile(
    r"defeit|quebr|trinc|rachad|rasg|descol|descostur|estrag|queim|danific|furad|furou|vazando|vazou|estour|soltou"
    r"|parou de|parou (?:no|na|depois)|pifou|deu pau|mau contato|com problema|enferruj|desbot|manchad"
    r"|nao (?:\w+ )?(?:liga|ligou|funciona|funcionou|carrega|conecta|pareia|fecha|abre|gira|esquenta|gela)\b"
    r"|broken|broke\b|stopped work|defect|faulty|does ?n[o']?t (?:work|turn|charge|connect)|damaged|cracked|torn|leaking"
)
_UNSHIPPED = ("awaiting_payment", "paid", "preparing")


def return_reason(kind: Literal["return", "exchange"], reason: str) -> ReturnReason:
    """Decide which window a reason falls under: a defect, an exchange, or else the right of regret."""
    folded = _NO_DEFECT.sub(" ", fold(reason))
    if _DEFECT.search(folded):
        return "defect"
    return "exchange" if kind == "exchange" else "regret"


def delivered_on(order: Order, zone: ZoneInfo) -> date | None:
    return local_day(order.delivery.delivered_at, zone) if order.delivery.delivered_at else None


def last_day(order: Order, reason: ReturnReason, zone: ZoneInfo) -> date | None:
    """Return the last day of the window, or None if the order has not been delivered."""
    delivered = delivered_on(order, zone)
    return delivered + timedelta(days=DAYS[reason]) if delivered else None


def before_shipping(order: Order) -> bool:
    return order.status in _UNSHIPPED and order.delivery.shipped_at is None


def is_late(order: Order, today: date) -> bool:
    """Tell whether an undelivered order is past its estimate, or the carrier already says so."""
    if order.status in ("delivered", "returned", "cancelled"):
        return False
    return order.status == "delayed" or (order.delivery.estimate is not None and order.delivery.estimate < today)
