"""Whether a WRITE is the customer's own complete request, or the bot's idea that wants a yes first."""

import re
from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue

from routing.facts import Fact

# A wish, an order or a permission, in the first person or as an imperative. A complaint alone ("me cobraram duas vezes")
# is not one: opening a ticket for it would be the bot's idea.
_WISH = re.compile(
    r"\b(quer(o|emos|ia)|gostaria|preciso|desejo|prefiro|pretendo|solicit\w+|pe[cç]o|favor|por gentileza"
    r"|pode(m|ria)?|consegue(m)?|d[aá] (pra|para)|tem como|abr(e|a|ir)|troc(a|ar|o|ue)|devolv(e|er|a|o)|cancel(a|ar|e|o)"
    r"|mud(a|ar|e|em)|alter(a|ar|e)|corrig(e|ir|a|em)|atualiz(a|ar|e)|registr(a|ar|e)|manda|envi(a|ar|e)|coloc(a|ar|que)|bota"
    r"|faz(er)?|resolv(e|er|a|am)|me v[eê]|bora|vamos"
    r"|want|would like|i'?d like|need|please|can you|could you|open|exchange|return|cancel|change|update|send|fix|go ahead)\b",
    re.IGNORECASE,
)
_NOT_A_WISH = re.compile(
    r"\b(n[aã]o (quero|preciso|precisa|pode|abr\w+|cancel\w+|troc\w+|devolv\w+|mud\w+)|do not|don'?t|posso saber|quero saber"
    r"|queria saber|gostaria de saber|preciso saber|want to know|como fa[cç]o)\b",
    re.IGNORECASE,
)


def is_own_request(messages: Iterable[str]) -> bool:
    """Tell whether the customer asks for something to be done in these messages, and does not forbid it in the last."""
    sentences = [s for message in messages for s in re.split(r"(?<=[.!?;\n])\s+", message) if s.strip()]
    return any(_WISH.search(s) and not _NOT_A_WISH.search(s) for s in sentences)


def inferred_arguments(
    args: Mapping[str, JsonValue], *, identifiers: Sequence[str], facts: Sequence[Fact], words: Sequence[str]
) -> tuple[str, ...]:
    """Return the identifying arguments that the customer never gave: somebody else concluded them."""
    given = {fact.value.casefold() for fact in facts if fact.source == "customer"}
    said = " ".join(words).casefold()
    missing: list[str] = []
    for name in identifiers:
        value = args.get(name)
        plain = str(value).strip().lstrip("#").casefold() if value is not None else ""
        if plain and plain not in given and plain not in said:
            missing.append(name)
    return tuple(missing)
