"""What was done and not yet told: after a yes the graph acts, and the specialist writes the reply from the receipt."""

import re

from agents.offline.phrases import phrase
from agents.offline.scene import Scene
from routing.answers import read_answer
from routing.briefing_reading import BriefAction

_ASKED = re.compile(r"^confirma |confirma .*\?|do you confirm|posso fazer\?|shall i go ahead\?", re.IGNORECASE)


def asked_to_confirm(message: str) -> bool:
    """Tell whether a message of ours put an action to the customer."""
    return bool(_ASKED.search(message))


def fresh_receipt(scene: Scene) -> str | None:
    """Return the reply for an action that our question and the customer's yes led to, or None if there is none."""
    action = _newest_untold(scene)
    if action is None or not (_ASKED.search(scene.before) or read_answer(scene.text) == "yes"):
        return None
    if action.status == "unknown":
        return phrase("unknown", scene.language)
    return _sentence(scene, action.receipt) or phrase("protocol", scene.language, protocol=action.receipt)


def _newest_untold(scene: Scene) -> BriefAction | None:
    if scene.briefing is None:
        return None
    told = " ".join(text for side, text in scene.earlier if side == "shop")
    fresh = [
        a
        for a in scene.briefing.actions
        if a.status in ("done", "unknown") and (not a.receipt or a.receipt not in told)
    ]
    return max(fresh, key=lambda action: action.at) if fresh else None


def _sentence(scene: Scene, protocol: str) -> str | None:
    """Return the sentence that the receipt allows: tools state it as a fact."""
    for fact in scene.briefing.facts if scene.briefing and protocol else ():
        if fact.key == "receipt" and protocol in fact.value:
            return fact.value
    return None
