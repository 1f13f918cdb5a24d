// An embeddable chat for Bastão's API: no dependency, no build. `mount(element, options)`; see README.md.
import { Client, Refused } from "./client.js";
import { View } from "./view.js";
import { WORDS } from "./words.js";

const POLL_MS = 4000;
const RETRY_MS = 2000;
const RETRIES = 30;

// options: api, token or (demo) customer, lang "pt" | "en", title, upload(file) -> a reference into the shop's own store.
export function mount(element, options) {
  const words = WORDS[options.lang === "en" ? "en" : "pt"];
  const chat = new Chat(new Client(options), new View(element, words, options.title ?? ""), words, options);
  chat.start();
  return chat;
}

class Chat {
  constructor(client, view, words, options) {
    Object.assign(this, { client, view, words, upload: options.upload, lastSeq: 0, busy: false, seen: new Set() });
    this.key = `bastao:${options.api}:${options.customer ?? "token"}`;
    this.id = sessionStorage.getItem(this.key);
    view.onSend = (text, photo) => this.say(text, photo);
    view.onStop = () => this.id && this.client.stop(this.id).catch(() => {});
  }

  async start() {
    if (this.id) await this.catchUp().catch((problem) => this.forget(problem));
    this.view.ready();
    this.timer = setInterval(() => this.id && !this.busy && !document.hidden && this.catchUp().catch(() => {}), POLL_MS);
  }

  close() {
    clearInterval(this.timer);
  }

  // A conversation that is not there any more, or not this customer's, is not opened again.
  forget(problem) {
    if (problem instanceof Refused && [403, 404].includes(problem.status)) {
      sessionStorage.removeItem(this.key);
      this.id = null;
    }
  }

  async say(text, photo) {
    if (this.busy || !(text.trim() || photo)) return;
    const message = { message_id: `w-${crypto.randomUUID()}`, parts: [] };
    if (photo) message.parts.push({ type: "image", ref: await this.reference(photo), name: photo.name });
    if (text.trim()) message.parts.push({ type: "text", text });
    this.view.customer(text, photo);
    await this.deliver(message);
  }

  // Where the shop gives no `upload`, the photo stays on this device and only its name travels.
  async reference(photo) {
    return this.upload ? this.upload(photo) : `device/${crypto.randomUUID()}/${photo.name}`;
  }

  async deliver(message) {
    this.busy = true;
    this.view.busy(true);
    try {
      for (let tried = 0; ; tried += 1) {
        try {
          return await this.once(message);
        } catch (problem) {
          const lost = !(problem instanceof Refused) || problem.status === 503 || problem.status === 409;
          if (!lost || tried === RETRIES) return this.view.failed(this.words.refused, () => this.deliver(message));
          this.view.status(this.words.offline);
          await new Promise((next) => setTimeout(next, RETRY_MS));
        }
      }
    } finally {
      this.busy = false;
      this.view.busy(false);
    }
  }

  async once(message) {
    if (!this.id) {
      this.id = (await this.client.create()).conversation_id;
      sessionStorage.setItem(this.key, this.id);
    }
    this.seen.add(message.message_id);
    let over = false;
    for await (const event of this.client.send(this.id, message)) {
      this.draw(event, message);
      over ||= event.type === "done" || event.type === "error";
    }
    if (!over) throw new Error("the stream broke off");
    await this.catchUp();
  }

  draw(event, message) {
    const { view, words } = this;
    switch (event.type) {
      case "status": return view.status(event.label ? words.working(event.label) : words.thinking);
      case "handoff": return view.note(words.passed(event.to_label ?? event.to_agent));
      case "token": return view.token(event.text);
      case "confirmation": return view.ask([words.yes, words.no], (answer) => this.say(answer));
      case "error": return view.failed(event.text, () => this.deliver(message));
      case "reply":
        this.seen.add(event.message_id);
        return view.reply(event.text, event.label);
      case "done":
        if (event.status === "interrupted") view.note(words.interrupted);
        return view.simulated(event.simulated ? words.simulated : "");
      default: return undefined;
    }
  }

  // Show what was written meanwhile, by a person or in another tab; what is on screen already is not drawn again.
  async catchUp() {
    const { messages } = await this.client.history(this.id, this.lastSeq);
    for (const line of messages) {
      this.lastSeq = Math.max(this.lastSeq, line.seq);
      if (this.seen.has(line.message_id)) continue;
      this.seen.add(line.message_id);
      const names = line.parts.filter((part) => part.type !== "text").map((part) => this.words.attached(part.name ?? part.ref));
      const text = [...names, line.text].filter(Boolean).join("\n");
      if (line.role === "system") this.view.note(text);
      else this.view.line(line.role, text, line.role === "operator" ? this.words.person : null);
    }
  }
}
