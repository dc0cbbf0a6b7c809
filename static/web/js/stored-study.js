/* Study without a network: cards come from the page that this device stores (stored_cards.html), and
   what is rated goes through the outbox, each entry once, whenever it comes. */

import { Outbox, uuid } from "./outbox.js";
import { add } from "./queue.js";
import { listSaves, loadStored, storeSaves } from "./stored-pages.js";
import { Sender } from "./sync.js";

const BOX = "study";
const AGAIN = 1;

export class StoredStudy {
  #note;
  #outbox;
  #sender = null;
  #hasSent = false;
  #cards = null; // id of a card → its template, in the order in which they are asked
  #end = null;

  /* `note` says that there is no network, and where things are; `sent` is called once all is sent. */
  constructor(note, sent) {
    this.#note = note;
    this.#outbox = Outbox.of(document.documentElement.dataset.person);
    this.sent = sent;
  }

  get #saveUrl() {
    return this.#note.dataset.saveUrl;
  }

  /* Return what a form of a card says was done with it. */
  #read(form, submitter) {
    const data = new FormData(form, submitter);
    const rating = data.get("rating");
    return {
      entry: data.get("entry"),
      card: data.get("card"),
      action: data.get("action") ?? "review",
      rating: rating && Number(rating),
      language: data.get("language") ?? "",
      at: new Date().toISOString(),
    };
  }

  /* Note what the server has: the stored page is older than it. */
  async noteSaved(form, submitter) {
    const { entry, card, rating } = this.#read(form, submitter);
    await storeSaves(this.#saveUrl, [{ slot: entry, status: "accepted", revision: 1, card, rating }]);
  }

  /* Put what a form says into the outbox. Sent twice it is the same entry: it has a name of its own. */
  async review(form, submitter) {
    const { entry, ...answer } = this.#read(form, submitter);
    const change = {
      slot: entry,
      answer,
      flagged: false,
      baseRevision: 0,
      idempotencyKey: entry,
      client: null,
      at: Date.now(),
      paths: [],
    };
    await this.#outbox.change(BOX, this.#saveUrl, (entries, receipts) => add(entries, change, { receipts }));
    this.#send();
  }

  #send() {
    if (!this.#sender) {
      this.#sender = new Sender(this.#outbox, document.documentElement.dataset.csrfCookie);
      this.#sender.addEventListener("settled", () => (this.#hasSent = true));
      this.#sender.addEventListener("rest", () => this.#tell());
    }
    this.#sender.send();
  }

  async #tell() {
    const waiting = await this.#listWaiting();
    if (!waiting.length && this.#hasSent) this.sent();
  }

  async #listWaiting() {
    const waiting = await this.#outbox.entries(BOX);
    this.#note.querySelector("[data-waiting]").textContent = waiting.length;
    return waiting;
  }

  /* There is a network again: send what waits, or go on at once. */
  async resume() {
    if ((await this.#listWaiting()).length) this.#send();
    else this.sent();
  }

  /* Return the card that is asked next, or the end; null if nothing is stored. */
  async next() {
    if (!(await this.#load())) return null;
    this.#note.hidden = false;
    const waiting = await this.#listWaiting();
    const rated = new Map();
    for (const { card, rating } of [...(await listSaves(this.#saveUrl)), ...waiting.map(({ answer }) => answer)]) {
      rated.delete(card); // what was rated last is asked last
      rated.set(card, rating);
    }
    const fresh = [...this.#cards.keys()].find((card) => !rated.has(card));
    const [again] = [...rated].find(([card, rating]) => rating === AGAIN && this.#cards.has(card)) ?? [];
    const template = this.#cards.get(fresh ?? again) ?? this.#end;
    return this.#build(template, { isAgain: !fresh });
  }

  async #load() {
    if (this.#cards) return true;
    const here = document.querySelector("template[data-stored-end]") && document;
    const page = here ?? (await loadStored(this.#note.dataset.cardsUrl));
    if (!page) return false;
    const templates = [...page.querySelectorAll("template[data-stored-card]")];
    this.#cards = new Map(templates.map((template) => [template.dataset.storedCard, template]));
    this.#end = page.querySelector("template[data-stored-end]");
    return true;
  }

  #build(template, { isAgain }) {
    const card = document.importNode(template.content.firstElementChild, true);
    const entry = uuid();
    for (const input of card.querySelectorAll('[name="entry"]')) input.value = entry;
    // How many are left, other pages and other languages come from the network.
    const selectors = [".study-counts", ".study-stop", "[data-study-link]"];
    if (isAgain) selectors.push(".rating-interval"); // it holds for the first time
    for (const element of card.querySelectorAll(selectors.join())) element.remove();
    return card;
  }
}
