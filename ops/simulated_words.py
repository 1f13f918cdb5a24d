"""What people and specialists say in a simulated month. Invented, and the same few sentences over and over."""

ANSWERS = (
    "Conferi aqui: está tudo certo com o seu pedido, e o prazo continua o mesmo.",
    "Encontrei o registro. A solicitação está em andamento e você recebe o aviso por e-mail.",
    "Já está resolvido por aqui. Qualquer mudança, a gente te avisa.",
)
QUESTIONS = (
    "Você consegue me dizer o número do pedido?",
    "É sobre a compra mais recente, ou sobre outra?",
)
REFUSALS = (
    "Esse prazo já passou, então não consigo abrir a solicitação. Posso pedir que uma pessoa revise.",
    "Não encontrei esse pedido na sua conta, por isso não posso seguir com ele.",
)
PICKS = ("é sobre {topic}", "{topic}", "o primeiro: {topic}")
WANTS_PERSON = ("quero falar com um atendente", "me passa pra uma pessoa, por favor", "prefiro falar com alguém")
SOLVED = ("não precisa mais, já resolvi", "pode cancelar, deu certo aqui")
OPERATOR_SAYS = (
    "Oi! Já vi o seu caso e cuidei dele. Fica tudo registrado por aqui.",
    "Olá, assumi o atendimento. Está resolvido, e o protocolo segue valendo.",
)
THANKS = ("obrigada!", "valeu", "brigado, era isso")
CALLED = ("Claro! Uma pessoa da equipe continua por aqui, assim que puder.",)
