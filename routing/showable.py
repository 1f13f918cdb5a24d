"""What may be shown: a text without anything that a client would load, run or follow unseen; a name that is a name."""

from routing.pattern import Pattern
from routing.text import presentable

_ROUNDS = 5
_AUTOLINK = Pattern(r"<(https?://[^\s<>]{1,1000})>")
_IMAGE = Pattern(r"!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)?")
_LINK = Pattern(r"\[([^\]\n]{0,200})\]\(([^)\n]{0,500})\)")
_TAG = Pattern(r"<[a-zA-Z/!?][^<>]{0,1000}>")
# What is left of a tag that was never closed: with a space behind the bracket it is none.
_OPENED = Pattern(r"<(?=[a-zA-Z/!?])")
_EMBEDDED = Pattern(r"!(?=\[)")
_NAME = Pattern(r"[^\W\d_][^\W\d_'’.\-]*(?:['’.\-][^\W\d_]+)*\.?(?: (?:[^\W\d_]+['’.\-]?)+){0,5}")
_LONGEST_NAME = 60


def harmless(text: str) -> str:
    """Return a text without images and tags; a link shows where it leads, and one that leads to no web page is only words."""
    for _ in range(_ROUNDS):  # what is left after a removal may be laid out like another tag
        before = text
        text = _AUTOLINK.sub(r"\1", text)
        text = _IMAGE.sub("", text)
        text = _LINK.sub(lambda found: _spelled(found[1], found[2]), text)
        text = _TAG.sub("", text)
        if text == before:
            break
    return _EMBEDDED.sub("", _OPENED.sub("< ", text))


def _spelled(label: str, given: str) -> str:
    """Write a Markdown link out; what follows its target is a title."""
    target = given.split()[0] if given.split() else ""
    if not target.lower().startswith(("http://", "https://")):
        return label
    return target if label.strip() in ("", target) else f"{label} ({target})"


def person_name(text: str | None) -> str | None:
    """Return the part of a customer's name that is a name: the shop's record may hold anything that somebody typed."""
    line = _TAG.sub("", presentable(text or "")).strip().split("\n", 1)[0]
    found = _NAME.match(" ".join(line.split())[: _LONGEST_NAME * 2])
    return found[0][:_LONGEST_NAME].strip() if found else None
