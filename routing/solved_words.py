"""Told while a person is awaited: it is solved, nobody has to come any more. Portuguese and English."""

from routing.pattern import Pattern
from routing.people_words import asks_person
from routing.short_forms import written_out

_WHO = r"(?:atendentes?|pessoas?|alguem|ninguem|voces|vcs|da (?:pessoa|atendente)|do atendente|de (?:atendente|pessoa|ninguem|ajuda)|ajuda)"
_SOLVED = Pattern(
    r"\b(?:ja (?:consegui|resolvi|resolveu|resolveram|foi resolvid[oa]|esta resolvid[oa]|ta resolvid[oa]|deu certo|se resolveu)"
    r"|(?:consegui|acabei de) resolver|resolvi (?:aqui|sozinh[oa]|por aqui|tudo)|(?:esta|ta|foi|ficou) (?:tudo )?resolvid[oa]|resolvido|problema resolvido|tudo resolvido"
    rf"|nao (?:precisa|preciso)(?: de)? mais(?: {_WHO})?|nao e mais preciso|nao precisa {_WHO}"
    rf"|(?:pode|podem) (?:cancelar|dispensar|deixar) (?:o |a |os )?(?:{_WHO}|protocolo|atendimento)"
    r"|(?:deixa|deixe) (?:pra la|para la|quieto|assim)|esquece(?: isso)?"
    r"|its? (?:is )?(?:all )?(?:solved|sorted|fixed|resolved)|(?:already|all) (?:solved|sorted|fixed|resolved)|problem (?:is )?(?:solved|fixed)"
    r"|(?:i )?(?:got|have) it (?:sorted|fixed|solved)|never ?mind|(?:no longer|dont) need (?:a |any |an )?(?:person|agent|human|help|attendant|one)(?: any ?more)?)\b"
)
_NOT_YET = Pattern(
    r"\b(?:nao|nunca|nada|nem|ainda|quando|se|ate|sem|quero|queria|preciso|precisa|espero|gostaria|exijo|not|isnt|until|when|if|want|need)(?: \w+){0,4}"
    r" (?:resolvid[oa]|resolv\w+|solved|sorted|fixed|resolved|deu certo)\b"
)
_CLAUSE = Pattern(r"[.,;:!?\n]+|\b(?:mas|porem|but)\b")


def says_solved(text: str) -> bool:
    """Tell whether the message says that the matter is solved. One that asks, doubts or wants a person says no such thing."""
    if "?" in text or asks_person(text):
        return False
    clauses = [written_out(clause) for clause in _CLAUSE.split(text)]
    said = [c for c in clauses if c]
    return any(_SOLVED.search(c) for c in said) and not any(_NOT_YET.search(c) for c in said)
