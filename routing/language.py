"""The customer's language: Portuguese or English, by function words, and slow to change."""

from routing.model import Language
from routing.pattern import Pattern
from routing.text import normalise, visible

MIN_WORDS = 4

# Function words and the verbs of every day. What both languages spell alike counts for neither ("to" is also "tô"), nor
# do the nouns of the trade ("order", "tracking"): shop data and error messages are full of them.
_PT_WORDS = """
o os um uma uns umas de da das dos na nas nos em ao aos pelo pela pra pro pras pros para por com sem que quem qual quais quando onde como porque pq
e eh mas ou se nao n sim ja ainda mais muito muita tambem tb tbm so la aqui ai agora hoje ontem amanha depois antes ate nunca sempre
eu tu ele ela eles elas voce voces vc vcs nosso nossa meu meus minha minhas seu sua seus suas isso esse essa este esta aquele aquela isto
foi foram era sao esta estou estao ta tava tem tenho tinha ter ser estar vou vai vao fui quero queria preciso gostaria posso pode podem consigo
fazer faco fiz faz recebi receber chegou chega comprei paguei pago pedi veio cade onde obrigado obrigada oi ola bom boa dia tarde noite
pedido compra entrega dinheiro cartao boleto nota troca trocar devolver devolucao reembolso estorno cobrado cobrada cobranca produto loja
deu erro diz aparece apareceu mensagem comprou errado errada novo nova lhe dele dela nesse nessa desse dessa deste desta num numa dois duas tres alguem nada tudo cada outro outra mesmo mesma favor
"""
_EN_WORDS = """
the of and in on at for with without from by about into than then that this these those there here which who whom whose when where why how what
i you he she it we they my your his her its our their mine yours him them us
am are was were be been being have has had having does did doing done will would can could should shall may might must cannot dont doesnt didnt isnt wasnt havent hasnt cant wont wouldnt
not yes but or if because so just still yet already also too only very much many any some all both each other another again never always now today yesterday tomorrow
want need get got received arrived arrive bought charged sent send help please thanks thank hello
im ive id ill youre its thats whats wheres hows give take make know see like
"""
# What an English opening of up to three words is made of, beside the words above; Portuguese borrows the last line's.
_EN_SHORT_WORDS = """
hi hey there good morning afternoon evening refund refunds order orders cancel exchange return returns package parcel late lost missing broken
damaged wrong size invoice charge card payment number tracking shipping address change delivered speak human agent money item items
"""
_BORROWED = frozenset(["status", "delivery", "item", "ok", "online"])
_BOTH = frozenset(_PT_WORDS.split()) & frozenset(_EN_WORDS.split())
_PT = frozenset(_PT_WORDS.split()) - _BOTH
_EN = frozenset(_EN_WORDS.split()) - _BOTH
_EN_SHORT = _EN | frozenset(_EN_SHORT_WORDS.split()) | _BORROWED

_QUOTED = Pattern(r"(?m)^[ \t]*>.*$|\"[^\"\n]{1,200}\"|\u201c[^\u201d\n]{1,200}\u201d|\u00ab[^\u00bb\n]{1,200}\u00bb")
# Looked for at the beginning of each word only: from every letter of a long one it would take the square of its length.
_NOT_PROSE = Pattern(r"(?<!\S)(?=\S+@\S|\S*\d)\S+|\bhttps?://\S+|\bwww\.\S+|[{\[][^}\]]{0,400}[}\]]")
# A run of capitalised words inside a sentence is a name: "o The Last of Us Part II".
_NAME = Pattern(
    r"(?<=[\w,] )[A-Z][\w'&-]*(?: (?:[A-Z][\w'&-]*|of|the|and|for|de|da|do|dos|das|in|on|to|a|\u0026))* [A-Z][\w'&-]*|(?<=[a-z,] )[A-Z][\w'-]+"
)


def detect(text: str, current: Language | None) -> Language:
    """Return the language of the conversation after this message; `current` None means that it is the first one.

    Only a message of four words or more can change it, and only with clear evidence: function words of the other
    language and next to none of the current one. Quotes, codes, links and names do not count. A conversation is
    Portuguese until shown otherwise; a first message may be shorter, if each of its words is English ("refund please").
    """
    prose = _NOT_PROSE.sub(" ", _QUOTED.sub(" ", visible(text)))
    if not prose.isupper():
        prose = _NAME.sub(" ", prose)
    said = normalise(prose).split()
    if len(said) < MIN_WORDS:
        return current or ("en" if _all_english(said) else "pt")
    current = current or "pt"
    portuguese = sum(word in _PT for word in said)
    english = sum(word in _EN for word in said)
    mine, other = (english, portuguese) if current == "en" else (portuguese, english)
    if other < 2 or other * 4 < len(said):
        return current
    if mine == 0 or (other >= 4 and other >= 3 * mine):
        return "pt" if current == "en" else "en"
    return current


def _all_english(said: list[str]) -> bool:
    return _EN_SHORT.issuperset(said) and not _BORROWED.issuperset(said) and _PT.isdisjoint(said)
