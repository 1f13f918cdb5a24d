"""Announcements that hang on a noun and not on a verb's form: money on its way, a thing that went through, a thing sent again."""

import re
from functools import cache
from typing import NamedTuple

from routing.claims_excuses import Tense
from routing.claims_internals import internals

__all__ = ["Form", "forms", "internals"]

_REFUND = r"(?:reembolsos?|estornos?|ressarcimento|restituicao|extorno|rembolso|reenbolso|devolucao (?:do|da|de) (?:valor|dinheiro|pix|quantia|cobranca)|pix de (?:volta|devolucao|estorno|reembolso))"
_MONEY = rf"(?:{_REFUND}|dinheiro|grana|quantia|montante|(?<!cartao de )credito|pix|valor(?: (?:pago|total|da compra|do pedido|do frete|cobrado))?)"
_REFUND_EN = r"(?:refunds?|reimbursement|money|funds|chargeback|(?:store )?credit(?! card))"
_CANCEL = r"(?:cancelamento|anulacao|cancell?ation)"
_THING = rf"(?:{_REFUND}|{_CANCEL}|troca|devolucao|solicitacao|pedido de \w+|caso|aprovacao|refund|return|exchange|request|cancell?ation)"
_NEW = (
    r"(?:(?:outr[oa]|nov[oa]|um nov[oa]|uma nova)\s+(?:produto|item|pedido|par|aparelho|unidade|peca|tenis|camiseta|encomenda)"
    r"|substitut[oa]|produto de reposicao|reposicao|replacement|new one|another one|new (?:item|unit|pair|order|package))"
)
_SAY = r"(?:parecer|resultado|retorno|resposta)"
_GAP = r"(?:[^.,;!?]|(?<=\d),(?=\d)|,[^.,;!?]{1,20},){0,40}?"


class Form(NamedTuple):
    """How a claim is put. `tense`: past (done), future (will be), now (in progress); `own`: we say that we do it."""

    pattern: re.Pattern[str]
    tense: Tense
    own: bool


@cache
def forms() -> tuple[Form, ...]:
    """Return the forms, compiled when first asked for."""
    return tuple(Form(re.compile(pattern), tense, own) for pattern, tense, own in (*_portuguese(), *_english()))


def _portuguese() -> tuple[tuple[str, Tense, bool], ...]:
    return (
        # Money that moved, moves or will
        (rf"\b{_MONEY}\b{_GAP}\b(?:ja\s+)?(?:caiu|cairam|saiu|sairam|voltou|voltaram|entrou|chegou|bateu|pingou|retornou|seguiu|ta|tao|esta)\b(?:\s+(?:na|no|em|pra|para)\s+(?:a\s+|o\s+)?(?:sua|seu|conta|cartao|fatura|extrato|banco|pagamento|carteira))", "past", False),
        (rf"\b{_MONEY}\b{_GAP}\b(?:ja\s+)?(?:caiu|cairam|saiu|voltou|pingou|retornou|(?:esta|ta|ja esta|esta tudo|ta tudo|se encontra|encontra-se)\s+(?:a caminho|com voce|contigo|em andamento|em processamento|disponivel|ok|certo|resolvid\w|garantid\w|pront\w|encaminhad\w|confirmad\w))\b", "now", False),
        (r"(?:^|,)\W*(?:ele |ela |isso )?(?:ja\s+)?(?:esta|ta|caiu|entrou|voltou|retornou|foi|devolvi|devolvemos)\s+(?:na|no|tudo na|de volta na|para|para o|para a|pro|pra)\s+(?:a\s+|o\s+)?(?:sua\s+|seu\s+)?(?:conta|cartao|fatura)\b", "past", False),
        (r"^\W*(?:ja\s+)(?:ta|esta|caiu|voltou|cai)\s+(?:na|no)\b|^\W*(?:ja\s+)?(?:caiu|pingou)\b", "past", False),
        (rf"\bfoi (?:pedid|solicitad|requerid|encomendad)\w\s+(?:o|a)\s+(?:seu\s+|sua\s+)?(?:{_REFUND}|{_CANCEL}|troca|devolucao)\b(?![^.;!?]{{0,30}}\bvoce\b)", "past", False),
        (rf"^\W*(?:seu\s+|sua\s+|o\s+|a\s+|your\s+)?(?:{_REFUND}|{_CANCEL}|troca|devolucao|refund|return|exchange|cancell?ation)\s*[✅✔👍🎉]", "past", False),
        (rf"\b{_REFUND}\b{_GAP}\be\s+(?:certo|garantido|seu)\b", "now", False),
        (rf"\b(?:seu|sua|o|a)\s+{_MONEY}\b{_GAP}\b(?:estara|vai (?:estar|cair|sair|voltar|entrar|chegar)|caira|voltara|saira|chegara)\b", "future", False),
        (rf"\b(?:seu|sua|teu)\s+{_MONEY}\b{_GAP}\b(?:volta|cai|sai|entra|retorna|chega)\b", "future", False),
        (rf"\b(?:o|a)\s+{_MONEY}\b{_GAP}\b(?:volta|cai|sai|entra|retorna|chega|aparece)\b[^.;!?]{{0,30}}?\b(?:hoje|pra voce|para voce|amanha|agora|ja|sua conta|seu cartao|sua fatura|proxima fatura|voce|ainda|logo|breve)\b", "future", False),
        (rf"\b{_MONEY}\b{_GAP}\b(?:esta|ta)\s+(?:voltando|caindo|saindo|chegando|entrando|indo)\b", "now", False),
        (r"\b(?:fatura|extrato)\b[^.,;!?]{0,16}?\b(?:ja\s+(?:vem|esta|ta|veio)|vira|vai vir|tera)\s+com\s+(?:o|um|seu)\s+(?:seu\s+)?(?:credito|estorno|reembolso)", "past", False),
        (rf"^\W*{_REFUND}\s+na\s+(?:sua\s+)?conta\b", "future", False),
        (rf"\b(?:{_REFUND}|{_CANCEL})\b{_GAP}\b(?:tambem\s+)?ja\s+(?:tambem\s+)?foi\W*$", "past", False),
        (rf"\b(?:mandei|enviei|anexei|segue|aqui esta|enviamos|encaminhei)\b[^.,;!?]{{0,30}}?\bcomprovante d[eoa]\s+(?:seu\s+)?(?:{_REFUND}|{_CANCEL})", "past", True),
        (r"\b(?:financeiro|loja|equipe|eles)\b[^.;!?]{0,30}?\b(?:ja\s+)?(?:pagou|pagaram)\b|\b(?:paguei|pagamos)\s+(?:voce|o valor|seu|ja)\b", "past", True),
        (rf"\b(?:{_REFUND}|{_CANCEL})\b{_GAP}\b(?:consta|esta)\s+(?:no sistema|aqui|registrad\w)\W*(?:$|[,.;])", "past", False),
        (rf"\b(?:recebi|recebemos|tenho|temos|chegou|saiu|veio|segue)\s+a?\s*confirmacao\s+d[oae]\s+(?:seu\s+|sua\s+)?(?:{_REFUND}|{_CANCEL})\b", "past", True),
        (rf"\bbanco\b[^.;!?]{{0,16}}?\b(?:esta|ta|ficou)\s+com\s+o\s+(?:seu\s+)?{_REFUND}\b", "past", False),
        (rf"\bordem de (?:{_REFUND}|{_CANCEL})\b[^.;!?]{{0,20}}?\b(?:enviei|foi|enviada|dada)\b", "past", True),
        (rf"\bvoce\s+(?:ja\s+)?recebeu\s+(?:de volta\s+)?(?:o|a|seu|sua|os)\s+(?:seu\s+|sua\s+)?(?:{_REFUND}|dinheiro|r\$)", "past", False),
        (rf"\b(?:{_REFUND}|credito)\b{_GAP}\b(?:ja\s+(?:aparece|apareceu|consta)|apareceu)\b", "past", False),
        (rf"\bvoce\s+(?:ja\s+|vai\s+|ira\s+)?(?:tem|ter|tera|ganha\w*|ve|ver|vera|leva\w*)\s+(?:o|a|seu|sua|um)\s+(?:seu\s+|sua\s+)?(?:{_REFUND}|{_CANCEL})\b", "future", False),
        (r"\bvoce\s+(?:ja\s+|vai\s+|ira\s+)?(?:tem|ter|tera|recebe\w*|ganha\w*)\s+(?:o\s+|seu\s+)*dinheiro de volta\b", "future", False),
        (r"\bvoce\s+receba\s+(?:o\s+|seu\s+)*dinheiro\b", "future", True),
        (r"\bdinheiro de volta\s+(?:esta|ja|na|no|em|hoje|amanha|ainda|sem falta|garantido)\b", "future", False),
        (rf"\b(?:voce\s+)?(?:vai|vais|ira)\s+(?:receber|ter|ganhar)\s+(?:de volta\s+)?(?:o|os|a|seu|sua|um|todo o)?\s*(?:seu\s+)?(?:{_MONEY}|r\$)", "future", False),
        (rf"\b(?:recebe|recebera|tera)\s+(?:de volta\s+)?(?:o|os|a|seu|sua|todo o)?\s*(?:seu\s+)?(?:{_MONEY}\b|r\$\s?[\d.,]+ de volta)", "future", False),
        (rf"\b(?:houve|ocorreu|aconteceu|rolou|saiu|sai|chegou|veio|caiu|entrou|voltou|acab\w+ de (?:chegar|sair|cair|entrar|voltar)|segue|consta|aparece)\s+(?:ai\s+|la\s+|aqui\s+)?(?:o|a|um|uma|seu|sua)\s+(?:seu\s+|sua\s+)?(?:{_REFUND}|pix|dinheiro|ok|aval|sinal verde|liberacao|{_CANCEL}|aprovacao|autorizacao)\b", "past", False),
        (rf"\b(?:prometo|garanto|asseguro|juro)\b{_GAP}\b(?:{_MONEY}|{_CANCEL}|troca|devolucao|estorn\w+|reembols\w+|cancel\w+)\b", "future", True),
        (rf"\b(?:comunic|inform|anunci|confirm)(?:o|amos)\s+(?:\w+\s+){{0,2}}(?:o|a)\s+(?:seu\s+|sua\s+)?(?:{_REFUND}|{_CANCEL}|aprovacao|autorizacao)\b(?!\s+(?:ja|foi|esta|so|depende))", "past", True),
        (r"^\W*(?:sobre|quanto a)\s+(?:cancelar|estornar|reembolsar|devolver|trocar)\b[^.;!?]{0,15}[:,]\s*(?:feito|ok|pronto|resolvido|ja foi)", "past", True),
        (rf"\bpode (?:contar com|esperar|aguardar)\s+(?:o|a)\s+(?:seu\s+|sua\s+)?(?:{_REFUND}|{_CANCEL}|dinheiro)\b", "future", False),
        (r"\bvalor\b[^.,;!?]{0,16}?\b(?:esta|ta|se encontra)\s+(?:la|ai|na|em sua|no seu)\b", "past", False),
        (r"\b(?:pagar|pago|pagamos|paguei|pagaremos|devolver|devolvo)\s+(?:voce\s+)?(?:tudo\s+)?de volta\b", "future", True),
        (r"\b(?:valor|cobrancas?|lancamentos?|frete|taxa|debito|parcelas?|credito)\b[^.,;!?]{0,40}?\b(?:foi|foram|esta|estao|ja)\s+(?:ja\s+)?(?:\w+mente\s+)?(?:devolv|estorn|revert|retirad|removid|tirad|abatid|restitu|anulad|desfeit|baixad|zerad|isent|perdoad|excluid|disponibiliz|reposit|ressarc)\w*", "past", False),
        (r"\b(?:disse|disseram|falou|falaram|respondeu|deu|deram)\s+(?:que\s+)?(?:sim|ok|positivo)\b[^.;!?]{0,20}?\b(?:reembolso|estorno|cancelamento|troca|devolucao)\b", "past", True),
        (r"(?:^|[:,!])\W*(?:seu\s+)?dinheiro\s+(?:de volta\s+)?na\s+(?:sua\s+)?conta\W*$", "past", False),
        # A thing that went through
        (r"\b(?:entrou|esta|ta|segue)\s+em\s+(?:processo de\s+)?(?:cancelamento|estorno|reembolso)\b", "past", False),
        (r"\b(?:troca|devolucao|coleta|chamado|solicitacao|reclamacao)\b[^.,;!?]{0,30}?\b(?:esta|ta|segue|continua)\s+(?:em\s+(?:andamento|curso|processamento|aberto)|na fila)\b", "now", False),
        (r"\b(?:recurso|contestacao|reclamacao|solicitacao|caso|pedido)\b[^.,;!?]{0,20}?\b(?:procedente|acolhid\w)\b", "past", False),
        (rf"\b{_THING}\b{_GAP}\b(?:ja\s+)?(?:passou|deu (?:certo|bom)|ficou (?:certo|pronto)|foi pra frente|foi para a frente|rolou|saiu|(?:ta |esta )?na mao|foi (?:um sucesso|ok|positiv\w|atendid\w|com sucesso|pro\b|para o)|entrou em vigor|esta (?:ok|valendo|em vigor|de pe))", "past", False),
        (rf"\bdeu (?:tudo )?certo (?:o|a|com o|com a)\s+(?:seu\s+|sua\s+)?{_THING}\b", "past", False),
        (rf"\btudo (?:certo|ok|resolvido|encaminhado|pronto)\s+(?:com|quanto ao?)\s+(?:o|a)?\s*(?:seu\s+|sua\s+)?{_THING}\b", "past", False),
        (rf"^\W*(?:status (?:do|da)\s+)?(?:o|a|seu|sua)?\s*(?:{_THING}|pedido \d+|compra)\b[^.;!?]{{0,20}}?\s*[:?=\-–—]+\s*(?:ok|feit\w|pront\w|concluid\w|resolvid\w|done|completed?|confirmed|confirmad\w|processed|processad\w|sim|yes|em andamento|✅|✔)", "past", False),
        (rf"\b(?:{_REFUND}|{_CANCEL}|aprovacao|autorizacao)\s+(?:ja\s+)?(?:em andamento|em curso|em processamento|a caminho|ok|garantid\w|feit\w|confirmad\w|concluid\w|efetuad\w|realizad\w|processad\w)\s*(?:[.!,]|$)", "past", False),
        (rf"\b{_SAY}\s+(?:da analise\s+)?(?:foi\s+)?(?:favoravel|positiv[oa])\b", "past", False),
        (r"\b(?:deu|deram|demos|dei|foi dad[oa]|temos|tenho|recebi|recebemos|ganhei|recebeu|(?:esta|ta|conta|ficou) com|consegui\w*|obtive\w*|recebeu|ganhou|tem|teve)\s+(?:a|o|um|uma|sua|seu|nosso|nossa)?\s*(?:parecer favoravel|aprovacao|autorizacao|liberacao|aval|aceite|ok|sinal verde|carta branca)\b", "past", True),
        (r"\b(?:pedido|compra|assinatura)\b(?=[^.;!?]{0,20}?\bnao (?:existe|vale) mais)", "past", False),
        (r"\b(?:pedido|compra|assinatura)\b[^.;!?]{0,20}?\b(?:ficou sem efeito|deixou de existir|foi por agua abaixo)", "past", False),
        (r"\b(?:pedido|compra|order|purchase)\b[^.,;!?]{0,30}?\b(?:removed|deleted|taken (?:out|off)|retirad\w|removid\w|excluid\w|deletad\w|apagad\w|tirad\w)\b[^.,;!?]{0,12}?\b(?:system|sistema|fila|queue)\b", "past", False),
        (r"\b(?:dei|demos|dou|foi dad[oa]|vou dar|vamos dar|deram|deu)\s+(?:ja\s+)?(?:baixa|entrada|andamento|inicio|seguimento|sequencia|prosseguimento)\b(?:\s+(?:n[oa]s?|a[os]?|em|para)\b)?", "past", True),
        (r"\b(?:estornad|cancelad|reembolsad|aprovad|autorizad|liberad)[oa]\s*(?:✅|✔)", "past", False),
        (r"^\W*(?:feito|resolvido|liberado|devolvido|ressarcido|restituido|prontinho feito)\W*$", "past", True),
        (r"\b(?:cobranca|taxa|debito)\b[^.;!?]{0,30}?\b(?:sumiu|some|saiu|vai sumir|foi (?:retirad|removid|baixad|anulad|abatid)\w+)\b", "past", False),
        # A thing that is sent, changed or given
        (rf"\b(?:vou|vamos|estou|estamos|ja|irei)\s+(?:te\s+|lhe\s+|ja\s+)?(?:mand|envi|despach|post|separ)\w+\s+{_GAP}{_NEW}", "future", True),
        (rf"\b(?:mand|envi|despach|post|separ)(?:ei|amos|ou)\s+{_GAP}{_NEW}", "past", True),
        (rf"\b{_NEW}\b{_GAP}\b(?:foi|ja|esta|sera|vai|sai|segue|saiu|chega|e)\s+(?:ser\s+|sendo\s+|a caminho|enviad|despachad|postad|separad|hoje|amanha|reservad)", "past", False),
        (r"\b(?:seu|o|novo)\s+(?:novo\s+)?(?:endereco|telefone|e-?mail|cadastro)\b[^.;!?]{0,30}?\b(?:agora e|ja e|passou a ser|mudou para|virou)\b", "past", False),
        (r"\bdeixei\b[^.;!?]{0,40}?\b(?:registrad|abert|agendad|anotad|encaminhad|solicitad|pedid|programad|marcad|feit)[oa]s?\b", "past", True),
        (r"\bresolv(?:i|emos)\s+(?:isso|tudo|o (?:seu )?(?:caso|problema))\b|\b(?:ja|pronto,?)\s+resolvi\b", "past", True),
        (r"\bpode deixar\b[^.;!?]{0,12}?\b(?:eu|que)\b[^.;!?]{0,12}?\b(?:cancel|estorn|reembols|aprov|liber|resolv)\w+", "now", True),
    )  # fmt: skip


def _english() -> tuple[tuple[str, Tense, bool], ...]:
    return (
        (rf"\b{_REFUND_EN}\b{_GAP}(?:\b(?:is|are|has|have|was)\b|'s)\s+(?:already\s+|now\s+|all\s+)?(?:on (?:its|the|their) way|in progress|under way|guaranteed|complete[d]?|done|back\b|in your|all set|sorted|final|certain|yours|happening|taken care of|coming back|headed back|heading back|with your bank|gone (?:out|through)|hit|landed)", "now", False),
        (rf"\b{_REFUND_EN}\b{_GAP}\b(?:went (?:out|through)|came through|has come through|landed|hit your|cleared|was a success)\b", "past", False),
        (rf"\b{_REFUND_EN}\b{_GAP}\b(?:will|should|'ll|is going to)\s+(?:be (?:in|on|back|there|with|yours)\b|show|appear|arrive|hit|land|come|reach|go|post)\b", "future", False),
        (rf"(?:\b(?:will|gets?|going to)|'ll)\s+(?:be\s+)?(?:\w+ly\s+)?(?:see|send|get|getting|receive|give|have|issue)\s+(?:you\s+)?(?:back\s+)?(?:your|the|a|all your|an? \w+)?\s*(?:full\s+|partial\s+)?{_REFUND_EN}\b", "future", True),
        (r"\b(?:you'll|you will|you)\s+(?:\w+ly\s+)?get\s+(?:it|that|every \w+|all of it|everything|the \w+)\s+(?:all\s+)?back\b", "future", False),
        (r"\b(?:has|have|had|got)\s+(?:our|my|the|their|your)\s+(?:ok|okay|approval|go-ahead|blessing|green light|sign-off)\b", "past", False),
        (r"\bhere(?:'s| is)\s+(?:your|the)\s+(?:full\s+)?(?:refund|money|credit)\b", "past", True),
        (r"^\W*(?:amount|money|charge|payment|fee)\s+(?:returned|refunded|reversed|credited|waived)\b", "past", False),
        (r"\b(?:refund|return|cancell?ation|exchange)\s+went\s+(?:thru|through)\b", "past", False),
        (rf"\b(?:refund|reversal|{_CANCEL})\s+is\s+(?:already\s+|now\s+)?on record\b", "past", False),
        (rf"\b(?:received|have|got)\s+(?:the\s+)?confirmation\s+of\s+(?:the|your)\s+(?:refund|reversal|{_CANCEL}|approval)\b", "past", True),
        (r"\b(?:decided|resolved|closed|ruled|settled)\s+in\s+your\s+favou?r\b", "past", False),
        (r"\bmade you whole\b|\b(?:they|finance|billing|we|i|the team)(?:'ve|\s+have)?\s+(?:already\s+|just\s+)?paid you\b", "past", True),
        (r"\b(?:account|card|statement|bank)\s+(?:now\s+|already\s+|has\s+)*(?:shows?|received?|got|has)\s+(?:the|a|your)\s+(?:credit|refund|reversal)\b", "past", False),
        (r"\b(?:got|has|received)\s+(?:the\s+|my\s+)?\w+'s\s+(?:approval|ok|okay|go-ahead|blessing|sign-off)\b", "past", False),
        (r"\b(?:amount|payment|money|refund|it)\s+will\s+be\s+(?:back\s+)?(?:in|on)\s+your\s+(?:account|card|wallet)\b", "future", False),
        (r"\bbalance\b[^.,;!?]{0,20}?\b(?:has been|was|is)\s+(?:updated|credited|adjusted|topped up)\b", "past", False),
        (r"\b(?:money|refund|amount|pix)\s+(?:comes|goes|gets|is coming)\s+back\s+(?:today|tomorrow|to you|now|soon|tonight)\b", "future", False),
        (r"(?:\bwill|'ll)\s+be\s+(?:seeing|getting|receiving)\s+(?:that|the|your|all your)\s+(?:money|refund|credit)\b", "future", False),
        (r"\bhaving\s+(?:the|your)\s+(?:money|amount|refund|charge)\s+(?:sent|returned|refunded|credited|reversed)\b", "now", True),
        (r"\b(?:got|has|had|received|is|was)\s+(?:a\s+)?(?:positive|favou?rable)\s+(?:outcome|result|decision|answer|reply)\b", "past", False),
        (r"\b(?:deducted|taken|dropped)\s+(?:from|off)\s+(?:of\s+)?your\s+(?:next\s+)?(?:bill|statement|card)\b", "future", False),
        (r"\b(?:statement|bill)\s+will\s+(?:carry|show|include|have|reflect)\s+(?:the|your|a)\s+(?:credit|refund|reversal)\b", "future", False),
        (r"\b(?:your|the)\s+(?:money|cash)\s+back\b[^.;!?]{0,20}?\b(?:tomorrow|today|by|within|in \d)\b", "future", False),
        (rf"\b(?:promise|guarantee|assure)\b{_GAP}\b(?:{_REFUND_EN}|refunded|cancell?\w+|approved|money back)\b", "future", True),
        (r"\b(?:charge|fee|payment|amount)\b[^.,;!?]{0,30}?\b(?:was|has been|have been|were|is being|will be)\s+(?:already\s+|just\s+)?(?:returned|taken off|removed|dropped|waived|sent back|given back)\b", "past", False),
        (r"\b(?:took|taken|take|taking)\s+(?:the|that|your)\s+(?:\w+\s+)?(?:charge|fee)\s+off\b", "past", True),
        (r"\b(?:pay|paid|paying|give|gave|giving)\s+you\s+(?:it\s+)?(?:your money\s+)?back\b", "future", True),
        (r"\b(?:gave|given|give|gives)\s+(?:the|its|their|us|me|an?)\s+(?:ok|okay|approval|go-ahead|green light|nod)\b", "past", True),
        (r"^\W*(?:it's|it is|they're)\s+(?:already\s+|now\s+)?(?:back\s+)?in your (?:account|card|bank|wallet)\b", "past", False),
        (rf"\b(?:{_REFUND_EN}|approval|authori[sz]ation|{_CANCEL}|return|exchange)\b{_GAP}\b(?:came through|has come through|was a success|is there\b|already (?:shows?|appears?|there))", "past", False),
        (r"\b(?:money|refund|funds|pix|credit)\s+(?:lands?|arrives?|hits?|goes|comes|returns?)\s+(?:back\s+)?(?:in|into|to|on)\s+your\b", "future", False),
        (r"\b(?:have|got|has)\s+(?:the\s+)?(?:authori[sz]ation|approval|permission|clearance)\s+to\s+(?:refund|return|cancel|exchange|credit)\b", "past", True),
        (r"\b(?:i|we)\s+had\s+(?:them|it|the \w+|finance|billing|our \w+)\s+(?:cancel|refund|approve|reverse|return)\w*\b", "past", True),
        (r"\bsaid yes to\b[^.;!?]{0,20}?\b(?:refund|return|exchange|cancell?ation)\b|\b(?:refund|return|exchange)\s+is\s+a\s+go\b", "past", True),
        (rf"\b{_CANCEL}\b[^.;!?]{{0,20}}?\b(?:went through|is (?:done|complete|final|in place|in effect|in the system|confirmed|in progress)|has gone through)\b", "past", False),
        (rf"\b(?:refund|return|exchange|request|{_CANCEL})\b[^.;!?]{{0,20}}?\b(?:went through|is (?:done|complete|final|in place|all set|sorted)|has gone through)\b", "past", False),
        (rf"\b(?:refund|return|exchange|{_CANCEL})\b[^.;!?]{{0,16}}?\s*[:?=\-–—]+\s*(?:ok|done|complete[d]?|confirmed|processed|yes|all set)\b", "past", False),
        (r"\b(?:took|taken|take) care of\s+(?:the|your)\s+(?:refund|return|exchange|cancell?ation)", "past", True),
        (r"\b(?:i|we)(?:'ve|\s+have)?\s+(?:just\s+)?(?:put|pushed|sent)\s+(?:your|the|a)\s+(?:refund|return|exchange|cancell?ation)\s+through\b", "past", True),
        (r"\bsign(?:ed)? off on\b[^.;!?]{0,20}?\b(?:refund|return|exchange|cancell?ation)\b", "past", True),
        (r"\b(?:sent|sending|send|put|wired)\s+(?:you\s+)?(?:your|the|all your)\s+(?:money|funds|amount)\s+(?:back|to)\b", "past", True),
        (r"\b(?:got|get|getting|gotten|have|had)\s+(?:you|your|the|it)\s+(?:\w+\s+)?(?:approved|refunded|cancell?ed|authori[sz]ed)\b", "past", True),
        (r"\b(?:asked|told|instructed|ordered)\s+[^.;!?]{1,30}?\s+to\s+(?:return|refund|reverse|cancel|credit|approve|release|reimburse)\b", "past", True),
        (rf"\b(?:announce|confirm)\s+(?:the|your)\s+(?:approval|{_CANCEL}|refund)", "past", True),
        (r"\b(?:payment|transfer|pix)\s+(?:back\s+)?to you\s+(?:has|was|is)\b", "past", False),
        (r"\b(?:consider|mark|call)\s+(?:it|that|this|your \w+|the \w+)\s+(?:as\s+)?(?:done|approved|refunded|cancell?ed|settled)\b", "past", False),
        (rf"\b{_NEW}\b{_GAP}(?:\b(?:is|are|has|was|will)\b|'s)\s+(?:already\s+|now\s+|be\s+|being\s+|been\s+)?(?:on its way|shipped|sent|ship|arrive|dispatched|coming)", "past", False),
        (rf"\b(?:sent|shipped|sending|shipping|dispatched|ordered)\s+(?:you\s+)?(?:out\s+)?(?:a|an|the|your)\s+{_NEW}", "past", True),
        (rf"\b(?:will|'ll|going to)\s+(?:send|ship|get)\s+(?:you\s+)?(?:out\s+)?(?:a|an|the|your)?\s*{_NEW}", "future", True),
        (r"\b(?:your|the)\s+(?:new\s+)?(?:delivery\s+|shipping\s+)?(?:address|phone|e-?mail)\s+is\s+now\b", "past", False),
        (r"^\W*(?:done|all done|all set|sorted)\W*$", "past", True),
        (r"\b(?:your|the)\s+(?:order|purchase|subscription)\b[^.;!?]{0,20}?\b(?:no longer exists|is void|is off|is gone)\b", "past", False),
        (r"\b(?:charge|fee)\b[^.;!?]{0,30}?\b(?:is gone|was dropped|has been (?:removed|dropped|waived)|will (?:disappear|drop off))\b", "past", False),
        (r"\b(?:good to go|green light|thumbs up)\b[^.;!?]{0,30}?\b(?:refund|return|exchange|cancell?ation)\b|\b(?:refund|return|exchange)\b[^.;!?]{0,20}?\b(?:good to go|got the green light)\b", "past", False),
    )  # fmt: skip
