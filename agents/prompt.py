"""Prompts as Markdown files, rendered strictly: an unknown or a forgotten variable is an error at start."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from string import Template

from routing.model import Frozen

COMMON = "_common.md"


class PromptError(ValueError):
    """A prompt file that cannot be rendered; the message names the file and what would be right."""


class Prompt(Frozen):
    """A rendered prompt and the first 12 hex digits of its SHA-256: what the trace keeps."""

    text: str
    hash: str


def render_file(path: Path, values: Mapping[str, str]) -> str:
    """Render one file. Every `$name` in it must be declared, and every declared name must be used. Raises PromptError."""
    try:
        template = Template(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PromptError(f"{path}: no such prompt; create it or correct the name") from error
    if not template.is_valid():
        raise PromptError(f"{path}: a single $ must be written $$")
    used = set(template.get_identifiers())
    if unknown := sorted(used - values.keys()):
        raise PromptError(f"{path}: unknown variable {', '.join(unknown)}; known: {', '.join(sorted(values))}")
    if missing := sorted(values.keys() - used):
        raise PromptError(f"{path}: does not use {', '.join(missing)}; put ${missing[0]} where it belongs")
    return template.substitute(values).strip()


def render_prompt(path: Path, common: Path, values: Mapping[str, str]) -> Prompt:
    """Render a specialist's prompt: its own file gets `values` and, as `$common`, the rules that all of them share."""
    shared = render_file(common, {"display_name": values["display_name"]})
    text = render_file(path, {**values, "common": shared})
    return Prompt(text=text, hash=hashlib.sha256(text.encode()).hexdigest()[:12])
