// What the widget itself says; everything else comes from the shop.
export const WORDS = {
  pt: {
    placeholder: "Escreva sua mensagem", message: "Mensagem", send: "Enviar", stop: "Parar", photo: "Anexar foto", remove: "Tirar a foto",
    you: "Você", history: "Conversa", person: "Atendente", thinking: "Pensando…", working: (label) => `${label} está vendo isso…`,
    passed: (label) => `Sua conversa passou para ${label}, com o que você já contou.`, yes: "Sim", no: "Não", retry: "Tentar de novo",
    offline: "Sem conexão. Sua mensagem está guardada; tentando de novo…", refused: "Não consegui enviar agora.",
    interrupted: "Resposta interrompida.", attached: (name) => `Foto: ${name}`, empty: "Conte o que houve com seu pedido. Pode escrever do seu jeito.",
    simulated: "Demonstração: respostas de um modelo offline.",
  },
  en: {
    placeholder: "Write your message", message: "Message", send: "Send", stop: "Stop", photo: "Attach a photo", remove: "Remove the photo",
    you: "You", history: "Conversation", person: "Agent", thinking: "Thinking…", working: (label) => `${label} is looking into it…`,
    passed: (label) => `Your conversation went to ${label}, with what you have already told us.`, yes: "Yes", no: "No", retry: "Try again",
    offline: "No connection. Your message is kept; trying again…", refused: "I could not send that now.",
    interrupted: "Answer stopped.", attached: (name) => `Photo: ${name}`, empty: "Tell us what happened with your order, in your own words.",
    simulated: "Demo: answers of an offline model.",
  },
};
