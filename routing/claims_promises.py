"""What a reply promises of others and of time: a transfer, somebody's contact, a day or a span. Compiled when first asked for."""

import re
from functools import cache

_PEOPLE = (
    r"(?:atendente|pessoa|equipe|time|setor|financeiro|supervis\w+|especialista|humano|responsavel|area|colega|gerente|gerencia|trocas|suporte"
    r"|entregas|cobrancas?|pessoal|departamento|nivel|ouvidoria|analista|qualidade|logistica)"
)
_PEOPLE_EN = r"(?:agent|person|human|team|department|billing|support|returns|specialist|supervisor|colleague|manager|someone|representative|rep|level|desk)"
_MOVE = r"(?:transfer\w+|transfir\w+|encaminh\w+|direcion\w+|conect\w+|redirecion\w+|repass\w+|escal(?:ar|ando|o)\b|delegar|delegando)"
_DAY = (
    r"(?:amanha|hoje|segunda|terca|quarta|quinta|sexta|sabado|domingo|tomorrow|today|tonight|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|(?:fim|final) d[oae] (?:dia|tarde|semana|mes)|(?:end of (?:the )?(?:day|week)|eod)|semana que vem|proxima semana|next week|natal|christmas)"
)
_NUMBER = (
    r"(?:\d{1,3}|an?|um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|quinze|vinte|trinta|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|poucos|poucas|alguns|algumas|a few|a couple of)"
)
_UNIT = (
    r"(?:dias?(?: ute(?:is|l))?|horas?|hs?|hrs?|semanas?|minutos?|minutinhos?|mins?|faturas?|meses|mes|d"
    r"|(?:business |working )?days?|hours?|weeks?|minutes?|statements?|months?)"
)
_DATE = (
    r"(?:\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{4}-\d{2}-\d{2}|\d{1,2} de [a-z]{3,9}|dia \d{1,2}|the \d{1,2}(?:st|nd|rd|th)"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2})"
)
_COUNT = rf"(?:(?:\d{{1,3}}\s*|{_NUMBER}\s+)(?:a\s+\d+\s+|to\s+\d+\s+|-\s*\d+\s*)?{_UNIT})"
_BY = (
    r"(?:em|ate|dentro de|no prazo de|no maximo(?: em)?|within|in|by|on|until|before|for|para|pra|na|no|nesta|nessa|as|at)"
    r"\s+(?:ate\s+|no maximo\s+|apenas\s+|o\s+|a\s+|as\s+|dia\s+|proxim[ao]\s+|the\s+|about\s+|next\s+|so\s+)*"
)
_SPAN = rf"(?:{_BY}(?:{_COUNT}|{_DAY}|{_DATE})|\b{_DAY}\b|\bdia \d{{1,2}}\b)"


_FETCH = r"(?:cham|acion|envolv|traz|convoc|avis)"
_WORD = r"(?:mensagem|noticias?|resposta|e-?mail|retorno|posicao|posicionamento|novidades?|atualizac\w+|alo|feedback|ligada|ligadinha)"


@cache
def transfers() -> re.Pattern[str]:
    """Return the forms that announce a transfer, to a specialist or to a person."""
    return re.compile(
        r"\b(?:(?:vou|vamos|irei|estou|estamos|to|ja|acabei de|acabo de|deixa eu|deixe-me)\s+(?:te\s+|lhe\s+|ja\s+|o\s+|estou\s+|voce\s+)*"
        rf"(?:{_MOVE}|pass(?:ar|ando|o)\s+(?:voce|seu caso|a conversa|o seu|seu atendimento|para|pra|pro)|coloc(?:ar|ando|o)\s+(?:voce\s+)?(?:com|em contato)\s+[^.;!?]{{0,16}}?{_PEOPLE})"
        rf"|te\s+(?:{_MOVE}|passo|passei|passando|coloco com|coloquei com|boto com)|(?:estou|vou)\s+te\s+pass(?:ando|ar)"
        rf"|transferi(?:mos)?\b|transferindo\b|(?:encaminhei|encaminhamos|passei|passamos|direcionei|enviei|escalei|escalamos|repassei|repassamos|levei|subi|atribui|atribuimos|deleguei)\s+[^.;!?]{{0,40}}?\b(?:para|ao|a|pro|pra)\s+[^.;!?]{{0,16}}?{_PEOPLE}"
        rf"|(?:foi|esta sendo|sera|ja esta)\s+(?:encaminhad|transferid|direcionad|repassad|escalad|passad|enviad)[oa]\s+(?:para|ao|a|pro|pra|com)\s+[^.;!?]{{0,16}}?{_PEOPLE}"
        rf"|(?:vou|vamos|estou|estamos|ja|irei)\s+(?:ja\s+)?{_FETCH}(?:ar|er|ando|endo|ei|i)\s+[^.;!?]{{0,20}}?{_PEOPLE}|{_FETCH}(?:ei|amos|ando)\s+[^.;!?]{{0,20}}?{_PEOPLE}"
        rf"|(?:um|uma|o|a|nosso|nossa|outr[oa]|meu|minha)\s+{_PEOPLE}[^.;!?]{{0,12}}?\s(?:vai|ira|ja vai|ja|assume|assumira|vem|vindo|esta vindo|entra|esta entrando|vai entrar)\s*"
        r"(?:assumir|te atender|te atende|continuar|continua|falar com voce|seguir|dar continuidade|a conversa|daqui|na conversa|no chat|ai|vindo|em instantes|te ajudar)"
        r"|(?:i'm|i am|we're|we are|i'll|i will|we'll|let me|i'm going to|while i)\s+(?:now\s+|just\s+)?(?:transfer\w*|connect\w*|forward\w*|pass(?:ing)?|hand(?:ing)?|redirect\w*|escalat\w*|loop\w*|put(?:ting)? you through|bring(?:ing)? in|get(?:ting)? (?:a|my|our)\s+(?:manager|supervisor|agent|specialist|colleague))"
        r"|(?:i|we)(?:'ve|\s+have)?(?:\s+just)?\s+(?:transferred|forwarded|passed|escalated|handed|connected|looped|brought in|assigned)|(?:^\W*|[,;:]\s*)(?:transferring|connecting|forwarding)\s+you"
        rf"|(?:has been|was|is being)\s+(?:transferred|forwarded|escalated|handed|passed)\s+(?:over\s+)?to\s+[^.;!?]{{0,16}}?{_PEOPLE_EN}"
        rf"|(?:they|he|she)(?:'ll|\s+will)\s+(?:take it from here|take over)|(?:eles|elas|ele|ela)\s+(?:ja\s+)?(?:assumem?|continuam?|seguem?)\s+(?:daqui|a conversa|com voce)|(?:an?|our|another|my)\s+{_PEOPLE_EN}\s+(?:will be with you|will take over|is taking over|will continue|will assist|is joining|will join|is on (?:the|their) way|is coming)"
        rf"|(?:i|we)(?:'ve|'ll|\s+have|\s+will)?\s+call(?:ed)?\s+(?:a|an|someone|in a)\s+[^.;!?]{{0,12}}?{_PEOPLE_EN})\b"
    )


@cache
def callbacks() -> re.Pattern[str]:
    """Return the forms that promise to come back to the customer."""
    reach = r"(?:lig|telefon|avis|retorn|contat|procur|chama|escrev|inform|atualiz|respond)"
    send = rf"(?:mand|envi|d[aáoe]|dou|dar|darei|passa|traz|trago)\w*\s+(?:uma?\s+|a\s+|o\s+|mais\s+)?{_WORD}"
    return re.compile(
        rf"\b(?:fico de (?:te |lhe )?(?:avis|lig|retorn|respond|dar)\w*|te (?:ligo|aviso|retorno|chamo|procuro|atualizo|informo|escrevo|respondo (?:por|ate|amanha|em|assim|quando|mais)|{send}|mando um)"
        rf"|(?:ligo|retorno|aviso) (?:para|pra) voce|(?:volto|voltamos|voltarei|volte?aremos) a (?:te )?(?:falar|chamar|procurar|contatar)|entro em contato|(?:mando|envio|mandamos|enviamos|mandaremos|enviaremos|mandarei|enviarei|dou|damos|daremos|darei) (?:a |uma |um |o |mais )?{_WORD}"
        r"|retorno (?:em|ate|amanha|hoje|ainda|o contato|assim)"
        rf"|(?:vou|vamos|vai|vao|ira|irao|iremos|irei)\s+(?:te\s+|lhe\s+)?(?:ligar|telefonar|avisar|retornar|{send}|responder (?:por|em|ate|ainda|mais)|entrar em contato|contatar|procurar|chamar voce|escrever|atualizar voce|manter (?:voce )?inform\w+)(?! (?:a|o|um|uma) (?:transportadora|banco|loja|pedido))"
        r"|(?:ligarei|ligaremos|avisarei|avisaremos|retornarei|retornaremos|entrarei em contato|entraremos em contato|entrara em contato|entrarao em contato|retornara|retornarao|contatara|contataremos|procuraremos|te ligara|(?:sera|vai ser) (?:contatad|procurad|avisad|notificad|informad)[oa] (?:por|pel[oa]|em|ate|assim))"
        rf"|(?:alguem|uma pessoa|um atendente|a equipe|nossa equipe|o time|nosso time|o financeiro|o suporte)[^.;!?]{{0,20}}?\s(?:te {reach}\w*|retorna o contato|entra em contato)"
        r"|a gente\s+(?:te\s+)?(?:liga|avisa|retorna|procura|chama|escreve|responde)(?: voce)?|entramos em contato|te\s+(?:retornamos|ligamos|avisamos|procuramos|escrevemos|respondemos)|(?:voce )?(?:vai receber|recebera|recebe)\s+(?:uma|um|a|o|nossa|nosso)\s+(?:nossa?\s+)?(?:ligacao|contato|retorno|telefonema|chamada|mensagem nossa|mensagem da equipe)"
        r"|(?:aguard\w+|esper\w+|fique aguardando)\s+(?:o\s+|a\s+)?(?:nosso|nossa)\s+(?:contato|ligacao|retorno|mensagem)|(?:nosso|o) (?:contato|retorno) (?:sera|acontece|vai ser)"
        r"|(?:will|'ll|is going to|are going to)\s+(?:call|phone|contact|notify|update|email|text|message|ring|write)\s+(?:to\s+)?you|(?:will|'ll)\s+(?:get|be|come)\s+(?:right )?(?:back to|in (?:touch|contact))"
        r"|(?:i|we)(?:'ll|\s+will)\s+(?:let you know|ping you|keep you (?:posted|updated|informed)|reach out|follow up|check back|circle back|touch base|send you (?:an update|a message|an email))|(?:will|'ll)\s+(?:reach out|follow up)|(?:i|we)(?:'ll|\s+will)\s+\w+\s+(?:it\s+|this\s+)?and\s+(?:call|update|email|text|notify|message)\s+you"
        r"|(?:expect|await|look out for)\s+(?:a|our|my)\s+(?:call|email|message|reply)|you(?:'ll| will)\s+(?:get|receive|hear)\s+(?:a call|an email from|a message|from (?:us|me)|back from))\b"
    )


@cache
def deadlines() -> re.Pattern[str]:
    """Return the forms that say when something will happen."""
    will = (
        r"(?:cheg(?:a|am|ara|arao|ando)\b|vai|vao|sera|serao|ira|receb(?:e|era|er)\b|entreg(?:amos|aremos|ara)\b|(?<!para )(?<!pra )(?<!de )(?<!a )(?<!da )(?<!sua )(?<!na )entrega\b|cai\b|caira|volta\b|voltara|sai\b|acontec\w+"
        r"|resolv\w+|liberad\w+|esta na sua|estara|tera|fica pront\w+|passa (?:ai|na sua)|responde\w*|marcad\w+ para|agendad\w+ para|previst\w+ para|prevista? e|garantid\w+ para"
        r"|deve(?:m|ra)?|will|'ll|arriv(?:es?|ing)|is going to|gets? to|should|(?:can )?expect(?: it| them)?|pode esperar|be there|guaranteed|scheduled|due)"
    )
    term = r"(?:prazo|tempo)(?:\s+(?:de|da|do|para)\s+\w+){0,3}\s+(?:e|sera|fica|ficou)\s+(?:de\s+)?(?:ate\s+)?"
    lasts = r"(?:leva|levam|levara|demora|demoram|vai (?:levar|demorar)|takes?|will take)\s+(?:de\s+|ate\s+|no maximo\s+|cerca de\s+|apenas\s+|so\s+|up to\s+|about\s+|only\s+|at most\s+)*"
    # A span of time ahead is a deadline whatever the verb; what lies behind is told in the past.
    ahead = rf"\b(?:em|ate|dentro de|no prazo de|no maximo(?: em)?|within|in)\s+(?:ate\s+|no maximo\s+|so\s+|about\s+|only\s+)?{_COUNT}\b(?! (?:sem juros|iguais))"
    return re.compile(
        rf"\b{will}[^.;!?]{{0,60}}?\b{_SPAN}|\b{term}{_COUNT}|\b{lasts}{_COUNT}"
        rf"|^\W*give (?:it|us|me) {_COUNT}|{_SPAN}[^.;!?]{{0,40}}?\b(?:voce (?:ja )?(?:recebe|tem (?!que)|tera|vai)|chega|esta na sua|estara|tudo (?:estara|esta|vai)|o (?:pacote|pedido|produto|entregador)|you(?:'ll| will))\b|{ahead}"
    )
