"""What a stored traceback may not hold: keys, tokens, passwords, documents, cards, e-mails, phones."""

from routing.masking import masked


def redacted(text: str) -> str:
    """Return the text with everything secret or personal that has a form of its own replaced by a placeholder."""
    return masked(text)
