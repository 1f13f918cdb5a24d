"""Hurried spelling made plain before patterns look at it: abbreviations written out, near misses of the shop's own words."""

import re
from difflib import get_close_matches
from functools import cache

from routing.values import flat

_SHORT = {
    "n": "nao", "naum": "nao", "nn": "nao", "q": "que", "oq": "o que", "p": "para", "pra": "para", "kd": "cade", "vc": "voce", "vcs": "voces",
    "hj": "hoje", "agr": "agora", "qdo": "quando", "qnd": "quando", "qndo": "quando", "td": "tudo", "tbm": "tambem", "pq": "por que",
    "pgto": "pagamento", "pgt": "pagamento", "ped": "pedido", "prod": "produto", "grana": "dinheiro", "end": "endereco",
}  # fmt: skip
_WORDS = (
    "devolver devolucao devolvi trocar troca trocam trocado cancelar cancelamento cancela desistir desisti arrependi defeito quebrado"
    " reembolso estorno dinheiro cobrado cobranca cobraram dobrado duplicado boleto parcela parcelas parcelamento parcelado pagamento desconto cupom fatura"
    " rastreio rastreamento rastrear entrega entregue transportadora endereco cadastro telefone senha pedido atrasado atraso"
    " funciona carrega serviu previsao recebi valor encomenda"
)
_KNOWN = tuple(_WORDS.split())
_CLOSE = 0.8


def plain(text: str) -> str:
    """Return the flat text with abbreviations written out and misspelt shop words put right: for matching only."""
    return re.sub(r"[^\W\d_]+", lambda word: _right(word.group()), flat(text))


@cache
def _right(word: str) -> str:
    if word in _SHORT:
        return _SHORT[word]
    if len(word) < 5 or word in _KNOWN:
        return word
    # Only a word of about the same length is a misspelling; a longer one is another word ("trocas", "devolveram").
    near = [
        known
        for known in _KNOWN
        if len(known) == len(word) or (abs(len(known) - len(word)) == 1 and not word.startswith(known))
    ]
    return next(iter(get_close_matches(word, near, n=1, cutoff=_CLOSE)), word)
