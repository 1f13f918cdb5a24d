"""The rules for what waits for the customer: a proposal, a question, a clarification's options, an open subject."""

from routing.addressing import Mention
from routing.answers import YesNo, is_bare_answer, read_answer
from routing.choices import pick_option, picks_both, restates
from routing.courtesy import plain_courtesy
from routing.decision import CLARIFICATION, PERSON, RESPONDERS
from routing.pattern import Pattern
from routing.pending import Choice, PendingQuestion
from routing.policy import OTHER, fallback
from routing.text import normalise
from routing.turn_view import Ruling, Said, TurnView, is_bare, wordless

_OFFERS = Pattern(
    r"\b(?:quer que|quer (?:abrir|ver|trocar|confirmar|seguir|mais)|posso|deseja|gostaria|confirma|confirmo|pode ser|e isso|esta certo|ta certo|certo|combinado|shall i|should i|would you like|do you want|is that|may i|can i|right)\b[^.]*$"
)

_NEXT = frozenset(
    (
        "e o outro", "e a outra", "e o outro assunto", "e a outra coisa", "e a outra duvida", "e o resto", "e sobre o outro", "e quanto ao outro",
        "pode seguir", "segue", "pode continuar", "continua", "proximo", "e agora", "e ai", "and the other one", "and the other", "what about the other one",
        "go on", "next", "e o outro pedido", "e a segunda coisa", "e a segunda",
    )
)  # fmt: skip


def confirmation(view: TurnView, said: Said, room: tuple[str, ...]) -> Ruling | None:
    """Read the answer to a proposal that our last message asked for, and nobody else's question beside it."""
    proposal = view.proposal
    if proposal is None or not view.proposal_asked_last or proposal.proposed_by not in room:
        return None
    if view.question is not None and view.question.by != proposal.proposed_by:
        return None
    answers = [
        read_answer(message, about=proposal.summary, weak_counts=not view.explained_beside) for message in view.messages
    ]

    def ruled(answer: YesNo | None) -> Ruling:
        return Ruling(target=proposal.proposed_by, reason="pending_confirmation", answer=answer)

    if "no" in answers:
        return ruled("no")
    if "amended" in answers:
        return ruled("amended")
    firm = [answer for message, answer in zip(view.messages, answers, strict=True) if plain_courtesy(message) is None]
    if firm == ["yes"] or (not firm and "yes" in answers):
        return ruled("yes")
    if not said.rest and "goodbye" not in said.courtesies and set(said.courtesies) - {"greeting"}:
        # "obrigada" to "posso abrir?" is neither yes nor no, and no courtesy either.
        return ruled(None)
    return ruled(None) if wordless(view.messages) else None


def pending_question(view: TurnView, said: Said, room: tuple[str, ...]) -> Ruling | None:
    """Give a bare answer to whoever asked the last question; a clarification's goes by the option that it picks."""
    question = view.question
    if question is None:
        return None
    by = question.by
    if by == CLARIFICATION:
        return _clarified(view, question, said, room)
    if by not in room or by in RESPONDERS:
        return None
    text = said.only
    if text is not None:
        choice = pick_option(text, question.options) if question.options else None
        if choice is not None and choice != OTHER:
            return Ruling(target=by, reason="pending_question", choice=choice)
        if is_bare(text) or restates(text, question.text) or not normalise(text):
            return Ruling(target=by, reason="pending_question", answer=_plain_answer(text))
        return None
    if said.rest or not said.courtesies:
        return None
    # "obrigada" or "beleza" to "quer que eu abra?": the one who asked has to read it.
    if (
        _wants_yes_or_no(question)
        and set(said.courtesies) & {"thanks", "acknowledgement"}
        and "goodbye" not in said.courtesies
    ):
        return Ruling(target=by, reason="pending_question", answer=_plain_answer(view.messages[-1]))
    return None


def _clarified(view: TurnView, question: PendingQuestion, said: Said, room: tuple[str, ...]) -> Ruling | None:
    """Route by the option that the customer picked; options whose specialist is gone are not offered any more."""
    options = tuple(option for option in question.options if option.id in (OTHER, PERSON) or option.id in room)
    names = {member.id: (*member.names, *member.aliases) for member in view.roster}
    text = said.only if said.rest else next(iter(view.messages), None)
    if text is None or not options:
        return None
    specialists = [option.id for option in options if option.id not in (OTHER, PERSON)]
    if len(specialists) > 1 and picks_both(text):
        others = tuple(Mention(target=target, text=_label_of(options, target)) for target in specialists[1:])
        return Ruling(target=specialists[0], reason="chose_option", choice=specialists[0], others=others)
    choice = pick_option(text, options, names)
    if choice == OTHER:
        target = CLARIFICATION if CLARIFICATION in room else fallback(view.current, room, "fallback_undecided").target
        return Ruling(target=target, reason="chose_option", choice=OTHER)
    if choice is not None:
        return Ruling(target=choice, reason="chose_option", choice=choice)
    return None


def waiting_topic(view: TurnView, said: Said, room: tuple[str, ...]) -> Ruling | None:
    """Take up the subject that waits where the customer only nods, says thanks, or asks "e o outro?"."""
    topic = view.open_topic
    if topic is None or topic.target is None or topic.target not in room:
        return None
    nods = bool(said.courtesies) and not said.rest and "goodbye" not in said.courtesies
    if nods or (said.only is not None and (_asks_next(said.only) or read_answer(said.only) == "yes")):
        return Ruling(target=topic.target, reason="open_topic", detail=topic.text)
    return None


def _plain_answer(text: str) -> YesNo | None:
    return read_answer(text) if is_bare_answer(text) else None


def _label_of(options: tuple[Choice, ...], target: str) -> str:
    return next((option.label for option in options if option.id == target), target)


def _wants_yes_or_no(question: PendingQuestion) -> bool:
    return question.expects == "yes_no" or _OFFERS.search(normalise(question.text)) is not None


def _asks_next(text: str) -> bool:
    return normalise(text) in _NEXT
