"""What is said by the turn itself: courtesy, clarification, sensitive topics, waiting and trouble."""

PT: dict[str, str] = {
    # Courtesy
    "greeting": "Oi! Tudo bem? Posso te ajudar com trocas e devoluções, entregas, pagamentos e reembolsos. Me conta o que aconteceu?",
    "thanks": "Imagina! Se precisar de mais alguma coisa, é só chamar.",
    "goodbye": "Até mais! Quando precisar, estou por aqui.",
    "acknowledgement": "Combinado! Se surgir mais alguma dúvida sobre a sua compra, me chama.",
    "out_of_scope": "Isso eu não consigo resolver por aqui, mas posso te ajudar com compras que você já fez: troca ou devolução, "
    "entrega, pagamento, reembolso. Tem algo assim que eu possa ver pra você?",
    # Clarification: two likely subjects, one, none. A wording for each time it is asked
    "clarify_two_1": "Quero te ajudar do jeito certo: é sobre {first} ou sobre {second}?",
    "clarify_two_2": "Deixa eu ver se entendi: o que você precisa tem mais a ver com {first} ou com {second}?",
    "clarify_two_3": "Ainda fiquei em dúvida. O assunto é {first}, ou seria {second}?",
    "clarify_two_4": "Só pra não te responder errado: o assunto é {first}, ou é {second}?",
    "clarify_one_1": "Quero te ajudar do jeito certo: é sobre {first}, ou é outro assunto?",
    "clarify_one_2": "Deixa eu ver se entendi: tem a ver com {first}, ou é outra coisa?",
    "clarify_one_3": "Ainda fiquei em dúvida. O assunto é {first}, ou é outro?",
    "clarify_one_4": "Só pra não te responder errado: seria {first}, ou algo diferente?",
    "clarify_open_1": "Tá bom! Me conta com as suas palavras o que aconteceu com a sua compra?",
    "clarify_open_2": "Pode me dar um pouco mais de detalhe? O que houve, e com qual pedido?",
    "clarify_open_3": "Ainda não peguei o ponto. O que você gostaria que a gente resolvesse pra você?",
    "clarify_open_4": "Me ajuda a entender: o que aconteceu desde que você fez a compra?",
    "clarify_person": "Acho que não estou conseguindo te entender bem, desculpa. Quer que eu chame uma pessoa da equipe pra falar com você?",
    "clarify_person_again": "Ainda não consegui entender, e não quero te fazer repetir tudo. Posso chamar uma pessoa da equipe?",
    "clarify_person_upset": "Sinto muito por essa situação. Quer que eu chame uma pessoa da equipe pra cuidar disso com você?",
    "clarify_person_upset_again": "Entendo a sua chateação, e você tem razão em querer uma solução. Posso chamar uma pessoa da equipe agora?",
    "option_other": "outro assunto",
    "option_person": "falar com uma pessoa",
    # Sensitive topics
    "sensitive_self_harm": "Sinto muito que você esteja passando por isso. Você não precisa enfrentar sozinho: o CVV atende de graça, 24 horas, "
    "pelo telefone 188 ou em cvv.org.br. Se houver perigo agora, ligue para o SAMU, 192. Já chamei uma pessoa da nossa equipe para falar com você.",
    "sensitive_safety": "Sinto muito, a sua segurança vem primeiro. Se alguém se machucou ou está em perigo, ligue agora para o SAMU (192), os bombeiros (193) "
    "ou a polícia (190). Se foi um produto, pare de usar e deixe fora da tomada. Já chamei uma pessoa da nossa equipe para cuidar disso com prioridade.",
    "sensitive_fraud": "Obrigado por avisar, vamos tratar isso com cuidado. Uma pessoa da nossa equipe vai analisar o caso. Enquanto isso, fale com o seu banco "
    "para bloquear o cartão ou contestar o pagamento, e não passe senhas nem códigos para ninguém, nem para nós.",
    "sensitive_legal_threat": "Entendo, e quero que isso seja resolvido. Passei o seu caso para uma pessoa da nossa equipe, que vai olhar tudo e te responder por aqui.",
    "sensitive_data_request": "Recebi o seu pedido sobre os seus dados pessoais. Pela LGPD você tem esse direito, e quem cuida disso é uma pessoa da nossa equipe: "
    "ela vai confirmar a sua identidade e te responder por aqui.",
    "sensitive_minor": "Obrigado por contar. Quando há um menor de idade na compra, quem cuida é uma pessoa da nossa equipe, junto com o responsável. "
    "Já passei o seu caso pra ela.",
    "sensitive_other": "Esse assunto precisa do cuidado de uma pessoa da nossa equipe. Já passei o seu caso pra ela.",
    # People and waiting
    "asked_for_person": "Claro! Já pedi pra uma pessoa da equipe falar com você. Enquanto isso, me conta o número do pedido e o motivo? Assim ela já chega sabendo.",
    "waiting": "Seu atendimento está na fila de uma pessoa da equipe (protocolo {protocol}), com resposta prevista {when}. Enquanto isso, posso consultar outras coisas pra você.",
    "held": "Sua mensagem foi entregue pra pessoa da equipe que está cuidando do seu caso.",
    "unavailable": "Estou com uma instabilidade agora e não quero te responder no escuro. A sua mensagem está guardada: tenta de novo em alguns minutos?",
    "fallback": "Me conta um pouco mais sobre o que aconteceu, pra eu ver direitinho?",
    "apology": "Desculpa, algo deu errado do nosso lado. A sua mensagem está guardada e a equipe foi avisada. Protocolo {protocol}.",
    "busy": "Ainda estou respondendo a sua mensagem anterior. Já, já eu vejo esta.",
    "next_topic": "Sobre “{topic}”: já vejo na sequência.",
}
EN: dict[str, str] = {
    "greeting": "Hi! How are you? I can help with returns and exchanges, deliveries, payments and refunds. What happened?",
    "thanks": "You're welcome! If you need anything else, just write.",
    "goodbye": "See you! I'm here whenever you need me.",
    "acknowledgement": "Great! If anything else comes up about your purchase, let me know.",
    "out_of_scope": "I can't help with that here, but I can with purchases you already made: a return or exchange, a delivery, a payment, a refund. "
    "Is there something like that I can look into for you?",
    "clarify_two_1": "I want to get this right for you: is it about {first} or about {second}?",
    "clarify_two_2": "Let me see if I understood: is what you need closer to {first} or to {second}?",
    "clarify_two_3": "I'm still not sure. Do you mean {first}, or would it be {second}?",
    "clarify_two_4": "Just so I don't answer the wrong thing: are we talking about {first} or {second}?",
    "clarify_one_1": "I want to get this right for you: is it about {first}, or something else?",
    "clarify_one_2": "Let me see if I understood: does it have to do with {first}, or is it another matter?",
    "clarify_one_3": "I'm still not sure. Do you mean {first}, or a different subject?",
    "clarify_one_4": "Just so I don't answer the wrong thing: are we talking about {first} or something different?",
    "clarify_open_1": "Sure! Tell me in your own words: what happened with your purchase?",
    "clarify_open_2": "Could you give me a little more detail? What went wrong, and with which order?",
    "clarify_open_3": "I still haven't got the point. What would you like us to sort out for you?",
    "clarify_open_4": "Help me understand: what has happened since you bought it?",
    "clarify_person": "I don't think I'm understanding you well, sorry. Shall I call someone from the team to talk to you?",
    "clarify_person_again": "I still couldn't understand, and I don't want you to repeat everything. May I call someone from the team?",
    "clarify_person_upset": "I'm really sorry about this. Shall I call someone from the team to take care of it with you?",
    "clarify_person_upset_again": "I understand you're upset, and you're right to want this solved. May I call someone from the team now?",
    "option_other": "something else",
    "option_person": "talk to a person",
    "sensitive_self_harm": "I'm so sorry you are going through this. You don't have to face it alone: in Brazil, CVV answers free of charge, 24 hours a day, "
    "on 188 or at cvv.org.br. If there is danger right now, call SAMU on 192. I have called a person from our team to talk to you.",
    "sensitive_safety": "I'm sorry, your safety comes first. If someone is hurt or in danger, call SAMU (192), the fire brigade (193) or the police (190) now. "
    "If it was a product, stop using it and keep it unplugged. I have called a person from our team to handle this with priority.",
    "sensitive_fraud": "Thank you for telling us, we will handle this with care. A person from our team will look into it. Meanwhile, ask your bank "
    "to block the card or dispute the payment, and give passwords or codes to nobody, not even to us.",
    "sensitive_legal_threat": "I understand, and I want this to be solved. I passed your case to a person from our team, who will look at everything and answer you here.",
    "sensitive_data_request": "I received your request about your personal data. You have that right by law (LGPD), and a person from our team takes care of it: "
    "they will confirm your identity and answer you here.",
    "sensitive_minor": "Thank you for telling me. When a minor is involved in a purchase, a person from our team takes care of it, together with the guardian. "
    "I have passed your case to them.",
    "sensitive_other": "This needs the care of a person from our team. I have passed your case to them.",
    "asked_for_person": "Of course! I asked for someone from the team to talk to you. Meanwhile, could you tell me the order number and the reason? Then they arrive prepared.",
    "waiting": "Your case is in the queue for a person from the team (reference {protocol}), with an answer expected {when}. Meanwhile I can look up other things for you.",
    "held": "Your message was delivered to the person from the team who is taking care of your case.",
    "unavailable": "I'm having a hiccup right now and don't want to answer blindly. Your message is kept: could you try again in a few minutes?",
    "fallback": "Could you tell me a little more about what happened, so that I can check properly?",
    "apology": "Sorry, something went wrong on our side. Your message is kept and the team has been told. Reference {protocol}.",
    "busy": "I'm still answering your previous message. I'll get to this one right away.",
    "next_topic": "About “{topic}”: I'll look at that next.",
}
