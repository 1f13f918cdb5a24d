"""A reply as its reader sees it: disguised letters told apart, markup gone, broken words joined."""

import html
import re
import unicodedata
from functools import lru_cache

from routing.claims_lexicon import lexicon
from routing.claims_words import listed
from routing.pattern import Pattern
from routing.text import visible
from routing.values import flat

_LOOKALIKES = str.maketrans(
    "аАеЕоОрРсСуУхХіІјЈѕЅԁһҺӏկмМтТвВкКнНгαΑεΕοΟρΡτΤυΥχΧκΚιΙνΝβΒηΗμΜΖΠπЗбɑɡıøØðłŁαϲϳ",
    "aAeEoOpPcCyYxXiIjJsSdhHlqmMtTbBkKhHraAeEoOpPtTuYxXkKiIvNbBnHuMZPn36agioOdlLacj",
)
_LEET = str.maketrans("01345789@$|", "oieastbgasl")
_NOUNS = listed(
    "reembolso reembolsos estorno estornos cancelamento cancelamentos aprovacao autorizacao dinheiro devolucao troca"
    " senha desconto cupom sistema conta fatura pedido compra valor hoje agora concluido realizado aprovada refund refunds cancellation approval money password discount coupon"
)
_MARKUP = Pattern(r"(?m)[*`~]+|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])|^[ \t]*(?:#{1,6}|>|[-+•–]|\d{1,2}[.)])[ \t]+")
_LINK = Pattern(r"\[([^\]\n]{0,200})\]\(([^)\s]{0,500})\)")
_TABLE = Pattern(r"[ \t]*\|[ \t]*")
_SOFT_BREAK = Pattern(r"(?<![.!?;\n])[ \t]*\n[ \t]*(?=[a-zà-ú])")
_SPELLED = Pattern(r"(?<![^\W_])(?:[^\W\d_](?:[ .\-_*·•/|]{1,3}(?=[^\W\d_](?![^\W_])))){3,60}[^\W\d_](?![^\W_])")
_MIXED = Pattern(r"(?i)(?<!\w)(?=[\w@$|]{0,24}[a-z])(?=[\w@$|]{0,24}[0-9@$|])[\w@$|]{4,24}")
_SPLIT_WORD = Pattern(r"[^\W\d_]{1,20}(?:[.\-·•_/|+~][^\W\d_]{1,20}){1,12}")
_STRETCHED = Pattern(r"([^\W\d_])\1{2,}")
_NAMED = Pattern(r"^(?:LATIN|REGIONAL|NEGATIVE|SQUARED|CIRCLED).{0,40}LETTER (?:SMALL CAPITAL )?([A-Z])$")
_TWO_DIGITS = Pattern(r"\d\d")
SHORTEST_KNOWN = 4  # letters of a word that is looked for in what was spelled out


def legible(reply: str) -> str:
    """Undo what hides words from a pattern and not from a reader."""
    text = _plain_letters(visible(html.unescape(reply)))
    text = _MARKUP.sub("", _LINK.sub(r"\1 (\2)", text))
    text = _SPELLED.sub(_joined, text)
    text = _TABLE.sub(lambda match: " : " if match.start() else "", text)
    text = _SOFT_BREAK.sub(" ", text)
    text = _SPLIT_WORD.sub(lambda match: _known(re.sub(r"[\W\d_]", "", match.group()), match.group()), text)
    text = _MIXED.sub(_unleet, text)
    return _STRETCHED.sub(r"\1", text)


def _plain_letters(text: str) -> str:
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text.translate(_LOOKALIKES))
    return "".join(_letter(char) for char in composed)


@lru_cache(maxsize=4096)
def _letter(char: str) -> str:
    """Return the plain letter that a character is named after (small capitals, boxed letters); nothing for a mark."""
    if char.isascii() or unicodedata.category(char) in ("Ll", "Lu"):
        named = None if char.isascii() else _NAMED.match(unicodedata.name(char, ""))
    elif unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return ""
    else:
        named = _NAMED.match(unicodedata.name(char, ""))
    return named.group(1).lower() if named else char


def _joined(match: re.Match[str]) -> str:
    """Join letters that were spelled out, with gaps around the words that are known among them."""
    bare, found, at = flat(re.sub(r"[\W_]", "", match.group())), "", 0
    while at < len(bare):
        size = next(
            (n for n in range(min(16, len(bare) - at), SHORTEST_KNOWN - 1, -1) if _is_known(bare[at : at + n])), 0
        )
        found += f" {bare[at : at + size]} " if size else bare[at]
        at += size or 1
    return found.strip() if found != bare else bare


def _unleet(match: re.Match[str]) -> str:
    """Read digits among letters as the letters they stand for; a code in capitals stays one."""
    word = match.group()
    plain = word.translate(_LEET)
    disguised = word.upper() != word and plain.isalpha() and word.isalnum() and not _TWO_DIGITS.search(word)
    return plain if disguised else _known(plain, word)


def _known(word: str, otherwise: str) -> str:
    return word if _is_known(_STRETCHED.sub(r"\1", flat(word))) else otherwise


def _is_known(plain: str) -> bool:
    return plain in lexicon() or plain in _NOUNS
