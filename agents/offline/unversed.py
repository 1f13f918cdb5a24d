"""The policy of a specialist that brings none: it knows no rules of its own subject, and says so instead of answering another."""

from agents.offline.policy import Call, Intent, OfflinePolicy, Text
from agents.spec import AgentSpec

# Three words or more say something; less is a greeting or a thank-you, and is asked about.
_SAYS_SOMETHING = r"\w+\W+\w+\W+\w+"


def unversed(spec: AgentSpec) -> OfflinePolicy:
    """Quote the shop's policy on the specialist's subject if there is one, and offer to note the request for a person."""
    topic = " ".join((spec.display_name, *spec.aliases))
    reads = (Call(tool="consult_policy", args={"topic": topic}),) if "consult_policy" in spec.tools else ()
    key = "noted" if "promise_callback" in spec.tools else "person"
    return OfflinePolicy(
        intents=(Intent(name="subject", when=(_SAYS_SOMETHING,), calls=reads, reply=key, weak=True),),
        replies={
            "noted": Text(
                pt="$policy Isso eu não consigo resolver sozinho por aqui, mas posso anotar o que você pediu e pedir o retorno de uma pessoa da equipe. Quer que eu peça?",
                en="$policy I cannot settle this here by myself, but I can note what you asked and have a person get back to you. Shall I?",
            ),
            "person": Text(
                pt="$policy Isso eu não consigo resolver sozinho por aqui. Se quiser falar com uma pessoa da equipe, é só pedir.",
                en="$policy I cannot settle this here by myself. If you would like a person of our team, just ask.",
            ),
        },
        help=Text(
            pt=f"Posso anotar o que você precisa sobre {spec.topic or spec.display_name}. O que aconteceu?",
            en=f"I can note what you need about {spec.topic_en or spec.display_name_en or spec.display_name}. What happened?",
        ),
    )  # fmt: skip
