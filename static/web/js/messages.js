/* What instructors write to a learner during an attempt: shown at once, in sight until it is called
   read, and said once in this tab, also what came between two pages. */

export class Messages {
  #said; // the number of the latest that a voice has said
  #read; // and of the latest that was called read

  constructor(section) {
    this.section = section;
    this.list = section.querySelector("[data-messages-list]");
    this.voice = document.querySelector("[data-messages-voice]");
    this.button = section.querySelector("[data-messages-read]");
    const attempt = section.dataset.messages;
    this.#said = `messages-said-${attempt}`;
    this.#read = `messages-read-${attempt}`;
    this.button.addEventListener("click", () => this.#markRead());
    this.#follow();
  }

  /* Show the messages that the server has rendered; none is "". */
  show(html) {
    const items = new DOMParser().parseFromString(html || "", "text/html").body.children;
    if (items.length === this.list.children.length) return;
    this.list.replaceChildren(...items);
    this.#follow();
  }

  #follow() {
    const latest = this.#latest;
    this.section.hidden = !latest;
    this.#say(this.#listAfter(this.#said));
    sessionStorage.setItem(this.#said, latest);
    const isUnread = this.#listAfter(this.#read).length > 0;
    this.section.toggleAttribute("data-unread", isUnread);
    this.button.hidden = !isUnread;
  }

  #say(items) {
    if (!items.length) return;
    const texts = items.map((item) => item.querySelector(".message-text").innerText);
    this.voice.textContent = [this.voice.dataset.words, ...texts].join(" ");
  }

  #markRead() {
    sessionStorage.setItem(this.#read, this.#latest);
    this.#follow();
    document.getElementById("main").focus({ preventScroll: true });
  }

  get #latest() {
    return Number(this.list.lastElementChild?.dataset.message ?? 0);
  }

  #listAfter(name) {
    const number = Number(sessionStorage.getItem(name) ?? 0);
    return [...this.list.children].filter((item) => Number(item.dataset.message) > number);
  }
}
