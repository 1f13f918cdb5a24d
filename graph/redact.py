"""What a stored traceback may not hold: keys, tokens, passwords, documents, cards, e-mails."""

import re

_SECRETS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), r"\1 ***"),
    (re.compile(r"(?i)\b(sk|pk|rk|key|token)-[\w-]{8,}"), "***"),
    (
        re.compile(r"(?i)(api[_-]?key|secret|password|senha|token|authorization)(['\"]?\s*[:=]\s*['\"]?)[^\s'\",}]+"),
        r"\1\2***",
    ),
    (re.compile(r"://[^\s:/@]+:[^\s@/]+@"), "://***@"),
    (re.compile(r"\b\d{3}\.?\d{3}\.?\d{3}-?\d{2}\b"), "<cpf>"),
    (re.compile(r"\b(?:\d[ -]?){13,19}\b"), "<card>"),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+"), "<email>"),
)


def redacted(text: str) -> str:
    """Return the text with everything secret or personal replaced by a placeholder."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text
