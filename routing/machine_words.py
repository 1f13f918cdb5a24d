"""Whether a customer asks if it talks to a machine, or what it is called: that is answered with the truth."""

from routing.pattern import Pattern
from routing.text import normalise

_ASKS = Pattern(
    r"\b(?:(?:vc|voce|tu|isso|isto|aqui) (?:e|eh|seria|ta sendo) (?:um |uma |so |mesmo |de )?(?:robo|bot|maquina|ia|inteligencia artificial|humano|pessoa|gente|automatico)"
    r"|(?:e|eh) (?:um )?(?:robo|bot|humano) (?:ou|que|isso|aqui|ne)|(?:qual|como) (?:e |eh )?(?:o )?(?:seu|teu) nome|como (?:vc|voce) se chama|quem (?:e|eh) (?:vc|voce)"
    r"|(?:estou|to|tou) falando com (?:um |uma )?(?:robo|bot|maquina|pessoa|humano)"
    r"|are you (?:a |an )?(?:robot|bot|human|machine|ai|real)|is this a (?:bot|robot|machine)|what(?: is|s) your name|who are you)\b"
)


def asks_whether_machine(text: str) -> bool:
    """Tell whether the message asks what it is talking to."""
    return _ASKS.search(normalise(text)) is not None
