"""What the customer is told about people: called, waiting, taken over, handed back; reviews and callbacks."""

PT: dict[str, str] = {
    "soon": "em alguns minutos",
    "at": "a partir de {when}",
    "some_time": "assim que alguém da equipe estiver disponível",
    "answers": "A resposta vem por aqui, {when}.",
    "asked_person": "Claro, já chamei uma pessoa da equipe: ela responde por aqui {when}. Protocolo {protocol}. "
    "Para adiantar, me diga o número do pedido e o que aconteceu.",
    "asked_person_known": "Claro, já chamei uma pessoa da equipe: ela responde por aqui {when}, e já tem o que você me contou. "
    "Protocolo {protocol}.",
    "queued": "Passei a conversa para uma pessoa da equipe {who}, que responde por aqui {when}. Protocolo {protocol}.",
    "queued_closed": "A equipe não está atendendo agora, mas seu caso está guardado: uma pessoa responde por aqui {when}. Protocolo {protocol}.",
    "already_queued": "Seu caso já está com a equipe, protocolo {protocol}: uma pessoa responde por aqui {when}. "
    "Enquanto isso, posso consultar outras coisas para você.",
    "waiting_read_only": "Até uma pessoa da equipe assumir o protocolo {protocol}, só consigo consultar, sem alterar nada. "
    "Anotei o pedido para ela.",
    "added": "Anotei isso no protocolo {protocol}, para a pessoa que vai te atender.",
    "withdrawn": "Como já ficou resolvido, retirei o protocolo {protocol} da fila. Se quiser uma pessoa, é só pedir.",
    "claimed": "{who} assumiu a conversa e continua com você a partir daqui.",
    "forwarded": "Sua mensagem foi para a pessoa da equipe que está te atendendo.",
    "handed_back": "Voltei a te atender por aqui, e vi o que vocês conversaram. Como posso ajudar?",
    "happened": "A equipe conferiu na loja: o que você pediu foi registrado. Protocolo {protocol}. Se precisar de mais alguma coisa, é só escrever.",
    "did_not_happen": "A equipe conferiu na loja: o que você pediu não foi registrado, e nada mudou. Protocolo {protocol}. Se ainda quiser, é só pedir de novo.",
    "resolved": "A equipe encerrou o protocolo {protocol}. Se precisar de mais alguma coisa, é só escrever.",
    "review_opened": "Abri uma análise do seu caso por uma pessoa da equipe. Protocolo {protocol}.",
    "callback_promised": "Uma pessoa da equipe te retorna até {due}. Protocolo {protocol}.",
    "callback_undated": "Uma pessoa da equipe vai te retornar. Protocolo {protocol}.",
    "offer": "Se preferir, posso chamar uma pessoa da equipe.",
    "operator_review": "Pedi à equipe para aprovar: {summary}. Nada muda antes disso. Protocolo {protocol}.",
    "approved": "A equipe aprovou: {summary}. Protocolo {protocol}.",
    "rejected": "A equipe não aprovou: {summary}. Nada foi alterado.",
    "nobody": "Não há ninguém da equipe neste momento. Seu caso está guardado, protocolo {protocol}, e será visto {when}.",
    "released": "A pessoa que estava com você precisou sair. Seu caso voltou para a fila da equipe, protocolo {protocol}: a resposta vem por aqui, {when}. "
    "Enquanto isso, posso consultar outras coisas para você.",
    "callback_due": "Este é o retorno que prometemos: {text}",
}
EN: dict[str, str] = {
    "soon": "in a few minutes",
    "at": "from {when}",
    "some_time": "as soon as somebody from the team is available",
    "answers": "The answer comes here, {when}.",
    "asked_person": "Of course, I have called someone from the team: they will answer here {when}. Reference {protocol}. "
    "To save you time, tell me the order number and what happened.",
    "asked_person_known": "Of course, I have called someone from the team: they will answer here {when}, and they have what you told me. "
    "Reference {protocol}.",
    "queued": "I passed the conversation on to a person from the {who} team, who will answer here {when}. Reference {protocol}.",
    "queued_closed": "The team is away at the moment, but your case is kept: a person will answer here {when}. Reference {protocol}.",
    "already_queued": "Your case is already with the team, reference {protocol}: a person will answer here {when}. "
    "Meanwhile I can look up other things for you.",
    "waiting_read_only": "Until someone from the team takes up {protocol}, I can only look things up and change nothing. "
    "I noted your request for them.",
    "added": "I noted that under {protocol}, for the person who will help you.",
    "withdrawn": "Since that is solved, I took {protocol} out of the queue. If you want a person, just ask.",
    "claimed": "{who} has taken over and continues with you from here.",
    "forwarded": "Your message went to the person from the team who is helping you.",
    "handed_back": "I am back with you, and I saw what you two discussed. How can I help?",
    "happened": "The team checked with the shop: what you asked for was recorded. Reference {protocol}. If you need anything else, just write.",
    "did_not_happen": "The team checked with the shop: what you asked for was not recorded, and nothing changed. Reference {protocol}. If you still want it, just ask again.",
    "resolved": "The team closed {protocol}. If you need anything else, just write.",
    "review_opened": "I opened a review of your case by a person from the team. Reference {protocol}.",
    "callback_promised": "Someone from the team will get back to you by {due}. Reference {protocol}.",
    "callback_undated": "Someone from the team will get back to you. Reference {protocol}.",
    "offer": "If you prefer, I can call a person from the team.",
    "operator_review": "I asked the team to approve: {summary}. Nothing changes before that. Reference {protocol}.",
    "approved": "The team approved: {summary}. Reference {protocol}.",
    "rejected": "The team did not approve: {summary}. Nothing was changed.",
    "nobody": "Nobody from the team is here right now. Your case is kept, reference {protocol}, and will be seen {when}.",
    "released": "The person who was with you had to leave. Your case is back in the team's queue, reference {protocol}: the answer comes here, {when}. "
    "Meanwhile I can look up other things for you.",
    "callback_due": "This is the answer that we promised: {text}",
}
