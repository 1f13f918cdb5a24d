"""What a person must see in a turn: spelt out for the patterns, or only alike to what others said."""

from dataclasses import replace

from routing.courtesy import read_courtesy
from routing.people_words import without_refusals
from routing.ports import ExampleReader
from routing.sensitive import SensitiveTopic, find_topic, without_figures
from routing.text import words
from routing.turn_view import TurnView, is_bare

# The sign of a customer who wants a person; the other signs are the ids of sensitive topics.
ASKED = "asked_for_human"
# The detail of a decision that no pattern would have made.
BY_EXAMPLE = "by_example"
# "encaixei e quebrou" is as alike to an accident as to a toy: what is shorter says too little to be read by examples.
MIN_WORDS = 3


def spelt_topics(view: TurnView) -> list[SensitiveTopic]:
    """Return the topics that the patterns find, one a message at most."""
    found = [topic for message in view.messages if (topic := find_topic(message, view.sensitive)) is not None]
    # Said over two bubbles ("quero" / "morrer") it is still said.
    if len(view.messages) > 1 and (whole := find_topic(" ".join(view.messages), view.sensitive)) is not None:
        found.append(whole)
    return found


def worth_reading(view: TurnView) -> tuple[str, ...]:
    """Return the texts in which a sign may be hidden: no courtesy, no bare answer, and nothing where a person speaks."""
    if view.held:
        return ()
    texts = [*view.messages, *([" ".join(view.messages)] if len(view.messages) > 1 else [])]
    return tuple(text for text in texts if _says_enough(text) and read_courtesy(text) is None and not is_bare(text))


async def with_sensed(view: TurnView, reader: ExampleReader | None) -> TurnView:
    """Return the view with the signs that the reader finds; as it is where there is none.

    A topic must also be found without the figures of speech that the patterns know ("me matar de rir"), and the wish for
    a person without what they know as a refusal or a quotation ("nem quero falar com atendente").
    """
    texts = worth_reading(view) if reader is not None else ()
    if reader is None or not texts:
        return view
    sensed = await reader.read(texts)
    for sign in sorted(sensed):
        plain = tuple(without_refusals(text) if sign == ASKED else without_figures(text, sign) for text in texts)
        if plain != texts and sign not in await reader.read([text for text in plain if _says_enough(text)]):
            sensed -= {sign}
    return replace(view, sensed=sensed)


def _says_enough(text: str) -> bool:
    return len(words(text)) >= MIN_WORDS
