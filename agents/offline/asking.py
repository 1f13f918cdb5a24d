"""No question twice in the same words: the second time it is put another way, the third time a person is offered."""

import re

from agents.offline.matching import asked_for_a_piece
from agents.offline.phrases import phrase
from agents.offline.scene import Scene

# A question that a yes would act on stays what it is: only what stands before it varies.
_CONFIRMS = re.compile(r"confirma .*\?|do you confirm", re.IGNORECASE)


def unrepeated(scene: Scene, text: str) -> str:
    """Return the text, or another way to put it if our last message ended with the same question."""
    before, language = scene.before.strip(), scene.language
    if not before.endswith(text.strip()) or not (text.rstrip().endswith("?") or asked_for_a_piece(text)):
        return text
    again = phrase("again", language, question=text)
    if before != again and not before.endswith(again):
        return again
    if _CONFIRMS.search(text):
        return text
    return phrase("person_instead" if "promise_callback" in scene.tools else "help_again", language)
