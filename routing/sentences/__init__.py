"""Every sentence that code, and not a model, says to a customer: pt-BR and English, by key.

A file per domain (`tools.py`, `turns.py`, …) holds `PT` and `EN`; keys are "<domain>.<name>".
"""

from importlib import import_module

from routing.model import Language

_DOMAINS = ("tools", "turns", "people", "limits", "writes")


def say(key: str, language: Language, **values: object) -> str:
    """Return the sentence of `key` with its values filled in. Raises KeyError for an unknown key or a missing value."""
    domain, _, name = key.partition(".")
    if domain not in _DOMAINS:
        raise KeyError(key)
    module = import_module(f"routing.sentences.{domain}")
    texts: dict[str, str] = module.EN if language == "en" else module.PT
    return texts[name].format_map(values)
