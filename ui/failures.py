"""What went wrong, for the person at the page: in words, with what can be done, and never a traceback."""

import logging

from ops.problems import BadId, ClosingDown, DatabaseUnavailable, NotYours, TooMany
from settings import ConfigurationError
from ui import cards

UNAVAILABLE = (DatabaseUnavailable, ConfigurationError, ClosingDown, TimeoutError)
"""Without these there is no page: the database, the configuration, a process that is going down."""

SENDING = (*UNAVAILABLE, NotYours, TooMany, BadId)
"""What may stop one message."""

_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (
        DatabaseUnavailable,
        "O banco de dados não está respondendo agora. O que já foi dito continua guardado; tente de novo em instantes.",
    ),
    (ConfigurationError, "A configuração tem um erro e o atendimento não abriu."),
    (ClosingDown, "O atendimento está sendo reiniciado. Tente de novo em instantes."),
    (TimeoutError, "O atendimento demorou demais para responder. Tente de novo em instantes."),
    (NotYours, "Esta conversa é de outro cliente."),
    (BadId, "O endereço desta página não leva a nenhuma conversa."),
)


def words_of(problem: Exception) -> str:
    """Say what a problem means for the reader."""
    if isinstance(problem, TooMany):
        return problem.text
    return next(
        (words for kind, words in _WORDS if isinstance(problem, kind)), "Algo deu errado. Tente de novo em instantes."
    )


def explain(problem: Exception) -> None:
    """Draw a problem. A wrong configuration is shown as it is: it names the path and what would be right, and no secret."""
    logging.getLogger(__name__).warning("%s: %s", type(problem).__name__, problem)
    cards.failure(words_of(problem))
    if isinstance(problem, ConfigurationError):
        cards.note(str(problem))
