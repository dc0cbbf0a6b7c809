/* A practised question: what is chosen or typed is kept on this device until it is checked, and a try
   goes through the outbox, so it is one try however often it is sent, and waits where there is no
   network. There the page itself is stored, too (service-worker.js). The page is complete without this:
   its form posts. */

import * as answers from "./answer-controls.js";
import { Outbox, uuid } from "./outbox.js";
import { add, retry } from "./queue.js";
import { loadDraft, removeDraft, storedSince, storeDraft } from "./stored-pages.js";
import { isAboutPerson, Sender } from "./sync.js";

const { person, csrfCookie } = document.documentElement.dataset;
const DRAFT = `${location.pathname}draft`;

class PracticePage {
  #form;
  #fieldset;
  #outbox = Outbox.of(person);
  #sender = new Sender(this.#outbox, csrfCookie);
  #writing = Promise.resolve();
  #key = ""; // of the try that is under way

  constructor(form) {
    this.#form = form;
    [this.#fieldset] = answers.listQuestions();
  }

  get #place() {
    const { saveUrl, question, tried } = this.#form.dataset;
    return { box: saveUrl, saveUrl, question, tried: Number(tried) };
  }

  async start() {
    this.#form.addEventListener("change", (event) => this.#onChange(event));
    this.#form.addEventListener("input", (event) => this.#onChange(event));
    this.#form.addEventListener("submit", (event) => this.#check(event));
    document.addEventListener("submit", (event) => this.#stay(event));
    addEventListener("online", () => this.#showOffline(false));
    this.#showOffline(Boolean(storedSince) && !navigator.onLine);
    this.#sender.addEventListener("settled", ({ detail }) => this.#onSettled(detail));
    this.#sender.addEventListener("refused", ({ detail }) => this.#onRefused(detail));
    this.#sender.addEventListener("rest", () => this.#onRest());
    await this.#restore();
    this.#form.dataset.ready = "";
    await this.#sender.send();
  }

  #isOfThisPage = ({ question, tried }) => question === this.#place.question && tried === this.#place.tried;

  /* Bring back what waits in the outbox, or what was not checked before the page was loaded anew. */
  async #restore() {
    const entries = await this.#outbox.change(this.#place.box, this.#place.saveUrl, retry);
    const waiting = entries.find(({ answer }) => this.#isOfThisPage(answer));
    const draft = waiting?.answer ?? (await loadDraft(DRAFT));
    if (waiting) this.#key = waiting.idempotencyKey;
    if (!draft) return;
    if (!this.#isOfThisPage(draft)) await this.#forget();
    else if (!answers.hasError(this.#fieldset) && !answers.listEditsBeforeLoad(this.#fieldset).length) {
      answers.write(this.#fieldset, { answer: draft.answer, flagged: false });
    }
  }

  /* It was of a question before this one; but where this page is a stored one, that may be newer. */
  async #forget() {
    if (!storedSince) await removeDraft(DRAFT);
  }

  /* Hints, and what is right, come from the network: without one the page stays, with what is typed. */
  #stay(event) {
    if (event.target === this.#form || navigator.onLine || event.target.closest(".practice") === null) return;
    event.preventDefault();
    this.#showOffline(true);
  }

  #showOffline(isOffline) {
    document.querySelector("[data-no-network]").hidden = !isOffline;
  }

  #onChange({ target }) {
    answers.applyExclusion(this.#fieldset, target);
    answers.touch(this.#fieldset, target);
    const { question, tried } = this.#place;
    const { answer } = answers.read(this.#fieldset);
    this.#writing = this.#writing.then(() => storeDraft(DRAFT, { question, tried, answer }));
  }

  async #check(event) {
    event.preventDefault();
    const { answer } = answers.read(this.#fieldset);
    if (answer === null) return void this.#post(); // the server says what is missing
    if (this.#key) return; // it is under way, or waits
    this.#key = uuid();
    this.#form.elements.namedItem("idempotency_key").value = this.#key;
    const { box, saveUrl, question, tried } = this.#place;
    const change = {
      slot: this.#key,
      answer: { question, tried, answer },
      flagged: false,
      baseRevision: 0,
      idempotencyKey: this.#key,
      client: null,
      at: Date.now(),
      paths: [],
    };
    await this.#outbox.change(box, saveUrl, (entries) => add(entries, change));
    this.#sender.send();
  }

  /* Let the browser send the form: what it answers takes the place of this page. */
  #post() {
    const action = document.createElement("input");
    Object.assign(action, { type: "hidden", name: "action", value: "check" });
    this.#form.append(action);
    this.#form.submit();
  }

  /* Load the page anew: with a fragment, as of "Skip to the content", the address would only scroll. */
  #goOn() {
    location.assign(location.pathname + location.search);
  }

  #onSettled({ idempotencyKey, saved }) {
    if (idempotencyKey !== this.#key) return;
    if (saved.sentence) this.#refuse(saved.sentence);
    else if (saved.status === "unreadable") this.#post();
    else this.#goOn();
  }

  /* It was no try: say why, and let it be changed and checked at once. */
  #refuse(sentence) {
    this.#key = "";
    answers.showError(this.#fieldset, sentence);
    answers.focusError(this.#fieldset);
  }

  async #onRefused({ idempotencyKey }) {
    if (idempotencyKey !== this.#key) return;
    const { box, saveUrl } = this.#place;
    // Of a practice that is not open now it waits on this device until that is.
    const others = (entries) =>
      entries.filter((entry) => entry.idempotencyKey !== idempotencyKey || entry.refused?.sentence);
    await this.#outbox.change(box, saveUrl, others);
    this.#goOn();
  }

  #onRest() {
    const trouble = this.#key && this.#sender.getTrouble(this.#place.box);
    if (isAboutPerson(trouble)) this.#goOn();
    document.querySelector("[data-waiting]").hidden = trouble !== "network";
    document.querySelector("[data-failing]").hidden = trouble !== "server";
  }
}

const form = document.querySelector("form[data-practice]");
if (form) await new PracticePage(form).start();
else await removeDraft(DRAFT);
