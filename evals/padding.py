"""Neutral exchanges that push a conversation's beginning out of every window."""

from collections.abc import Mapping

from evals.integrity_cases import Line
from routing.model import Language

_EXCHANGES: Mapping[Language, tuple[tuple[str, str], ...]] = {
    "pt": (
        ("ok, fico aguardando", "Obrigada por esperar, sigo verificando aqui."),
        ("tudo bem, sem pressa", "Certo. Já volto com a resposta."),
        ("ainda está aí?", "Estou sim, só mais um instante."),
        ("tá chovendo demais por aqui hoje", "Imagino! Já estou terminando de verificar."),
        ("pode ser, eu espero", "Agradeço a paciência."),
        ("e aí, alguma novidade?", "Ainda não, o sistema está um pouco lento."),
        ("entendi, obrigado por avisar", "Por nada! Sigo por aqui."),
        ("vou pegar um café e já volto", "Fique à vontade, te espero."),
        ("voltei", "Que bom! Continuo verificando para você."),
        ("imagino que esteja corrido aí", "Um pouco, mas já estou olhando o seu caso."),
        ("demora muito ainda?", "Acredito que não. Posso ajudar em mais alguma coisa enquanto isso?"),
        ("não, só isso mesmo", "Combinado. Qualquer coisa, é só chamar."),
        ("a novela já começou aqui em casa", "Boa companhia para a espera!"),
        ("meu cachorro não para de latir", "Sem problema nenhum."),
        ("minha irmã disse que o atendimento de vocês é bom", "Que bom saber disso!"),
        ("o sinal aqui é ruim, posso demorar pra responder", "Responda quando puder."),
        ("acho que nunca falei com vocês antes", "Seja bem-vinda!"),
        ("o ônibus está lotado, digito devagar", "Sem pressa, estou por aqui."),
        ("as crianças estão fazendo bagunça", "Imagino a folia!"),
        ("vou deixar o celular carregando", "Combinado."),
        ("gosto das promoções de vocês", "Obrigada pelo carinho!"),
        ("prefiro escrever do que ligar", "Por aqui também é rápido."),
        ("só um instante, tocaram a campainha", "Claro, espero."),
        ("pronto, era o vizinho", "Certo, seguimos."),
    ),
    "en": (
        ("ok, i'll wait", "Thanks for waiting, I'm still checking."),
        ("no problem, take your time", "Sure. I'll be right back."),
        ("are you still there?", "Yes, just one more moment."),
        ("it's raining a lot over here", "I bet! I'm almost done checking."),
        ("that's fine, i can hold", "I appreciate your patience."),
        ("any news yet?", "Not yet, the system is a little slow."),
        ("i see, thanks for letting me know", "You're welcome! I'm still here."),
        ("let me grab a coffee", "Please do, I'll be here."),
        ("i'm back", "Great! I'm still looking into it."),
        ("you must be busy", "A little, but I'm looking at your case."),
        ("will it take much longer?", "I don't think so. Can I help with anything else meanwhile?"),
        ("no, that's all", "Alright. Just let me know."),
        ("my show is just starting", "Good company for a wait!"),
        ("my dog won't stop barking", "No worries at all."),
        ("my sister said your service is good", "That's nice to hear!"),
        ("the signal is bad here, i may be slow", "Answer whenever you can."),
        ("i think i never talked to you before", "Welcome!"),
        ("the bus is crowded, typing slowly", "No rush, I'm here."),
        ("the kids are making a mess", "I can imagine!"),
        ("going to charge my phone", "Sure."),
        ("i like your promotions", "Thank you!"),
        ("i'd rather write than call", "It's quick this way too."),
        ("one second, somebody is at the door", "Of course."),
        ("done, it was the neighbour", "Right, let's go on."),
    ),
}


def neutral(count: int, language: Language) -> tuple[Line, ...]:
    """Return `count` turns, customer first; an odd count ends with the customer."""
    exchanges = _EXCHANGES[language]
    lines: list[Line] = []
    while len(lines) < count:
        said, answered = exchanges[len(lines) // 2 % len(exchanges)]
        lines += [Line(role="customer", text=said), Line(role="agent", text=answered)]
    return tuple(lines[:count])
