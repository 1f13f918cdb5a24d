"""Find the verbs that announce something: who acts, when, and whether it is real, by what stands around each verb."""

from collections.abc import Iterator

from routing import claims_english as english
from routing import claims_portuguese as portuguese
from routing.claims_lexicon import lexicon
from routing.claims_sentence import Sentence
from routing.claims_verb import Announced, Verb


def announced(sentence: Sentence, before: frozenset[str] = frozenset()) -> Iterator[Announced]:
    """Yield what the verbs of a sentence announce. `before` are the nouns of the sentence before it."""
    words = lexicon()
    for index, token in enumerate(sentence.tokens):
        word = words.get(token.word)
        if word is not None and (found := _read(Verb(sentence, index, word, before))) is not None:
            yield found


def _read(verb: Verb) -> Announced | None:
    match verb.word.shape:
        case "past1":
            return portuguese.past(verb)
        case "we":
            return portuguese.plural(verb)
        case "fut1":
            return portuguese.future(verb)
        case "now1":
            return portuguese.present(verb)
        case "past3":
            return portuguese.third_past(verb)
        case "now3" | "now3en":
            return portuguese.third_present(verb, "now")
        case "fut3":
            return portuguese.third_present(verb, "future")
        case "inf":
            return portuguese.infinitive(verb)
        case "subj":
            return portuguese.told_to(verb)
        case "ger":
            return portuguese.gerund(verb)
        case "part":
            return portuguese.participle(verb)
        case "base":
            return english.base(verb)
        case "ing":
            return english.ing(verb)
        case "done":
            return english.done(verb)
