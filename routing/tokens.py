"""An approximate token count, good enough for bounds: no tokenizer knows which model will read the text."""

CHARS_PER_TOKEN = 4


def approximate_tokens(text: str) -> int:
    """Return the number of characters divided by four, rounded up."""
    return -(-len(text) // CHARS_PER_TOKEN)
