"""What an online shop's customers talk about, as concepts with their words in Portuguese and English.

A language resource, not a rule: a concept that is found becomes one more input of the classifier, and the examples
decide what it speaks for. Patterns are matched against folded text (no accents, lower case) at the start of a word.
"""

import re
from functools import cache, lru_cache

from routing.text import fold

_CONCEPTS: dict[str, str] = {
    "order": r"pedidos?\b|encomendas?\b|pedi\b|encomendei|orders?\b|ordered",
    "bought": r"compr(?:ei|amos|ou|ado|ada)|adquiri|minha compra|bought|purchased?",
    "buying": r"antes (?:que|de) (?:eu )?(?:\w+ )?(?:a )?compra|(?:se|quando) eu (?:for comprar|fechar|levar|pegar|pagar)|fechar (?:a|uma|minha) compra|ainda (?:estou|to) (?:escolhendo|olhando|vendo)|"
    r"(?:ainda )?(?:nem|nao) (?:adianta|vale a pena) comprar|vou (?:pegar|levar) (?:um|uma|o|a)\b|(?:se|quando|antes de|pretendo|penso em|pensando em|quero|queria|gostaria de|vou|posso|pra|para|querendo|como) (?:eu )?(?:comprar|adquirir|encomendar)|"
    r"ainda (?:nao|n) (?:comprei|fechei|finalizei)|interesse em|(?:before|thinking (?:of|about)|want to|going to|if i) (?:i )?(?:buy|order)",
    "arrived": r"(?:cheg(?:ou|aram)|receb(?:i|emos|ido)|entregaram|veio|vieram)\b|arrived|received|came\b|got\b",
    "not_arrived": r"still (?:waiting|hasn'?t|haven'?t|not|no)\b|nowhere|no sign of|nao passou|(?:nao|n|nunca|nada|ainda nao) (?:me )?(?:cheg|receb|entreg|apareceu|veio|vieram)|sumiu|extravi|desapareceu|"
    r"cade\b|(?:never|not|hasn'?t|haven'?t|didn'?t) (?:\w+ )?(?:arriv|receiv|deliver|show|got|get|come)|lost",
    "deliver": r"entreg|deliver|ship(?:ping|ped|ment)?\b|despach|envi(?:o|a|ad[oa]s?|aram|ou|ar|em)\b|remessa|package|parcel\b|pacote|embrulho",
    "track": r"rastre|tracking|track\b|localiza|onde (?:e que )?(?:esta|ta|anda|foi parar|fica|se encontra)|where(?:'?s| is| are)|andamento|status|acompanh|a caminho|saiu para",
    "delay": r"supposed to|was due|expected|eta\b|weeks? ago|ja (?:era|devia|deveria)|passou (?:da data|do prazo)|nova data|atras|demor|prazo|previs(?:ao|to)|estimativa|late\b|delay|overdue|faz \d+ (?:dia|semana)|ha \d+ dia|parad[oa]\b|travad",
    "carrier": r"delivery (?:man|guy|person|driver)|fedex|dhl|ups\b|transportadora|correios?\b|motoboy|entregador|motorista|carteiro|sedex|jadlog|loggi|courier|carrier|driver|mailman|caminhao|agencia",
    "address": r"apartment|apt\b|office|moved to|front desk|postcode|deposito|complemento|endereco|cep\b|rua\b|avenida|apartamento|apto|bloco|bairro|portaria|porteiro|vizinh|condominio|predio|mudei de|address|zip\b|street|neighbo|doorman|moved",
    "schedule": r"agend|remarc|reagend|turno|de manha|a tarde|schedul|reschedul|outro dia|sabado|que horas|horario de entrega|janela de",
    "collect": r"retir(?:ar|ada|o)\b|buscar\b|pegar (?:na|no|eu)|pick (?:it )?up|balcao|ponto de",
    "account": r"profile|website|update my|logged|username|imeio|imail|cadastr|senha|login|logar|perfil|acess(?:ar|o)\b|password|account|log ?in|sign in|minha conta\b|aplicativo|app\b|site\b",
    "identity": r"my name|spelled|email|tax id|meu nome|sobrenome|cpf\b|cnpj\b|telefone|e-?mail\b|nascimento|phone number|last name",
    "missing": r"falt(?:ou|a|ando|aram|am)\b|incomplet|metade|so (?:veio|chegou|recebi|um|uma|dois|duas)|veio so|missing|vazi[ao]|empty|sem (?:o|a|os|as) \w+|only (?:one|two|half|part)",
    "wrong": r"mixed? ?up|someone else'?s|instead of the|errad|trocad[oa]s?\b|diferente|no lugar d|nao (?:e|era|foi) (?:o|a) que|outro (?:produto|modelo|item)|wrong|not what i",
    "damaged": r"quebrad|quebrou|amassad|rasgad|danificad|avariad|avaria|trincad|rachad|molhad|violad|arranhad|riscad|furad|damaged|broken|dented|cracked|torn|scratched|smashed",
    "defect": r"broke\b|fell (?:off|apart)|won'?t\b|peel|battery|stopped\b|dead\b|malfunction|mudo\b|travad|emperr|afroux|descosturou|rasgou|arrebent|fumaca|esquentando|defeit|(?:nao|n) (?:liga|funciona|carrega|esquenta|gela|acende|roda|abre|fecha|presta)|parou de|pifou|queimou|estrag|descol|descostur|solt(?:ou|ando)|vaz(?:a|ando)\b|"
    r"manch|desbot|garantia|assistencia tecnica|warranty|defect|stopped working|(?:doesn'?t|won'?t) (?:work|turn|charge)|faulty|leak|fell apart",
    "fit": r"tight|loose|bigger|smaller|larger|another size|different size|tamanho|numeracao|numero (?:maior|menor|\d)|apert|folgad|larg[oa]|pequen|(?:nao|n) (?:serv|coub|cab|entr)|serviu|ficou (?:grande|curto|curta|comprid)|"
    r"(?:um|uma|numero|tamanho|mais|bem|muito) (?:maior|menor)\b|size|too (?:small|big|tight|loose|large|short|long)|fit\b|fits\b",
    "colour": r"cor\b|cores\b|azul|vermelh|pret[oa]\b|branc[oa]\b|verde\b|rosa\b|amarel|bege|cinza|colou?r|blue\b|red\b|black\b|white\b|green\b|modelo|model\b|voltagem|110|220",
    "exchange": r"trade (?:it|them)|instead of|different (?:size|colou?r|model)|troc(?:a|as|ar|o|ei|ou|amos|aram|ando|am|em)\b|substitu|exchang|swap|replac",
    "give_back": r"devol|mandar de volta|mandei de volta|retorn(?:ar|o)\b|return|(?:send|sent) (?:it |them |the \w+ )?back|reversa",
    "cancel": r"call(?:ed)? off|back out|withdraw|anul|cancel|desist|arrepend|mudei de ideia|(?:nao|n) (?:quero|vou querer|preciso) mais|desfaz|changed my mind|don'?t want|no longer",
    "label": r"etiqueta|empacot|codigo de (?:postagem|devolucao|autorizacao)|autorizacao|postagem|post(?:ar|ei|o)\b|colet|recolh|embal(?:ei|ar|agem)|label|drop.?off|pickup",
    "credit": r"vale.?(?:troca|compra|presente)|credito (?:na|da|de|em)|saldo|gift ?card|voucher|store credit",
    "refund": r"reimburs|the money\b|my money|o valor (?:volta|cai|devolvido)|reembols|estorn|ressarc|restitu|refund|money back|chargeback|(?:meu|o|seu) (?:dinheiro|din|dindin)|dinheiro de volta|grana|"
    r"devol\w+ (?:o |do |meu |de )?(?:valor|dinheiro)|valor de volta|(?:cai|caiu|volta|voltou) (?:na|no|o|quando|em)|(?:devolv|volta)\w* (?:o |a )?(?:dim|grana|valor|diferenca)",
    "charge": r"fees?\b|deducted|took (?:the |my )?money|bill(?:ing)?\b|tiraram (?:o |meu )?dinheiro|lancament|assinatura|mensal|cobr|debit(?:o|os|ad|aram|ou)|descontaram|lancamento|fatura|extrato|charg(?:e|es|ed)\b|billed|statement|indevid",
    "twice": r"two times|double[- ]charged|repetid|em duplicidade|(?:2|dois|duas) (?:cobranca|compra|debito|lancamento|pix)|duas vezes|2 ?x\b|2 vezes|dobro|em dobro|duplicad|duplo|de novo|twice|double",
    "card": r"cart(?:ao|oes)|visa\b|mastercard|elo\b|hipercard|credit\b|debit card|card\b",
    "pix": r"pix\b|qr ?code|copia e cola|chave\b",
    "boleto": r"bar ?code|due date|payment slip|loterica|boletos?\b|boletinho|codigo de barras|linha digitavel|(?:segunda|2a?) via|vencimento|venc(?:eu|ido|ida|e)\b|payment slip",
    "instalment": r"interest\b|payment plan|dividi(?:r|do|das)?\b|em (?:mais|quantas|duas|tres|doze|dez) vezes|parcel|sem juros|juros|em \d+ ?x\b|\d+ ?x (?:de|sem)|a vista|instal?lment",
    "pay": r"pag(?:ar|uei|amento|amentos|o|ou|ando|aram|a)\b|pay|paid|payment|quit(?:ar|ei|ado)|transferi|deposit",
    "approval": r"reject|(?:go|went|goes) through|nao (?:passa|passou|pega|pegou|aceita|aceitou|vai)\b|aprov|recus|negad|autorizad|em analise|compens|baixa\b|confirm|declin|approv|pending|pendente",
    "invoice": r"notas? fisca(?:l|is)|notinha|nota\b|nf\b|nfe\b|nf-e|danfe|xml\b|recibo|comprovante|invoice|receipt",
    "discount": r"promo code|% off|black friday|primeira compra|cupo(?:m|ns)|desconto|promoc|cashback|promocional|oferta|coupon|discount|promo\b",
    "shipping_fee": r"frete|taxa de entrega|shipping (?:fee|cost|charge)",
    "price": r"precos?\b|quanto (?:custa|e|ta|sai|fica)|mais barato|mais car[oa]|price|how much|cost\b|valor(?:es)?\b",
    "money": r"r\$|reais\b|centavos|conto\b|pila\b|dollars?\b",
    "stock": r"out of stock|available|back in|do you (?:guys )?(?:have|sell|carry|stock|ship)|estoque|disponive|esgot|repo(?:sicao|r)\b|volta a vender|in stock|any left|sold out|restock|tem (?:em|no|na|o|a|para|pra|algum|alguma|dess[ea])\b|"
    r"(?:voces|vcs) (?:tem|vendem|trabalham|fazem|aceitam|entregam)|vende(?:m|r)?\b|do you (?:sell|have|carry|ship|accept|offer)",
    "shop_place": r"loja fisica|lojas? (?:em|no|na)|filial|filiais|horario de funcionamento|abre(?:m)?\b|fecha(?:m)?\b|showroom|shopping\b|store hours|physical store|unidade",
    "advice": r"recomend|indica(?:m|r|ria)?\b|qual (?:o |a )?melhor|serve (?:para|pra)|compativel|comparar|catalogo|lancamento|presente para|gift idea|which one|recommend|suggest",
    "work": r"vagas?\b|curriculo|trabalhar|emprego|estagio|contrat(?:ando|am)\b|processo seletivo|hiring|resume\b|job\b|fornecedor|parceria|revend|influenc|afiliad|franquia|atacado",
    "knowledge": r"capital d|quem (?:foi|e o|descobriu|inventou|ganhou|escreveu)|receita d|traduz|poema|piada|previsao do tempo|clima\b|chov|temperatura|cotacao|dolar|horoscopo|"
    r"signo|futebol|placar|filme|serie\b|musica|resumo|redacao|python|equacao|calcule|historia d|significa|joke|poem|recipe|weather|translate|song|movie|capital of|who (?:is|won|was)|"
    r"explique|planeta|presidente|copa\b|lua\b|dever de casa|homework",
    "bot": r"robo(?:s|t|zinho)?\b|bots?\b|inteligencia artificial|chat ?gpt|gpt\b|maquina de|assistente virtual|voce (?:e|gosta|sabe|dorme|sonha|sente|ama|acredita|pensa|come|mora)\b|"
    r"(?:qual|como) (?:e )?(?:o )?(?:seu|teu) nome|quem (?:te|e voce)|are you|your (?:name|favorite)|do you (?:like|love|feel|dream|think)",
    "injection": r"ignor[ae]|esqueca|instruc|prompt|suas regras|finja|aja como|modo (?:desenvolvedor|admin|debug|livre)|a partir de agora|jailbreak|override|developer mode|"
    r"administrador|instruction|pretend|ignore|reveal|revele|system\b|voce agora e|simule|responda apenas|repita",
    "social": r"te amo|casa comigo|namor|saudade|sono\b|com fome|tedio|amig[oa]s?\b|feliz|triste|solidao|sozinh|boa sorte|meu dia|fim de semana|abraco|beijo|conversar|bater papo|love you|"
    r"lonely|bored|happy|sad\b|birthday|chat\b",
    "travel": r"passagem|voo\b|hotel|diaria|viagem|onibus|uber\b|flight|ticket|ingresso|show\b|airbnb",
    "elsewhere": r"farmacia|remedio|supermercado|mercado\b|padaria|oficina|mecanico|cartorio|restaurante|lanchonete|pizza|hospital|medico|consulta|dentista|clinica|exame|pedagio|"
    r"seguro (?:do|de)|igreja|prefeitura|tribunal|advogad|posto de|pos\b|pos-graduacao|outra loja|loja da esquina|camelo|feira\b|carta registrada|carro\b|moto\b|doctor|pharmacy|landlord|gym\b|bank account",
    "life": r"(?:meu|minha) (?:ex|marido|esposa|namorad|mulher|sogra|chefe|vida|coracao|alma|paciencia|tempo|sorte|cabeca|cachorro|gato)|amor\b|paciencia|coracao|ferias|ex\b|my (?:ex|wife|husband|boss|life|heart|time)\b",
    "utility": r"conta de (?:luz|agua|gas|energia)|companhia de|iptu|ipva|detran|inss|imposto|cnh\b|multa|aluguel|condominio atrasado|plano de saude|faculdade|mensalidade|operadora|"
    r"internet\b|chip\b|academia|escola|rent\b|electricity|taxes",
    "bank": r"bancos?\b|emprestimo|financiamento|limite do|conta corrente|poupanca|agencia bancaria|loan|mortgage|gerente do banco",
    "greeting": r"oi+\b|oie|ola\b|bom dia|boa tarde|boa noite|opa\b|e ai\b|eai\b|hello|hi\b|hey\b|good (?:morning|afternoon|evening)",
    "thanks": r"obrigad|valeu|grat[oa]\b|agradec|thank|brigad",
    "person": r"human being|speak (?:to|with)|talk to|atendente|humano|gerente|supervisor|pessoa de verdade|falar com (?:alguem|um|uma|gente|voces)|alguem (?:ai|me)|me lig(?:a|ue|uem)|human\b|representative|real person|someone",
    "vague": r"ajud|problema|duvida|reclam|resolv|questao|assunto|situacao|informac|help|issue|problem|question|complain|preciso falar|preciso ver",
    "anger": r"absurd|vergonh|pessim|lixo|raiva|palhac|descaso|decepcion|insatisfeit|inadmissi|ridicul|horrivel|terrible|awful|disappointed|angry|furious",
    "purchase_of_mine": r"(?:meu|minha|meus|minhas|my) (?:pedido|compra|encomenda|order|purchase|package)",
    "when": r"quando\b|que dia|qual (?:o )?(?:dia|data)|ate quando|quanto tempo|when\b|how long|what day",
    "where": r"onde\b|aonde\b|where\b",
    "how": r"como\b|how\b|de que jeito|qual (?:o )?(?:caminho|procedimento)",
    "reset": r"redefin|esqueci|bloquead|link\b|reset|forgot|locked",
    "gift": r"presente\b|embrulh|gift\b",
}  # fmt: skip

_OTHER_COMPANIES = (
    r"amazon|mercado ?livre|mercado pago|shopee|shein|ali ?express|temu|magalu|magazine luiza|casas bahia|americanas|submarino|ponto frio|extra\b|"
    r"carrefour|renner|riachuelo|c ?& ?a\b|zara|marisa|havan|leroy|tok ?stok|netshoes|centauro|dafiti|kabum|fast ?shop|wish\b|enjoei|olx|ebay|walmart|"
    r"netflix|spotify|disney|globoplay|prime video|hbo|youtube|google|facebook|instagram|tiktok|twitter|whatsapp|telegram|apple|iphone store|microsoft|xbox|playstation|ps plus|steam\b|"
    r"ifood|rappi|uber|99 ?(?:pop|food|taxi)|99\b(?= app)|zé delivery|mcdonald|burger king|habib|starbucks|"
    r"nubank|itau|bradesco|santander|caixa economica|banco do brasil|banco inter|picpay|c6 bank|paypal|serasa|"
    r"vivo\b|claro (?:internet|tv|movel|net)|tim\b|oi (?:fibra|internet|movel)|sky\b|net virtua|enel|light\b|cemig|copel|sabesp|comgas|"
    r"gol\b|latam|azul linhas|decolar|booking|airbnb|123 ?milhas|ticketmaster|sympla|eventim|cvc\b|localiza\b|smart ?fit|unimed|detran|inss|receita federal|"
    r"drogasil|droga raia|pague menos|natura|avon|boticario|samsung|motorola|xiaomi|electrolux|brastemp|consul\b"
)

_PRODUCTS = (
    r"abajur|acessorio|agenda|air ?fryer|almofada|anel|aparador|armario|aspirador|aveia|balanca|balao|balde|banheira|banqueta|bateria|batedeira|bebe conforto|"
    r"berco|bermuda|bicicleta|bike|biquini|blazer|blusa|blusinha|body|bola|bolsa|bone|boneca|boneco|bota|botina|brinco|brinquedo|cabide|cabo|cachecol|cadeira|"
    r"caderno|cafeteira|calca|calcado|calcinha|caixa de som|caixinha|calcula\w+|cama|camera|camisa|camiseta|camisola|caneca|caneta|capa|capacete|capinha|carregador|"
    r"carrinho|carteira|casaco|celular|chaleira|chapeu|chinelo|churrasqueira|chuteira|chuveiro|cinto|climatizador|cobertor|colar|colcha|colchao|comoda|computador|"
    r"console|controle|copo|cooktop|cortina|creme|cueca|cuia|edredom|escada|escova|escrivaninha|espelho|estante|esteira|estojo|faca|faqueiro|ferro|fogao|fone|"
    r"forno|frigideira|fritadeira|fronha|furadeira|garrafa|geladeira|grelha|guarda.?roupa|guarda.?chuva|haltere|headset|impressora|jaqueta|jarra|jogo de \w+|"
    r"kit|lampada|lancheira|lavadora|lava.?loucas|lencol|lenco|legging|liquidificador|livro|lixeira|lustre|luminaria|luva|macacao|maio|mala|maquiagem|maquina de \w+|"
    r"maquininha|martelo|meia|mesa|micro.?ondas|microfone|mixer|mochila|moletom|monitor|mouse|notebook|oculos|panela|pantufa|papel de parede|parafusadeira|patinete|"
    r"pelucia|pendrive|perfume|persiana|piscina|pijama|pneu|poltrona|potes?|prancha|prateleira|prato|processador|pulseira|puff|quadro|quebra.?cabeca|racao|rack|radio|"
    r"regata|relogio|roupa|roteador|sabonete|saia|sandalia|sanduicheira|sapateira|sapatilha|sapato|secador|serum|shampoo|short|smartwatch|sofa|sueter|suporte|"
    r"sutia|tablado|tablet|talher|tapete|teclado|telefone sem fio|televisao|televisor|tv|tenda|tenis|terno|tesoura|toalha|torneira|torradeira|travesseiro|"
    r"umidificador|vaso|vassoura|ventilador|vestido|violao|videogame|xale|xampu|xicara"
)  # fmt: skip

_PRODUCTS_EN = (
    r"backpack|bag|bed|belt|bike|blanket|blender|book|boots?|bracelet|camera|chair|charger|coat|couch|curtain|desk|dress|earbuds|earphones|fan|fridge|glasses|gloves|"
    r"hat|headphones|hoodie|jacket|jeans|kettle|keyboard|lamp|laptop|mattress|mirror|mixer|mug|necklace|pan|pants|phone|pillow|purse|ring|rug|sandals|scarf|shirt|shoes?|"
    r"shorts|skirt|sneakers|socks|sofa|suitcase|sunglasses|sweater|table|toy|tshirt|vacuum|wallet|watch"
)  # fmt: skip


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the concepts with their compiled patterns; compiled at the first use."""
    concepts = {
        **_CONCEPTS,
        "company": _OTHER_COMPANIES,
        "product": rf"(?:produto|product|{_PRODUCTS}|{_PRODUCTS_EN})s?\b",
    }
    return tuple((name, re.compile(rf"(?<!\w)(?:{pattern})")) for name, pattern in concepts.items())


@lru_cache(maxsize=8192)
def stand_in(word: str) -> str | None:
    """Return "produto" or "product" for a word that names goods, None for any other: what was bought decides nothing."""
    folded = fold(word)
    for kind, goods in (("produto", _PRODUCTS), ("product", _PRODUCTS_EN)):
        if re.fullmatch(rf"(?:{goods})s?", folded):
            return kind
    return None


_NEGATION = re.compile(r"(?:^|\W)(?:nao|n|nem|nunca|sem|not|never|[a-z]{2,5}n't|without)(?:\W+\w+){0,2}\W*$")


def concepts(folded: str) -> list[str]:
    """Return the concepts of a folded text in the order in which they are named, a negated one with "!" before it."""
    found: list[tuple[int, str]] = []
    for name, pattern in patterns():
        match = pattern.search(folded)
        if match is not None:
            negated = _NEGATION.search(folded[max(0, match.start() - 24) : match.start()])
            found.append((match.start(), f"!{name}" if negated else name))
    return [name for _, name in sorted(found)]
