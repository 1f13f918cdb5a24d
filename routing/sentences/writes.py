"""What is said about actions: proposed, changed meanwhile, done before, or not possible now."""

PT = {
    "confirm": "Só para confirmar: {summary}. Posso fazer?",
    "confirm_again": "Antes de continuar: ainda está esperando a sua confirmação para {summary}. Posso fazer?",
    "dropped": "Certo, não vou fazer: {summary}.",
    "done": "Feito: {summary}. Protocolo {protocol}.",
    "changed": "Os dados mudaram desde que perguntei, então não fiz nada ({summary}). Quer que eu veja de novo?",
    "expired": "Essa confirmação já tinha expirado, então não fiz nada ({summary}). Quer que eu prepare de novo?",
    "denied_not_owned": "Essa ferramenta não é deste atendimento. Se o assunto não é seu, diga de quem é.",
    "denied_not_granted": "Este atendimento não pode fazer isso para este cliente. Ofereça uma pessoa da equipe.",
    "denied_identity": "A identidade do cliente ainda não foi comprovada para isso. Peça a comprovação ou ofereça uma pessoa.",
    "denied_posture": "Este atendimento orienta, mas não executa. Explique o caminho ou ofereça uma pessoa.",
    "denied_waiting": "Enquanto uma pessoa da equipe não assume, só é possível consultar. Anote o pedido para ela.",
    "not_granted": "Esse atendimento não pode fazer isso por aqui.",
    "already_done": "Isso já está registrado, protocolo {protocol}.",
    "shop_down": "O sistema de pedidos não respondeu agora. Não fiz nada; tente de novo em alguns minutos.",
}

EN = {
    "confirm": "Just to confirm: {summary}. Shall I go ahead?",
    "confirm_again": "Before we go on: I am still waiting for your yes to {summary}. Shall I go ahead?",
    "dropped": "All right, I will not do it: {summary}.",
    "done": "Done: {summary}. Reference {protocol}.",
    "changed": "The data changed since I asked, so I did nothing ({summary}). Shall I look at it again?",
    "expired": "That confirmation had expired, so I did nothing ({summary}). Shall I prepare it again?",
    "denied_not_owned": "That tool is not this desk's. If the subject is not yours, say whose it is.",
    "denied_not_granted": "This desk cannot do that for this customer. Offer a person from the team.",
    "denied_identity": "The customer's identity is not proved for that yet. Ask for the proof, or offer a person.",
    "denied_posture": "This desk advises and does not execute. Explain the way, or offer a person.",
    "denied_waiting": "Until someone from the team takes over, only looking up is possible. Note the request for them.",
    "not_granted": "This desk cannot do that here.",
    "already_done": "That is already on record, reference {protocol}.",
    "shop_down": "The order system did not answer just now. I did nothing; please try again in a few minutes.",
}
