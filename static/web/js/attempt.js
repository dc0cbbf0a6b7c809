/* The page of an open attempt: every change is journalled on the device, sent, and told in words.
   Without this module the form posts, and everything works. */

import * as answers from "./answer-controls.js";
import * as conflict from "./conflict.js";
import { download } from "./answers-download.js";
import * as help from "./save-help.js";
import { listen } from "./keyboard.js";
import * as map from "./question-map.js";
import { Outbox, uuid } from "./outbox.js";
import * as queue from "./queue.js";
import { isAboutPerson, renewToken, Sender } from "./sync.js";
import * as state from "./save-status.js";
import { Timer } from "./timer.js";

const PAUSE = 400;
const TYPING = 1_000;

const form = document.getElementById("answers");
const { attempt, saveUrl, clockUrl, reviewUrl, submitUrl, resultUrl } = form.dataset;
const { person, csrfCookie } = document.documentElement.dataset;
const client = uuid();
const outbox = Outbox.of(person);
const sender = new Sender(outbox, csrfCookie);

let soon = 0;
let slow = 0;
let isSlow = false;
let newest = "";
let leaving = false;

/* The operations whose answers this page has shown: its own, and those it brought back. */
const shown = new Set();
const isShown = ({ operation }) => shown.has(operation);

/* What is being typed: question → the clock of its pause; and what each was written down with. */
const drafts = new Map();
const noted = new Map();

/* What was chosen and is on its way into the outbox: question → how many times over. */
const unwritten = new Map();

/* The entries of the outbox, as last heard. */
let known = [];

const change = (fold) => outbox.change(attempt, saveUrl, fold);

/* What is written down is written down in the order in which it was chosen. */
let writing = Promise.resolve();

function note(fieldset) {
  clearTimeout(drafts.get(fieldset));
  drafts.delete(fieldset);
  const slot = answers.slotOf(fieldset);
  const { answer, flagged } = answers.read(fieldset);
  const told = JSON.stringify([answer, flagged]);
  if (noted.get(fieldset) === told) {
    refresh(); // a text says that it changed after its pause, and once more when it is left
    return;
  }
  noted.set(fieldset, told);
  const paths = answers.paths(fieldset);
  const base = answers.revision(fieldset);
  const operation = shownAs(uuid());
  const entry = { slot, answer, flagged, paths, base, operation, client, at: Date.now() };
  const decided = conflict.isShown(fieldset);
  conflict.clear(fieldset);
  answers.complain(fieldset, "");
  map.draw();
  unwritten.set(fieldset, (unwritten.get(fieldset) ?? 0) + 1);
  tell(known);
  writing = writing.then(async () => {
    const entries = await change((all, receipts) =>
      queue.add(all, entry, { decided, seen: isShown, receipts }),
    );
    written(fieldset);
    showConflicts(entries);
    tell(entries);
  });
  clearTimeout(soon);
  soon = setTimeout(() => writing.then(() => sender.send()), PAUSE);
}

function shownAs(operation) {
  shown.add(operation);
  return operation;
}

function written(fieldset) {
  const left = unwritten.get(fieldset) - 1;
  if (left) unwritten.set(fieldset, left);
  else unwritten.delete(fieldset);
}

/* Wait for a pause in the typing, and say meanwhile that something waits. */
function draft(fieldset) {
  clearTimeout(drafts.get(fieldset));
  drafts.set(fieldset, setTimeout(note, TYPING, fieldset));
  tell(known);
}

/* Write down at once whatever is being typed. */
function settleDrafts() {
  for (const fieldset of [...drafts.keys()]) note(fieldset);
  return writing;
}

/* Say how things stand: at once, so that nothing is called saved while something newer waits. */
function tell(entries) {
  known = entries;
  const here = [...drafts.keys(), ...unwritten.keys()];
  const left = queue.waiting([...entries, ...here.map((one) => ({ slot: answers.slotOf(one) }))]);
  const isKept = !here.length && outbox.keeping === "kept";
  const isStuck = Boolean(sender.trouble) || isSlow || !navigator.onLine;
  const isAtRisk = Boolean(left) && isStuck && outbox.keeping === "not_kept";
  const needsPerson = Boolean(left) && isSignedOut();
  guard(Boolean(left) && !isKept);
  help.offer({ download: isAtRisk, signIn: needsPerson ? sender.trouble : "" });
  if (!left) {
    if (newest) state.saved(newest);
  } else if (isAtRisk) state[needsPerson ? "signedOutAtRisk" : "atRisk"]();
  else if (queue.conflicts(entries).length === left) state.conflict();
  else if (needsPerson && isKept) state.signedOut(sender.trouble);
  else if (queue.undecided(entries).length === left) state.refused();
  else if (!navigator.onLine && isKept) state.offline();
  else state.waiting(left);
}

const isSignedOut = () => isAboutPerson(sender.trouble);

/* Ask before the page is closed, but only while that would lose an answer. */
function guard(isNeeded) {
  if (isNeeded) addEventListener("beforeunload", warn);
  else removeEventListener("beforeunload", warn);
}

function warn(event) {
  settleDrafts();
  event.preventDefault();
}

const refresh = async () => tell(await outbox.entries(attempt));

function tellSlow() {
  isSlow = true;
  if (outbox.keeping === "not_kept") tell(known);
  else state.saving();
}

/* Something newer stands here than the outbox knows. */
const isAhead = (fieldset) => drafts.has(fieldset) || unwritten.has(fieldset);

/* Nobody is interrupted: what is being given is written down first, and then asked about. */
function showConflicts(entries) {
  for (const entry of queue.conflicts(entries)) {
    if (!isAhead(answers.question(entry.slot))) conflict.ask(entry, decide);
  }
}

async function decide(entry, useOurs) {
  const { slot, operation, conflict: theirs } = entry;
  answers.revise(answers.question(slot), theirs.revision);
  map.draw();
  const again = shownAs(uuid());
  const fold = useOurs ? queue.useOurs : queue.keepTheirs;
  tell(await change((all) => fold(all, slot, again)));
  if (useOurs) sender.send();
  else sender.tell("settled", { attempt, operation, saved: theirs }); // other tabs ask no more
}

/* An answer cannot be read: that is said beside it, where it stands. */
function showRefusals(entries) {
  for (const entry of queue.refusals(entries).filter(isShown)) {
    const fieldset = answers.question(entry.slot);
    if (isAhead(fieldset)) continue;
    const { sentence, where } = entry.refused;
    answers.complain(fieldset, sentence || form.dataset.wordsRefused, where);
  }
}

async function refused({ attempt: whose }) {
  if (whose === attempt) show(await outbox.entries(attempt));
}

function show(entries) {
  showConflicts(entries);
  showRefusals(entries);
  map.draw();
  tell(entries);
}

/* Hear what the server said of an answer, whichever tab has sent it. */
async function settled({ attempt: whose, operation, saved }) {
  if (whose !== attempt) return;
  if (saved.verdict === "late") {
    over();
    return;
  }
  const entries = await outbox.entries(attempt);
  takeIn(entries, operation, saved);
  show(entries);
}

/* Take it in, unless something newer stands already: words may overtake one another. Of another tab
   only if nothing of here is unsent, else the two are to meet. */
function takeIn(entries, operation, saved) {
  const fieldset = answers.question(saved.slot);
  const waiting = queue.latest(entries).get(saved.slot);
  if (waiting?.conflict) return;
  if (saved.at > newest) newest = saved.at;
  if (saved.revision < answers.revision(fieldset)) return;
  const asked = conflict.isShown(fieldset); // and decided in another tab
  const own = shown.has(operation);
  const unsent = isAhead(fieldset) || waiting;
  if (own || !unsent) answers.revise(fieldset, saved.revision);
  else noted.delete(fieldset); // even what was said before is news again: it is to meet this
  if (unsent) return;
  conflict.clear(fieldset);
  answers[own && !asked ? "stand" : "write"](fieldset, saved);
}

/* Time is over: send what is here, submit, and say so only when the server has answered. */
async function over() {
  if (leaving) return;
  leaving = true;
  await settleDrafts();
  await sender.flush(5_000);
  let entries = await change(queue.readable);
  while (queue.waiting(entries) && sender.trouble && outbox.keeping !== "kept") {
    await new Promise((resolve) => sender.addEventListener("rest", resolve, { once: true }));
    entries = await outbox.entries(attempt); // to leave before that would lose them
  }
  guard(false);
  const submit = document.createElement("form");
  submit.method = "post";
  submit.action = submitUrl;
  submit.append(form.elements.namedItem("csrfmiddlewaretoken").cloneNode());
  document.body.append(submit);
  if (!navigator.onLine) addEventListener("online", () => location.assign(resultUrl), { once: true });
  else if (isSignedOut()) location.assign(resultUrl);
  else send(submit);
}

/* Submit a form with the token of this moment: the page's is older where somebody signed in since. */
function send(submit) {
  renewToken(submit, csrfCookie);
  submit.submit();
}

/* Leave the page only when every answer is safe; else say why not, and stay. */
async function leave(event) {
  event.preventDefault();
  const button = event.submitter;
  clearTimeout(soon);
  await settleDrafts();
  await sender.flush();
  const entries = await outbox.entries(attempt);
  const signedOut = sender.trouble === "signed_out" && outbox.keeping === "kept";
  if (queue.waiting(entries) && !signedOut) {
    tell(entries);
    const [unreadable] = queue.refusals(entries);
    if (isSignedOut()) help.pointToSignIn();
    else if (conflict.first()) conflict.first().focus();
    else if (unreadable) answers.point(answers.question(unreadable.slot));
    else state.point();
    return;
  }
  leaving = true;
  guard(false);
  if (button?.name === "switch") post(button);
  else if (button?.value === "review" || signedOut) location.assign(reviewUrl);
  else leaving = false;
}

/* The answers are safe: only the button itself is posted. */
function post(button) {
  const asked = document.createElement("input");
  Object.assign(asked, { type: "hidden", name: button.name, value: button.value });
  for (const fieldset of answers.questions()) fieldset.disabled = true;
  form.append(asked);
  send(form);
}

/* Bring back what was chosen here and never acknowledged. */
async function restore() {
  const entries = await change(queue.retry);
  for (const [slot, entry] of queue.latest(entries)) {
    const fieldset = answers.question(slot);
    if (!fieldset || isAhead(fieldset)) continue;
    answers.write(fieldset, entry);
    const { client: whose } = entry;
    const before = entries.filter((one) => one.slot === slot && one.client === whose);
    before.forEach(({ operation }) => shownAs(operation));
  }
  showConflicts(entries);
  map.draw();
  tell(entries);
}

const questionOf = (event) => event.target.closest("fieldset[data-slot]");

form.addEventListener("change", (event) => {
  const fieldset = questionOf(event);
  if (!fieldset) return;
  answers.exclude(fieldset, event.target);
  answers.touch(fieldset, event.target);
  note(fieldset);
});
form.addEventListener("input", (event) => {
  const fieldset = questionOf(event);
  if (!fieldset || !answers.isTyped(event.target)) return;
  answers.touch(fieldset, event.target);
  draft(fieldset);
});
form.addEventListener("answers:written", (event) => noted.delete(event.target), true);
form.addEventListener("submit", leave);
help.onDownload(() => download(form));
outbox.addEventListener("keeping", () => tell(known));
sender.addEventListener("settled", ({ detail }) => settled(detail));
sender.addEventListener("refused", ({ detail }) => refused(detail));
sender.addEventListener("sending", () => {
  clearTimeout(slow);
  slow = setTimeout(tellSlow, 800); // a quick save needs no word of its own
});
sender.addEventListener("rest", () => {
  clearTimeout(slow);
  isSlow = false;
  refresh();
});
for (const sign of ["online", "offline"]) addEventListener(sign, refresh);
const hurry = () => settleDrafts().then(() => sender.send());
addEventListener("pagehide", hurry, { capture: true }); // before the outbox closes
document.addEventListener("visibilitychange", () => document.hidden && hurry());
addEventListener("pageshow", (event) => event.persisted && location.reload());

// The page was there before this module: what was said meanwhile is an answer, too.
for (const fieldset of answers.questions()) {
  const changed = answers.early(fieldset);
  changed.forEach((control) => answers.touch(fieldset, control));
  if (changed.length) note(fieldset);
}
outbox.prepare();
listen();
const timer = document.querySelector("[data-timer]");
if (timer) new Timer(timer, { url: clockUrl, over });
await restore();
form.dataset.autosave = "";
await sender.send();
