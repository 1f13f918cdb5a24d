// The API: fetch and server-sent events, nothing of the page.

export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? String(status));
    this.status = status;
    this.code = problem?.code;
  }
}

export class Client {
  // `token`: a JWT signed by the shop. `customer`: demo mode only.
  constructor({ api, token, customer }) {
    this.api = api.replace(/\/$/, "");
    this.headers = token ? { Authorization: `Bearer ${token}` } : { "X-Demo-Customer": customer };
  }

  async json(path, options = {}) {
    const answer = await this.#fetch(path, { ...options, headers: { Accept: "application/json", ...options.headers } });
    return answer.json();
  }

  create() {
    return this.json("/conversations", { method: "POST", body: JSON.stringify({ channel: "widget" }) });
  }

  history(id, after) {
    return this.json(`/conversations/${id}/messages?after=${after}`);
  }

  stop(id) {
    return this.json(`/conversations/${id}/stop`, { method: "POST" });
  }

  // Yield the turn's typed events. The same message_id again yields the stored answer, never a second one.
  async *send(id, message) {
    const answer = await this.#fetch(`/conversations/${id}/messages`, {
      method: "POST", body: JSON.stringify(message), headers: { Accept: "text/event-stream" },
    });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let held = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      held += value;
      const frames = held.split("\n\n");
      held = frames.pop();
      for (const frame of frames) {
        const data = frame.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
        if (data.length) yield JSON.parse(data.join("\n"));
      }
    }
  }

  async #fetch(path, options) {
    const answer = await fetch(this.api + path, {
      ...options, headers: { "Content-Type": "application/json", ...this.headers, ...options.headers },
    });
    if (answer.ok) return answer;
    throw new Refused(answer.status, await answer.json().catch(() => null));
  }
}
