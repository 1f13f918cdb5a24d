// The page: every text is set as text, never as HTML; nothing is loaded from anywhere.

export class View {
  constructor(element, words, title) {
    this.words = words;
    element.classList.add("bastao");
    element.innerHTML = `
      <header><h2></h2><p hidden></p></header>
      <div role="log" aria-live="polite" tabindex="0"></div>
      <form>
        <div class="attached" hidden><span></span><button type="button"></button></div>
        <label class="photo"><svg aria-hidden="true" viewBox="0 0 24 24" width="22" height="22" fill="none" stroke="currentColor" stroke-width="1.8"><path d="M4 8h3l2-3h6l2 3h3v11H4z"/><circle cx="12" cy="13" r="3.5"/></svg><input type="file" accept="image/*"></label>
        <textarea rows="1" maxlength="8000"></textarea>
        <button class="send" type="submit"></button>
        <button class="stop" type="button" hidden></button>
      </form>`;
    const find = (selector) => element.querySelector(selector);
    Object.assign(this, {
      log: find("[role=log]"), form: find("form"), text: find("textarea"), sendButton: find(".send"), stopButton: find(".stop"),
      photo: find("input[type=file]"), attached: find(".attached"), about: find("header p"),
    });
    find("h2").textContent = title;
    this.log.setAttribute("aria-label", words.history);
    this.text.placeholder = words.message;
    this.text.setAttribute("aria-label", words.placeholder);
    this.photo.setAttribute("aria-label", words.photo);
    this.sendButton.textContent = words.send;
    this.stopButton.textContent = words.stop;
    this.attached.querySelector("button").textContent = words.remove;
    this.#listen();
  }

  #listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    });
    this.text.addEventListener("input", () => {
      this.text.style.height = "auto";
      this.text.style.height = `${this.text.scrollHeight}px`;
    });
    this.form.addEventListener("keydown", (event) => event.key === "Escape" && this.working && this.onStop());
    this.stopButton.addEventListener("click", () => this.onStop());
    this.photo.addEventListener("change", () => this.#attach());
    this.attached.querySelector("button").addEventListener("click", () => {
      this.photo.value = "";
      this.#attach();
      this.text.focus();
    });
  }

  #attach() {
    const file = this.photo.files[0];
    this.attached.hidden = !file;
    this.attached.querySelector("span").textContent = file ? this.words.attached(file.name) : "";
  }

  #submit() {
    const [text, photo] = [this.text.value, this.photo.files[0]];
    if (this.working || !(text.trim() || photo)) return;
    this.text.value = "";
    this.text.style.height = "auto";
    this.photo.value = "";
    this.#attach();
    this.onSend(text, photo);
  }

  ready() {
    if (!this.log.childElementCount) this.note(this.words.empty).classList.add("empty");
  }

  busy(working) {
    this.working = working;
    this.sendButton.hidden = working;
    this.stopButton.hidden = !working;
    this.log.setAttribute("aria-busy", String(working));
    if (!working) {
      this.status("");
      this.writing = null;
      this.text.focus();
    }
  }

  customer(text, photo) {
    this.#clear(".empty, .answers, .failed");
    const line = this.line("customer", text);
    if (!photo) return;
    const image = document.createElement("img");
    image.alt = this.words.attached(photo.name);
    image.src = URL.createObjectURL(photo);
    image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
    line.prepend(image);
  }

  line(role, text, who = null) {
    const line = this.#add("div", `line ${role === "customer" ? "customer" : role === "operator" ? "person" : "agent"}`);
    if (who) line.append(Object.assign(document.createElement("span"), { className: "who", textContent: who }));
    line.append(text);
    this.#down();
    return line;
  }

  token(text) {
    this.status("");
    this.writing ??= this.line("agent", "");
    this.writing.append(text);
    this.#down();
  }

  reply(text, label) {
    this.status("");
    this.writing?.remove();
    this.writing = null;
    this.line("agent", text, label);
  }

  note(text) {
    const note = this.#add("p", "note", text);
    this.#down();
    return note;
  }

  status(text) {
    this.#clear(".status");
    if (text) this.note(text).classList.add("status");
  }

  simulated(text) {
    this.about.textContent = text;
    this.about.hidden = !text;
  }

  ask(answers, choose) {
    const row = this.#add("div", "answers");
    for (const answer of answers) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: answer });
      button.addEventListener("click", () => !this.working && choose(answer));
      row.append(button);
    }
    this.pending = row;
  }

  failed(text, again) {
    this.#clear(".failed");
    const box = this.#add("div", "failed", `${text} `);
    box.setAttribute("role", "alert");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: this.words.retry });
    button.addEventListener("click", () => {
      box.remove();
      again();
    });
    box.append(button);
    this.#down();
  }

  #add(tag, className, text = "") {
    const made = Object.assign(document.createElement(tag), { className, textContent: text });
    this.log.append(made);
    if (this.pending && className !== "answers") this.log.append(this.pending);
    return made;
  }

  #clear(selector) {
    for (const found of this.log.querySelectorAll(selector)) found.remove();
    if (this.pending && !this.pending.isConnected) this.pending = null;
  }

  #down() {
    this.log.scrollTop = this.log.scrollHeight;
  }
}
