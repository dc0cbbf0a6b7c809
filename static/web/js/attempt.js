/* The page of an open attempt: every change is journalled on the device, sent, and told in words.
   Without this module the form posts, and everything works. */

import * as answers from "./answer-controls.js";
import { download } from "./answers-download.js";
import { initialState, isAhead, reduce, saveStatus } from "./attempt-state.js";
import * as conflict from "./conflict.js";
import * as elsewhere from "./elsewhere.js";
import { listen as listenToKeys } from "./keyboard.js";
import { listen as listenToSteps, show as showQuestion } from "./one-question.js";
import { Outbox, uuid } from "./outbox.js";
import * as map from "./question-map.js";
import * as queue from "./queue.js";
import * as help from "./save-help.js";
import * as status from "./save-status.js";
import { listSaves, storedSince } from "./stored-pages.js";
import { isAboutPerson, renewToken, Sender } from "./sync.js";
import { Timer } from "./timer.js";

const PAUSE = 400;
const TYPING = 1_000;
const SLOW = 800; // a quick save needs no word of its own

class AttemptPage {
  #state = initialState;
  #client = uuid();
  #outbox;
  #sender;
  #timer;
  #csrfCookie;
  #syncTimer = 0;
  #slowTimer = 0;
  #typingTimers = new Map(); // question → the timer of its pause
  #enqueued = new Map(); // question → the answer last put into the outbox, as text
  #writing = Promise.resolve(); // answers enter the outbox in the order in which they were given
  #ownKeys = new Set(); // whose answers this page has shown: its own, and those it brought back
  #isLeaving = false;

  constructor(form) {
    const { person, csrfCookie } = document.documentElement.dataset;
    this.form = form;
    this.attempt = form.dataset.attempt;
    this.#csrfCookie = csrfCookie;
    this.#outbox = Outbox.of(person);
    this.#sender = new Sender(this.#outbox, csrfCookie);
  }

  async start() {
    this.#listen();
    this.#enqueueEditsBeforeLoad();
    this.#outbox.prepare();
    listenToSteps();
    listenToKeys();
    const timer = document.querySelector("[data-timer]");
    const url = this.form.dataset.clockUrl;
    if (timer) {
      this.#timer = new Timer(timer, {
        url,
        over: () => this.#endTime(),
        elsewhere: (isElsewhere) => this.#onDevice(isElsewhere),
      });
    }
    await this.#applyStoredSaves();
    await this.#restore();
    this.form.dataset.autosave = "";
    await this.#sender.send();
  }

  #listen() {
    const { form } = this;
    form.addEventListener("change", (event) => this.#onChange(event));
    form.addEventListener("input", (event) => this.#onInput(event));
    form.addEventListener("answers:written", (event) => this.#enqueued.delete(event.target), true);
    form.addEventListener("submit", (event) => this.#leave(event));
    help.onDownload(() => download(form));
    this.#outbox.addEventListener("durability", () => this.#render());
    this.#listenToSender();
    for (const sign of ["online", "offline"]) addEventListener(sign, () => this.#refresh());
    const flushNow = () => this.#enqueueDrafts().then(() => this.#sender.send());
    addEventListener("pagehide", flushNow, { capture: true }); // before the outbox closes
    document.addEventListener("visibilitychange", () => document.hidden && flushNow());
    addEventListener("pageshow", (event) => event.persisted && location.reload());
  }

  #listenToSender() {
    const sender = this.#sender;
    sender.addEventListener("settled", ({ detail }) => this.#onSettled(detail));
    sender.addEventListener("refused", ({ detail }) => this.#onRefused(detail));
    sender.addEventListener("sending", () => {
      clearTimeout(this.#slowTimer);
      this.#slowTimer = setTimeout(() => this.#showSlow(), SLOW);
    });
    sender.addEventListener("rest", () => {
      if (sender.elsewhere.has(this.attempt)) this.#showElsewhere();
      clearTimeout(this.#slowTimer);
      this.#reduce({ type: "syncEnded" });
      this.#refresh();
    });
  }

  #reduce(event) {
    this.#state = reduce(this.#state, event);
  }

  /* Say how things stand: at once, so that nothing is called saved while something newer waits. */
  #render() {
    const { name, count, mustWarn, isAtRisk, signIn } = saveStatus(this.#state, {
      storage: this.#outbox.durability,
      trouble: this.#sender.getTrouble(this.attempt),
      isOnline: navigator.onLine,
      isElsewhere: elsewhere.isShown(),
    });
    this.#warnOnClose(mustWarn);
    help.offer({ download: isAtRisk, signIn });
    if (name) status.show(name, { count, at: this.#state.savedAt });
  }

  #renderEntries(entries) {
    this.#reduce({ type: "entriesRead", entries });
    this.#render();
  }

  async #refresh() {
    this.#renderEntries(await this.#outbox.entries(this.attempt));
  }

  #showSlow() {
    this.#reduce({ type: "slow" });
    if (this.#outbox.durability === "not_kept") this.#render();
    else status.show("saving");
  }

  /* Ask before the page is closed, but only while that would lose an answer. */
  #warnOnClose(isNeeded) {
    if (isNeeded) addEventListener("beforeunload", this.#onBeforeUnload);
    else removeEventListener("beforeunload", this.#onBeforeUnload);
  }

  #onBeforeUnload = (event) => {
    this.#enqueueDrafts();
    event.preventDefault();
  };

  #isSignedOut() {
    return isAboutPerson(this.#sender.trouble);
  }

  /* The attempt went on on another device: what was given here is kept, and nothing more is taken. */
  #showElsewhere() {
    if (elsewhere.isShown()) return;
    this.#enqueueDrafts();
    elsewhere.show(this.form);
    this.#render();
  }

  /* The server says where the attempt is open. Taken back in another tab, what stands here is old. */
  #onDevice(isElsewhere) {
    if (isElsewhere) this.#showElsewhere();
    else if (elsewhere.isShown() && this.#outbox.durability === "kept") location.reload();
  }

  #isAhead(fieldset) {
    return isAhead(this.#state, answers.getSlot(fieldset));
  }

  #onChange({ target }) {
    const fieldset = target.closest("fieldset[data-slot]");
    if (!fieldset) return;
    answers.applyExclusion(fieldset, target);
    answers.touch(fieldset, target);
    this.#enqueueAnswer(fieldset);
  }

  #onInput({ target }) {
    const fieldset = target.closest("fieldset[data-slot]");
    if (!fieldset || !answers.isTyped(target)) return;
    answers.touch(fieldset, target);
    this.#waitForPause(fieldset);
  }

  /* Wait for a pause in the typing, and say meanwhile that something waits. */
  #waitForPause(fieldset) {
    clearTimeout(this.#typingTimers.get(fieldset));
    const timer = setTimeout(() => this.#enqueueAnswer(fieldset), TYPING);
    this.#typingTimers.set(fieldset, timer);
    this.#reduce({ type: "typed", slot: answers.getSlot(fieldset) });
    this.#render();
  }

  #endTyping(fieldset) {
    clearTimeout(this.#typingTimers.get(fieldset));
    this.#typingTimers.delete(fieldset);
    this.#reduce({ type: "typingEnded", slot: answers.getSlot(fieldset) });
  }

  #enqueueAnswer(fieldset) {
    this.#endTyping(fieldset);
    const { answer, flagged } = answers.read(fieldset);
    const text = JSON.stringify([answer, flagged]);
    if (this.#enqueued.get(fieldset) === text) {
      this.#refresh(); // a text says that it changed after its pause, and once more when it is left
      return;
    }
    this.#enqueued.set(fieldset, text);
    const entry = this.#entryOf(fieldset, { answer, flagged });
    const decided = conflict.isShown(fieldset);
    conflict.clear(fieldset);
    answers.showError(fieldset, "");
    map.draw();
    this.#reduce({ type: "enqueuing", slot: entry.slot });
    this.#render();
    this.#writing = this.#writing.then(() => this.#enqueue(entry, decided));
    clearTimeout(this.#syncTimer);
    this.#syncTimer = setTimeout(() => this.#writing.then(() => this.#sender.send()), PAUSE);
  }

  #entryOf(fieldset, { answer, flagged }) {
    return {
      slot: answers.getSlot(fieldset),
      answer,
      flagged,
      paths: answers.listPaths(fieldset),
      baseRevision: answers.readRevision(fieldset),
      idempotencyKey: this.#trackKey(uuid()),
      client: this.#client,
      at: Date.now(),
    };
  }

  async #enqueue(entry, decided) {
    const entries = await this.#change((all, receipts) =>
      queue.add(all, entry, { decided, seen: this.#isOwn, receipts }),
    );
    this.#reduce({ type: "enqueued", slot: entry.slot });
    this.#showConflicts(entries);
    this.#renderEntries(entries);
  }

  #change(fold) {
    return this.#outbox.change(this.attempt, this.form.dataset.saveUrl, fold);
  }

  #trackKey(idempotencyKey) {
    this.#ownKeys.add(idempotencyKey);
    return idempotencyKey;
  }

  #isOwn = ({ idempotencyKey }) => this.#ownKeys.has(idempotencyKey);

  /* Enqueue at once whatever is being typed. */
  #enqueueDrafts() {
    for (const fieldset of [...this.#typingTimers.keys()]) this.#enqueueAnswer(fieldset);
    return this.#writing;
  }

  /* The page was there before this module: what was changed meanwhile is an answer, too. */
  #enqueueEditsBeforeLoad() {
    for (const fieldset of answers.listQuestions()) {
      const edited = answers.listEditsBeforeLoad(fieldset);
      edited.forEach((control) => answers.touch(fieldset, control));
      if (edited.length) this.#enqueueAnswer(fieldset);
    }
  }

  /* Bring back what was saved since this page was stored on the device. */
  async #applyStoredSaves() {
    for (const saved of storedSince ? await listSaves(this.form.dataset.saveUrl) : []) {
      const fieldset = answers.findQuestion(saved.slot);
      if (!fieldset || this.#isAhead(fieldset) || saved.revision <= answers.readRevision(fieldset)) continue;
      answers.revise(fieldset, saved.revision);
      answers.write(fieldset, saved);
      this.#reduce({ type: "saved", at: saved.at });
    }
  }

  /* Bring back what was chosen here and never acknowledged. */
  async #restore() {
    const entries = await this.#change(queue.retry);
    for (const [slot, entry] of queue.mapLatest(entries)) {
      const fieldset = answers.findQuestion(slot);
      if (!fieldset || this.#isAhead(fieldset)) continue;
      answers.write(fieldset, entry);
      const { client } = entry;
      const before = entries.filter((other) => other.slot === slot && other.client === client);
      before.forEach(({ idempotencyKey }) => this.#trackKey(idempotencyKey));
    }
    this.#showConflicts(entries);
    map.draw();
    this.#renderEntries(entries);
  }

  /* Hear what the server said of an answer, whichever tab has sent it. */
  async #onSettled({ attempt, idempotencyKey, saved }) {
    if (attempt !== this.attempt) return;
    if (saved.status === "late") {
      this.#endTime();
      return;
    }
    if (saved.status === "locked") {
      this.#showLocked(saved);
      this.#refresh();
      return;
    }
    this.#timer?.refresh();
    const entries = await this.#outbox.entries(attempt);
    this.#applyServerState(entries, idempotencyKey, saved);
    this.#show(entries);
  }

  /* Take it in, unless something newer stands already: words may overtake one another. Of another
     tab only if nothing of here is unsent, else the two are to meet. */
  #applyServerState(entries, idempotencyKey, saved) {
    const fieldset = answers.findQuestion(saved.slot);
    const waiting = queue.mapLatest(entries).get(saved.slot);
    if (waiting?.conflict || !fieldset) return; // another tab may be at a question that is locked here
    this.#reduce({ type: "saved", at: saved.at });
    if (saved.revision < answers.readRevision(fieldset)) return;
    const wasAsked = conflict.isShown(fieldset); // and decided in another tab
    const isOwn = this.#ownKeys.has(idempotencyKey);
    const isUnsent = this.#isAhead(fieldset) || waiting;
    if (isOwn || !isUnsent) answers.revise(fieldset, saved.revision);
    else this.#enqueued.delete(fieldset); // the same answer again is news: it is to meet this
    if (isUnsent) return;
    conflict.clear(fieldset);
    answers[isOwn && !wasAsked ? "setBaseline" : "write"](fieldset, saved);
  }

  /* The question had been left, here or elsewhere, before this answer to it came. */
  #showLocked({ sentence }) {
    const notice = document.querySelector("template[data-locked]").content.cloneNode(true).firstElementChild;
    notice.querySelector("[data-locked-words]").textContent = sentence;
    this.form.querySelector(".questions").before(notice);
  }

  async #onRefused({ attempt }) {
    if (attempt === this.attempt) this.#show(await this.#outbox.entries(attempt));
  }

  #show(entries) {
    this.#showConflicts(entries);
    this.#showRefusals(entries);
    map.draw();
    this.#renderEntries(entries);
  }

  /* Nobody is interrupted: what is being given is enqueued first, and then asked about. */
  #showConflicts(entries) {
    for (const entry of queue.listConflicts(entries)) {
      const fieldset = answers.findQuestion(entry.slot);
      if (!fieldset || this.#isAhead(fieldset)) continue;
      conflict.ask(entry, (...choice) => this.#resolveConflict(...choice));
    }
  }

  async #resolveConflict(entry, useOurs) {
    const { slot, idempotencyKey, conflict: theirs } = entry;
    answers.revise(answers.findQuestion(slot), theirs.revision);
    map.draw();
    const next = this.#trackKey(uuid());
    const fold = useOurs ? queue.useOurs : queue.keepTheirs;
    this.#renderEntries(await this.#change((all) => fold(all, slot, next)));
    if (useOurs) {
      this.#sender.send();
      return;
    }
    const { attempt } = this;
    this.#sender.broadcast("settled", { attempt, idempotencyKey, saved: theirs }); // other tabs ask no more
  }

  /* An answer cannot be read: that is said beside it, where it stands. */
  #showRefusals(entries) {
    for (const entry of queue.listRefusals(entries).filter(this.#isOwn)) {
      const fieldset = answers.findQuestion(entry.slot);
      if (!fieldset || this.#isAhead(fieldset)) continue;
      const { sentence, where } = entry.refused;
      answers.showError(fieldset, sentence || this.form.dataset.wordsRefused, where);
    }
  }

  /* Time is over: send what is here, submit, and say so only when the server has answered. */
  async #endTime() {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    await this.#enqueueDrafts();
    await this.#sender.flush(5_000);
    await this.#untilNothingIsAtRisk();
    this.#warnOnClose(false);
    const { resultUrl } = this.form.dataset;
    if (!navigator.onLine) {
      addEventListener("online", () => location.assign(resultUrl), { once: true });
    } else if (this.#isSignedOut() || elsewhere.isShown()) location.assign(resultUrl);
    else this.#postSubmit();
  }

  /* To leave while only this page holds an answer would lose it. */
  async #untilNothingIsAtRisk() {
    let entries = await this.#change(queue.listReadable);
    const isStuck = () => this.#sender.getTrouble(this.attempt) || this.#sender.elsewhere.has(this.attempt);
    while (queue.countWaiting(entries) && isStuck() && this.#outbox.durability !== "kept") {
      await new Promise((done) => this.#sender.addEventListener("rest", done, { once: true }));
      entries = await this.#outbox.entries(this.attempt);
    }
  }

  #postSubmit() {
    const form = document.createElement("form");
    form.method = "post";
    form.action = this.form.dataset.submitUrl;
    form.append(this.form.elements.namedItem("csrfmiddlewaretoken").cloneNode());
    document.body.append(form);
    this.#post(form);
  }

  /* Post a form with the token of this moment: the page's is older where somebody signed in since. */
  #post(form) {
    renewToken(form, this.#csrfCookie);
    form.submit();
  }

  /* Leave the page only when every answer is safe; else say why not, and stay. */
  async #leave(event) {
    event.preventDefault();
    const button = event.submitter;
    clearTimeout(this.#syncTimer);
    await this.#enqueueDrafts();
    await this.#sender.flush();
    const entries = await this.#outbox.entries(this.attempt);
    const isKept = this.#outbox.durability === "kept";
    const isSignedOut = this.#sender.trouble === "signed_out" && isKept;
    const isSwitch = button?.name === "switch" && elsewhere.isShown() && isKept; // sent after going on here
    const isOffline = button?.name === "leave" && !navigator.onLine; // the next question is not here
    if ((queue.countWaiting(entries) && !isSignedOut && !isSwitch) || isOffline) {
      this.#renderEntries(entries);
      this.#focusObstacle(entries);
      return;
    }
    this.#isLeaving = true;
    this.#warnOnClose(false);
    if (["leave", "switch"].includes(button?.name)) this.#postButton(button);
    else if (button?.value === "review" || isSignedOut) location.assign(this.form.dataset.reviewUrl);
    else this.#isLeaving = false;
  }

  /* Take the reader to what keeps the page from being left. */
  #focusObstacle(entries) {
    const [unreadable] = queue.listRefusals(entries);
    const asked = conflict.findFirst();
    const obstacle = asked?.closest("fieldset") ?? (unreadable && answers.findQuestion(unreadable.slot));
    if (this.#isSignedOut()) help.pointToSignIn();
    else if (elsewhere.isShown()) elsewhere.focus();
    else if (!obstacle) status.focus();
    else {
      showQuestion(obstacle);
      if (asked) asked.focus();
      else answers.focusError(obstacle);
    }
  }

  /* The answers are safe: only the button itself is posted. */
  #postButton({ name, value }) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    for (const fieldset of answers.listQuestions()) fieldset.disabled = true;
    this.form.append(field);
    this.#post(this.form);
  }
}

await new AttemptPage(document.getElementById("answers")).start();
