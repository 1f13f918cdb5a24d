"""The phrases of courtesy, as data."""

from typing import Literal

Courtesy = Literal["greeting", "thanks", "goodbye", "acknowledgement"]

# Patterns over normalised text (no accents, no punctuation, no case). The longest one that fits is taken each time.
PHRASES: dict[Courtesy, tuple[str, ...]] = {
    "goodbye": (
        r"(?:tchau|xau|tchauzinho)(?: tchau)?", r"ate (?:mais|logo(?: mais)?|breve|amanha|mais tarde|depois|a proxima(?: compra| vez)?|a vista|outra(?: ocasiao| vez| hora| oportunidade)?|qualquer (?:hora|dia))", r"inte(?: mais| logo)?", "ate", "adeus", "flw", "falou", "fui",
        r"(?:um )?(?:abraco|abracos|abs|bjs?|bjos?|beijo|beijos?|beijinhos?)(?: no coracao)?(?: de (?:voces|vcs|todos|todas|todo mundo))?", r"(?:fi(?:ca|que|quem)|va|vai) com deus", r"pass(?:ar|e|em) bem", "se cuida", r"(?:um )?(?:feliz|otimo|bom) (?:natal|ano novo|pascoa|ano)", r"boas (?:festas|ferias)", r"(?:tudo|td) de bom", r"(?:e )?muito sucesso", "boa semana", "otima semana",
        r"(?:que )?(?:tenha|tenham|desejo)(?: voce)? (?:um |uma )?(?:otim[oa]|bo[am]|bom|excelente|lind[oa]) (?:dia|tarde|noite|semana|fim de semana|fds|final de semana)",
        r"(?:um )?(?:bom|otimo) (?:fim de semana|fds|final de semana|domingo|sabado|feriado|trabalho|descanso)",
        r"(?:(?:era|e|foi) )?(?:so|somente|apenas) isso(?: mesmo)?", r"por (?:hoje|enquanto|agora) (?:e|era) (?:so|so isso|isso)",
        r"nao (?:preciso|precisa|quero|tenho)(?: de)? mais nada(?: nao)?", "mais nada", "nada mais", r"sem mais (?:duvidas?|perguntas|nada)", "encerrar(?: aqui)?", "pode encerrar",
        "bye(?: bye)?", "goodbye", r"see (?:you|ya)(?: later| soon)?", "take care", r"have a (?:nice|good|great|lovely) (?:day|one|evening|weekend|night)",
        "good night", r"that(?: i)?s (?:all|it)", r"that will be all", "cya", "nothing else", r"no (?:more|further) questions", r"happy (?:holidays|new year|easter)", "merry christmas", "so long", "have a good one",
    ),
    "thanks": (
        r"(?:muit(?:o|issimo|issima) )?(?:obrigad(?:[oa]s?|inh[oa]|ao|issim[oa])|brigad(?:[oa]|inh[oa]|ao)|brigadu|obg|obgd|obgda|obgdo|grat[oa]|gratidao)",
        r"pel[ao]s? (?:(?:sua|seu|otim[oa]|excelente|pront[oa]|belo|super|boa|bom|grande) )*(?:ajuda|atencao|retorno|paciencia|informacao|informacoes|info|atendimento|resposta|gentileza|rapidez|agilidade|forca|explicac(?:ao|oes)|compreensao|presteza|suporte|carinho|cuidado|dica|orientac(?:ao|oes)|solucao|troca|devolucao|entrega|reembolso|estorno|cupom|desconto|presente|brinde|servico|compra|apoio|gente|equipe|trabalho|simpatia|educacao)(?: (?:n[oa]|d[aeo]|com|nest[ea]|dess[ea]|tao|toda|de sempre)(?: (?:o |a |meu |minha )?(?!(?:defeit|atras|problem|vizinh|metade|merda|lixo|bosta|porcaria|nada|err[oa]|quebrad|errad|amassad|avari|falh|demora|furto|rasgad|sujeira|sujo|usad|vazi|incomplet|pass|golpe)\w*)\w+)?)?",
        r"por (?:tudo|isso|me (?:ajudar|atender|ouvir|avisar|responder|socorrer|salvar)(?:em)?|(?:resolver|responder|ajudar|avisar|entender|trocar|devolver|esclarecer)(?:em)?)(?: (?:tudo|isso|(?:o )?meu (?:problema|caso)|rapido|tao rapido|a tempo|a troca|o estorno))*",
        r"(?:muito )?agradecid[oa]", r"agradec(?:o|emos|id[oa])(?: (?:muito|demais|imensamente|de coracao|desde ja))?(?: (?:a|o|pela|pelo|por|toda|todo|sua|seu|vossa|pront[oa]|otim[oa]|excelente)+)*(?: (?:ajuda|atencao|gentileza|atendimento|paciencia|rapidez|compreensao|presteza|apoio|suporte|carinho|resposta|retorno|tudo|voces))?",
        r"eu que (?:te |lhe )?agradeco", r"nos que agradecemos", r"parabens(?: (?:pel[oa]|pr[oa]s?|ao?s?|para) (?:(?:o|a|toda|otim[oa]|excelente|bel[oa]|bom|boa) )*(?:atendimento|servico|equipe|trabalho|loja|rapidez|entrega|atencao|voces|vcs|time|qualidade))?",
        r"nota (?:10|dez|mil|1000)", r"(?:so )?elogios?(?: mesmo)?", r"que (?:otim[oa] (?:atendimento|servico|loja|equipe)|(?:atendimento|servico|loja|equipe) (?:maravilhos[oa]|otim[oa]|excelente|top|incrivel|bo[am]|show|rapid[oa]|nota 10))",
        r"(?:adorei|amei|gostei d[eo]|curti) (?:o |a |esse |essa )?(?:seu |sua )?(?:atendimento|servico|ajuda|atencao|rapidez|loja|resposta)", r"valeu+(?: mesmo| demais)?", "vlw", "vlws", "tmj", "tamo junto",
        r"(?:que )?deus (?:te |lhe |os |lhes )?(?:abencoe|pague|ajude)(?: (?:voces?|vcs|todos))?", r"(?:voce|vc|voces|vcs|ces|a equipe|o atendimento|o pessoal|todo mundo|todos|a moca|o rapaz) (?:e|eh|sao|foi|foram|esta|estao) (?:muito |super |tao |bem |um |uma |uns |umas )*(?:anjos?|amor(?:es)?|querid[oa]s?|show|otim[oa]s?|demais|maravilhos[oa]s?|gentil|gentis|atencios[oa]s?|top|nota (?:10|dez|mil)|incrive(?:l|is)|excelentes?|simpatic[oa]s?|prestativ[oa]s?|rapid[oa]s?|bo[am]|bons|boas|os melhores|fera|feras)",
        r"(?:me )?(?:ajudou|ajudaram|salvou|salvaram) (?:muito|demais|bastante|super)", r"(?:so )?(?:passei|vim|escrevi|entrei|voltei|queria|quero|mandei mensagem|gostaria)(?: de)?(?: (?:aqui|so|mesmo))* ?(?:(?:so )?(?:pra|para|p) )?(?:so )?(?:te |lhe )?agradecer(?: (?:mesmo|muito|demais|a voces?|voces?|vcs|de coracao))*(?: (?:a|o|pela|pelo) (?:ajuda|atencao|atendimento|gentileza|paciencia|rapidez|resposta|equipe|suporte))?",
        r"(?:thank you|thanks|thank u|thx|ty|tks|cheers)(?: (?:so much|very much|a lot|a bunch|a million|again))?", r"for (?:all )?(?:the|your) help", "for everything", r"for (?:yesterday|today|last \w+)", "many thanks", r"for (?:the |your |all the )?(?:quick |great |kind |fast )*(?:help|reply|response|support|service|patience|time)", r"(?:i )?just wanted to say (?:thanks|thank you|ty)(?: so much| again)?", r"you(?:ve| have)? been (?:so |very |really |super )?(?:great|helpful|kind|amazing|wonderful|lovely)", r"you (?:guys )?are (?:so |very )?(?:great|the best|awesome|amazing)", r"great (?:service|support|help)",
        r"(?:i )?(?:really )?appreciate (?:it|that|(?:your|the|all the) (?:help|support|patience|time))", r"you (?:have been|were|ve been|guys were) (?:so |very |really )?(?:helpful|kind|nice|patient|great|lovely)",
    ),
    "greeting": (
        "oi", "oie", "oi oi", "oii", "oiie", r"oinh[oa]", "ola", "opa", "eae", "e ae", "e ai", "eai", "iae", "iai", "alo", "salve", "fala(?: ai| ae)?", "hey", "ei",
        r"b(?:om)? dia+", r"boa tard[ei]", r"boa noit[ei]", "bdia", "prazer", "buenas",
        r"(?:e )?(?:ta |esta )?(?:tudo|td) (?:bem|bom|certo|joia|tranquilo|beleza|otimo|blz)(?: (?:com|por) (?:voce|vc|voces|vcs|ai))?(?: ai| contigo)?", "tdb", "tudo em ordem",
        r"como (?:vai|vao|esta|estao|tem passado)(?: (?:voce|vc|voces|vcs|as coisas|tudo))?", r"como (?:voce|vc|voces|vcs) (?:esta|ta|vai|vao|estao|tao)",
        r"(?:tem |ha )?alguem (?:ai|aqui|aki|online|on)", "tem alguem",
        "hi", "hello", "hiya", "howdy", "good (?:morning|afternoon|evening)", r"whats up", "sup", r"how are (?:you|u)(?: doing)?(?: today)?", r"how(?: i)?s (?:it|everyone|everybody|everything)(?: (?:going|doing))?(?: today)?",
        r"(?:is )?any(?:one|body) (?:there|here)", "greetings",
    ),
    "acknowledgement": (
        "imagina", "magina", "que isso", "disponha", "de nada", r"nao ha de que", r"(?:you are|youre|ur) welcome", "no worries", "fechou", r"all (?:good|sorted|set|done)(?: now)?", "ok", "okay", "okey", "oks", "okok", "certo", "certinho", "ta", "tah", r"(?:ta|esta|tudo) (?:bom|bem|certo|ok|otimo|joia|certinho)", "blz", "beleza", "belezinha",
        "entendi", "entendid[oa]", "ta entendido", "compreendi", "compreendo", r"ah (?:sim|ta|entendi|ok|legal|bom|certo|ta bom)", "saquei", "joia", "perfeito", r"show(?: de bola)?",
        "otimo", "maravilha", "legal", "massa", "bacana", "combinado", "fechado", "sei", "hum", "hm", "hmm", "humm", "aham", "uhum", "tranquilo", "de boa", "suave", "top", "excelente",
        r"que (?:bom|otimo|legal|alivio)", "bom saber", "ciente", "anotado", "sem problemas?", r"(?:fico )?no aguardo", r"(?:vou )?(?:aguardar|esperar)", "aguardo", "aguardando",
        "rs", "rsrs", "rsrsrs", "k", "kk", r"(?:ha){2,}h?", r"(?:he){2,}", "lol",
        "got it", "i see", "understood", "alright", "all right", "great", "perfect", "cool", "nice", "sounds good", "good to know", "sure thing", "noted", "makes sense",
        "fine", "no problem", "awesome", "brilliant", "lovely", "wonderful", "fantastic",
    ),
}  # fmt: skip
