"""The webhook to the shop's own help desk: where it goes, when again, and how it is signed.

Wire format: a POST of JSON with the headers `X-Bastao-Event`, `X-Bastao-Delivery` (the same over all attempts) and
`X-Bastao-Signature: t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA256 of "<t>.<body>" under the shared secret. Any 2xx is a
receipt. What is sent, and when, is in ops/announcements.py.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

import httpx
from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

SIGNATURE, EVENT, DELIVERY = "X-Bastao-Signature", "X-Bastao-Event", "X-Bastao-Delivery"
_TOLERANCE_S = 300


class WebhookSettings(BaseModel):
    """Where announcements go. `retry_s` are the pauses between attempts; after the last one it is given up and an alarm rises."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    timeout_s: float = Field(default=5.0, gt=0, le=30)
    retry_s: tuple[float, ...] = (10, 60, 300, 1_800, 7_200, 21_600)

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise ValueError("not a URL") from error
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise ValueError("must be an http or https URL")
        return url


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A configured webhook with its secret."""

    settings: WebhookSettings
    secret: SecretStr

    def sign(self, body: bytes, *, at: datetime) -> str:
        """Return the signature's header for a body that is sent at this moment."""
        stamp = int(at.timestamp())
        return f"t={stamp},v1={_mac(self.secret, stamp, body)}"


def verify(secret: SecretStr, header: str, body: bytes, *, now: datetime, tolerance_s: int = _TOLERANCE_S) -> bool:
    """Tell whether a received body is ours and fresh: the other side of `sign`, for whoever receives in Python."""
    parts = dict(part.split("=", 1) for part in header.split(",") if "=" in part)
    stamp = parts.get("t", "")
    if not stamp.isdigit() or abs(now.timestamp() - int(stamp)) > tolerance_s:
        return False
    return hmac.compare_digest(_mac(secret, int(stamp), body), parts.get("v1", ""))


def _mac(secret: SecretStr, stamp: int, body: bytes) -> str:
    return hmac.new(secret.get_secret_value().encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
