"""Everyday words of Portuguese and English that are never a value by themselves (flat: lower case, no accents)."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


COURTESY = _words(
    "oi ola oie opa eai bom boa dia tarde noite obrigado obrigada obg obgd valeu vlw brigado brigada tchau ate logo beleza blz "
    "certo ok okay okey ta tudo bem bem sim nao claro perfeito otimo isso aham uhum show legal entendi combinado pronto "
    "hi hello hey hai good morning afternoon evening night thanks thank thx you bye goodbye yes yeah yep yup no nope nah sure "
    "fine great perfect alright right cool nice correct please pls plz welcome por favor pfv pf sorry desculpa desculpe nothing nada "
    "anything else very much so well done enough well ma'am sir mam day have much appreciate it's that's thats its"
)
NARRATIVE = _words(
    "i i'm im i'd i've i'll we we're he she they my me our us quero queria preciso gostaria meu minha meus minhas eu nos me "
    "cade onde quando quanto quantos qual quais como porque por que quem esta estou estao tem tenho tinha foi fui vou vai vamos "
    "posso pode poderia consegue consigo comprei paguei recebi chegou veio fiz faz fazer devolver trocar cancelar saber ver "
    "want need would like could can may might should will do does did don't doesn't didn't is are was were am be been have has had "
    "what where when why how who which there here tell give show find help looking look search get got make know think want "
    "please let try see going go went want wanted needs bought paid received ordered return exchange cancel check reach "
    "moro errei esqueci acho queria deu disse falei quebrou pedi mandei mande manda veja confirma confirmo problem issue wrong lost stolen update change"
)
COMMON = (
    COURTESY
    | NARRATIVE
    | _words(
        "a o as os um uma uns umas e ou mas se de do da dos das em no na nos nas com sem para pra pro por pelo pela ao aos "
        "que esse essa isso este esta isto aquele aquela ele ela eles elas seu sua seus suas ja ainda mais menos muito muita so tambem "
        "agora aqui ali la entao pois assim mesmo mesma outro outra outros outras algum alguma nenhum nenhuma cada todo toda todos todas "
        "sou era ser seria sera e eh ta to tava num numa nessa nesse desse dessa alias tipo acho mim voce voces vc vcs te lhe "
        "pedido pedidos compra produto codigo cliente "
        "the an and or but if of to in on at by with without for from as into about around near than then that this these those it "
        "its your yours his her their also too just only even still again some any all both each other another one ones such "
        "actually oh um uh hmm yep maybe perhaps really sounds sound works work instead now later soon ok okay number order account "
        "email e-mail phone zip code address city name im i'm that's it's i'll i'd let's lets could would"
    )
)
