"""What a customer's words fill in: reasons, amounts, identity, due days, methods of payment; each as it was typed."""

import re
from datetime import date, timedelta

from agents.offline.scene import Scene
from routing.extraction import extract
from routing.values import flat, unspelled

_REASONS = re.compile(
    r"\b(?:(?:esta |ta |veio |chegou |estava )?com (?:um |algum )?(?:defeito|problema)|defeito\w*|parou (?:de \w+|no|na)|nao (?:esta |ta )?"
    r"(?:liga\w*|funciona\w*|carrega\w*|conecta\w*|pareia|fecha|abre|gira|esquenta|gela|servi\w+|coube|gostei|combin\w+|era o que|quero mais|preciso mais)"
    r"|(?:veio|chegou|esta|ta|ficou|e|muito) (?:\w+ )?(?:quebrad|rasgad|danificad|amassad|trincad|rachad|manchad|errad|diferente|pequen|grande|apertad|larg|curt|compri|folgad)\w*"
    r"|(?:tamanho|numero|cor|modelo) errad[oa]|(?:veio|chegou) (?:o |a )?(?:tamanho|numero|cor|modelo) \w+"
    r"|quebr(?:ou|ado|ada)|rasgou|descol\w+|estragou|queimou|pifou|estour\w+|soltou|vazando|me arrependi|arrependimento|desisti|mudei de ideia"
    r"|(?:por|para|pra) (?:um |uma )?(?:numero|tamanho|outr[oa]|cor|modelo)\w*|(?:outr[oa]|tamanho|numero|cor) (?:maior|menor|tamanho|cor|numero|modelo|certo|certa)"
    r"|stopped work\w*|(?:does|is|did)(?:n't| not) (?:work|turn|charge|connect|fit)\w*|broken|defective|faulty|damaged|changed my mind|too (?:small|big|large|tight)"
    r"|wrong (?:size|colou?r|item)|(?:another|different) (?:size|colou?r))\b"
)
_CLAUSE_END = re.compile(r"[.;!?\n]|,| e (?:quero|queria|gostaria|preciso)|\bquero\b|\bqueria\b|\band i\b|\bi want\b")
_METHODS = (("pix", r"\bpix\b"), ("card", r"\bcart(?:ao|oes)\b|\bcredito\b|\bcard\b"), ("boleto", r"\bboletos?\b"))
_WEEKDAYS = ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo")
_ENGLISH_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PROOFS = ("email", "cpf", "cep", "phone", "name")


def reason_in(text: str) -> str | None:
    """Return the words that say why, from the telling word to the end of its clause, as they were typed."""
    plain = flat(text)
    found = _REASONS.search(plain)
    if found is None:
        return None
    end = _CLAUSE_END.search(plain, found.end())
    return text[found.start() : end.start() if end else len(text)].strip(" ,.-")


def amount_in(text: str) -> str | None:
    """Return an amount of money as it was typed."""
    for draft in extract(text, turn=1):
        if draft.key == "amount":
            return unspelled(draft.value)
    return None


def method_in(text: str) -> str | None:
    """Return the code of the only method of payment that a text names."""
    named = [code for code, pattern in _METHODS if re.search(pattern, flat(text))]
    return named[0] if len(named) == 1 else None


def proofs_in(texts: list[str]) -> dict[str, str]:
    """Return what visitors gave to prove who they are, newest text first."""
    given: dict[str, str] = {}
    for text in texts:
        for draft in extract(text, turn=1):
            if draft.key in PROOFS:
                given.setdefault(draft.key, unspelled(draft.value))
    return given


def due_in(scene: Scene) -> str | None:
    """Return the day that the customer names for a contact, as an ISO date after today."""
    today = _today(scene)
    if today is None:
        return None
    if re.search(r"\bamanha\b|\btomorrow\b", scene.flat):
        return (today + timedelta(days=1)).isoformat()
    for names in (_WEEKDAYS, _ENGLISH_DAYS):
        for number, name in enumerate(names):
            if re.search(rf"\b{name}\b", scene.flat):
                return (today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)).isoformat()
    return None


def _today(scene: Scene) -> date | None:
    """Read the local date from the briefing: the model has no clock."""
    now = scene.briefing.notes.get("now", "") if scene.briefing else ""
    return date.fromisoformat(now[:10]) if re.match(r"\d{4}-\d{2}-\d{2}", now) else None
