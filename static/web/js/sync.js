/* Sending the outbox: one tab at a time, in order, until the server has acknowledged everything.

   What goes wrong is tried again: at once when the network or the window comes back, else after a
   while that grows. An attempt whose saves fail is tried after all others, so it holds up none. What
   comes of it is told to every tab of this person, whichever has sent it. */

import { buildReceipt, refuse, settle, take } from "./queue.js";
import { storeSaves } from "./stored-pages.js";

const PATIENCE = 20_000;
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];
const MOST = 200;
const OUTLIVES = 60_000; // browsers let no longer body outlive its page, and refuse it at once

const WANT_A_PERSON = new Map([
  ["signed_out", "signed_out"],
  ["csrf", "signed_out"],
  ["other_person", "other_person"],
]);

/* Return whether this trouble ends when the person of this page signs in. */
export const isAboutPerson = (trouble) => [...WANT_A_PERSON.values()].includes(trouble);

/* Django changes the token at sign-in, so it is read when it is needed and never kept. */
function readToken(cookie) {
  const pair = document.cookie.split("; ").find((text) => text.startsWith(`${cookie}=`));
  return pair ? pair.slice(cookie.length + 1) : "";
}

export const hasToken = (cookie) => Boolean(readToken(cookie));

/* Put the token of this moment into a form. */
export function renewToken(form, cookie) {
  const field = form.elements.namedItem("csrfmiddlewaretoken");
  field.value = readToken(cookie) || field.value;
}

/* A token that was lost or grew old comes anew with the refusal: then it is tried once more. */
async function post(...request) {
  const answer = await postOnce(...request);
  return answer.body.code === "csrf" ? postOnce(...request) : answer;
}

async function postOnce(url, batch, { cookie, person }) {
  const saves = batch.map((entry) => ({
    slot: entry.slot,
    answer: entry.answer,
    flagged: entry.flagged,
    base_revision: entry.baseRevision,
    idempotency_key: entry.idempotencyKey,
    client: entry.client,
  }));
  const body = JSON.stringify({ saves, sent_at: new Date().toISOString() });
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-CSRFToken": readToken(cookie),
      "X-Person": person,
    },
    body,
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    keepalive: body.length < OUTLIVES,
    signal: AbortSignal.timeout(PATIENCE),
  });
  const json = await response.json().catch(() => ({}));
  return { status: response.status, body: json };
}

let turn = Promise.resolve();

/* Let nobody else of this person send meanwhile, in this tab or another. */
function withLock(person, work) {
  if (navigator.locks) return navigator.locks.request(`outbox-${person}`, work);
  turn = turn.then(work, work);
  return turn;
}

const choosePause = (failures) =>
  PAUSES[Math.min(failures, PAUSES.length - 1)] * (0.75 + Math.random() / 2);

export class Sender extends EventTarget {
  #tabs;
  #timer = 0;
  #failures = 0;
  #failing = new Map(); // attempt → {trouble, failures, until}: when it is tried again
  #busy = null;
  #again = false;

  /* `trouble` is "", "network", "signed_out" or "other_person": what stopped the last sending, of all
     attempts. It stays until the next one has ended, so that what a person reads of it does not flicker. */
  trouble = "";
  #stopped = "";

  /* The attempts that are open on another device, where one is allowed: their answers wait, and hold
     up those of no other attempt. */
  elsewhere = new Set();

  constructor(outbox, cookie) {
    super();
    this.outbox = outbox;
    this.cookie = cookie;
    this.#tabs = "BroadcastChannel" in window ? new BroadcastChannel(`ochenta-${outbox.person}`) : null;
    this.#tabs?.addEventListener("message", ({ data }) => this.#hear(data));
    for (const sign of ["online", "focus", "pageshow"]) addEventListener(sign, () => this.#sendNow());
  }

  /* Return what keeps the answers of an attempt here: `trouble`, or "server" where the server fails on
     this attempt; "" for nothing. */
  getTrouble(attempt) {
    return this.trouble || (this.#failing.get(attempt)?.trouble ?? "");
  }

  /* Send everything, also what would be tried again later. */
  #sendNow() {
    for (const failing of this.#failing.values()) failing.until = 0;
    return this.send();
  }

  /* Send everything; resolves when there is nothing left to try for now. */
  send() {
    if (this.#busy) {
      this.#again = true;
      return this.#busy;
    }
    clearTimeout(this.#timer);
    this.#busy = withLock(this.outbox.person, () => this.#sendAll()).finally(() => {
      this.#busy = null;
      this.dispatchEvent(new Event("rest"));
      if (this.#again) {
        this.#again = false;
        this.send();
      } else this.#sendLater();
    });
    return this.#busy;
  }

  /* Wait until all is sent or trouble is told, but not for ever. */
  async flush(patience = 8_000) {
    const enough = new Promise((resolve) => setTimeout(resolve, patience));
    const all = (async () => {
      while (this.#busy) await this.#busy; // it may have begun before the last answer was there
      await this.#sendNow();
    })();
    await Promise.race([all, enough]);
  }

  /* Tell this tab and all others: "settled", or "refused". */
  broadcast(name, detail) {
    this.#hear({ name, detail });
    this.#tabs?.postMessage({ name, detail });
  }

  #hear({ name, detail }) {
    if (name) this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  async #sendAll() {
    this.#stopped = "";
    this.elsewhere.clear();
    const boxes = (await this.outbox.boxes()).filter(({ entries }) => entries.length);
    this.#forgetOthers(boxes);
    const isFailing = ({ attempt }) => this.#failing.has(attempt);
    for (const box of boxes.filter((each) => !isFailing(each))) await this.#sendBox(box);
    for (const box of boxes.filter(isFailing)) {
      if (this.#failing.get(box.attempt).until <= performance.now()) await this.#sendBox(box);
    }
    this.trouble = this.#stopped;
    if (!this.#isStuck()) this.#failures = 0;
  }

  /* Return whether more keeps answers here than that the server fails on some attempts. */
  #isStuck() {
    const isUnanswered = [...this.#failing.values()].some(({ trouble }) => trouble === "network");
    return Boolean(this.trouble) || this.elsewhere.size > 0 || isUnanswered;
  }

  /* Of an attempt for which nothing waits any more, another tab may have sent it all. */
  #forgetOthers(boxes) {
    const waiting = new Set(boxes.map(({ attempt }) => attempt));
    for (const attempt of this.#failing.keys()) if (!waiting.has(attempt)) this.#failing.delete(attempt);
  }

  async #sendBox(box) {
    while (!this.#stopped && (await this.#sendOne(box)));
  }

  /* The others go on without it; answered by nobody, it may be the network, that of all. */
  #fail(attempt, trouble) {
    const before = this.#failing.get(attempt);
    if (trouble === "network" && !before) this.#stopped = trouble;
    const failures = (before?.failures ?? 0) + 1;
    const until = trouble === "network" ? 0 : performance.now() + choosePause(failures - 1);
    this.#failing.set(attempt, { trouble, failures, until });
    return false;
  }

  /* Send one batch of a box; true if there may be more. */
  async #sendOne({ attempt, url }) {
    let batch = [];
    await this.outbox.change(attempt, url, (entries) => {
      const [sent, next] = take(entries);
      batch = next.slice(0, MOST);
      return sent;
    });
    if (!batch.length) return false;
    this.dispatchEvent(new Event("sending"));
    return this.#deliver(attempt, url, batch);
  }

  async #deliver(attempt, url, batch) {
    let answer;
    try {
      answer = await post(url, batch, { cookie: this.cookie, person: this.outbox.person });
    } catch {
      return this.#fail(attempt, "network");
    }
    const { status, body } = answer;
    if (Array.isArray(body.saves) && (status === 200 || status === 409)) {
      this.#failing.delete(attempt);
      await this.#settle(attempt, url, batch, body.saves);
      return true;
    }
    const isRefusal = [400, 404, 413].includes(status) || body.sentence;
    const isAnswer = body.code === "elsewhere" || WANT_A_PERSON.has(body.code) || isRefusal;
    if (!isAnswer) return this.#fail(attempt, "server");
    this.#failing.delete(attempt);
    if (body.code === "elsewhere") this.elsewhere.add(attempt);
    else if (WANT_A_PERSON.has(body.code)) this.#stopped = WANT_A_PERSON.get(body.code);
    else return this.#handleRefusal(attempt, url, batch, body);
    return false;
  }

  async #settle(attempt, url, batch, saves) {
    await storeSaves(url, saves); // before the outbox forgets them
    await this.outbox.change(
      attempt,
      url,
      (entries) =>
        batch.reduce(
          (left, { idempotencyKey }, number) => settle(left, idempotencyKey, saves[number]),
          entries,
        ),
      batch.flatMap((entry, number) => buildReceipt(entry, saves[number])),
    );
    batch.forEach(({ idempotencyKey }, number) =>
      this.broadcast("settled", { attempt, idempotencyKey, saved: saves[number] }),
    );
  }

  /* What cannot be read stays here with the server's words; the others are sent without it. */
  async #handleRefusal(attempt, url, batch, body) {
    const refused = batch.length > 1 ? batch.find(({ slot }) => slot === body.slot) : batch[0];
    if (!refused) return this.#sendSingly(attempt, url, batch);
    const { code = "refused", sentence = "", where = "" } = body;
    await this.outbox.change(attempt, url, (entries) =>
      refuse(entries, refused.idempotencyKey, { code, sentence, where }),
    );
    this.broadcast("refused", { attempt, idempotencyKey: refused.idempotencyKey });
    return true;
  }

  /* All of it was refused, and not for one of them: send each by itself. */
  async #sendSingly(attempt, url, batch) {
    for (const entry of batch) {
      await this.#deliver(attempt, url, [entry]);
      if (this.#stopped || this.elsewhere.has(attempt) || this.#failing.has(attempt)) return false;
    }
    return true;
  }

  #sendLater() {
    const now = performance.now();
    const failing = [...this.#failing.values()].filter(({ trouble }) => trouble === "server");
    const pauses = this.trouble ? [] : failing.map(({ until }) => Math.max(0, until - now));
    if (this.#isStuck()) {
      pauses.push(choosePause(this.#failures));
      this.#failures += 1;
    }
    if (pauses.length) this.#timer = setTimeout(() => this.send(), Math.min(...pauses));
  }
}
