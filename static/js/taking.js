/* The page of an open attempt: every change is journalled on the device, sent, and told in words.
   Without this module the form posts, and everything works. */

import * as answers from "./answers.js";
import * as conflict from "./conflict.js";
import { listen } from "./keyboard.js";
import * as map from "./map.js";
import { Outbox, uuid } from "./outbox.js";
import * as queue from "./queue.js";
import { Sender } from "./sending.js";
import * as state from "./state.js";
import { Timer } from "./timer.js";

const PAUSE = 400;
const TYPING = 1_000;

const form = document.getElementById("answers");
const { attempt, saveUrl, clockUrl, reviewUrl, submitUrl, resultUrl } = form.dataset;
const { person, csrfCookie } = document.documentElement.dataset;
const client = uuid();
const outbox = new Outbox(person);
const sender = new Sender(outbox, csrfCookie);
const tabs = "BroadcastChannel" in window ? new BroadcastChannel(`ochenta-${person}`) : null;

let soon = 0;
let slow = 0;
let newest = "";
let leaving = false;

/* Whose answers this page has shown: its own, and those it brought back. */
const clients = new Set([client]);

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
  const entry = { slot, answer, flagged, paths, base, client, at: Date.now() };
  const decided = conflict.isShown(fieldset);
  conflict.clear(fieldset);
  answers.complain(fieldset, "");
  map.draw();
  unwritten.set(fieldset, (unwritten.get(fieldset) ?? 0) + 1);
  tell(known);
  writing = writing.then(async () => {
    const fresh = { ...entry, operation: uuid() };
    const seen = ({ client: whose }) => clients.has(whose);
    const entries = await change((all) => queue.add(all, fresh, { decided, seen }));
    written(fieldset);
    showConflicts(entries);
    tell(entries);
  });
  clearTimeout(soon);
  soon = setTimeout(() => writing.then(() => sender.send()), PAUSE);
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
  if (!left) {
    if (newest) state.saved(newest);
  } else if (queue.conflicts(entries).length === left) state.conflict();
  else if (sender.trouble === "signed_out") state.signedOut();
  else if (queue.undecided(entries).length === left) state.refused();
  else if (!navigator.onLine) state.offline();
  else state.waiting(left);
}

const refresh = async () => tell(await outbox.entries(attempt));

const isTyped = ({ slot }) => drafts.has(answers.question(slot));

/* Nobody is interrupted: what is being typed is written down first, and then asked about. */
function showConflicts(entries) {
  for (const entry of queue.conflicts(entries)) {
    if (isTyped(entry)) continue;
    conflict.ask(entry, async (slot, useOurs) => {
      answers.revise(answers.question(slot), entry.conflict.revision);
      map.draw();
      tell(
        await change((all) =>
          useOurs ? queue.useOurs(all, slot, uuid()) : queue.keepTheirs(all, slot),
        ),
      );
      sender.send();
    });
  }
}

function showRefusals(entries) {
  for (const entry of queue.refusals(entries)) {
    if (isTyped(entry)) continue;
    const { sentence, where } = entry.refused;
    answers.complain(answers.question(entry.slot), sentence || form.dataset.wordsRefused, where);
  }
}

/* An answer cannot be read: that is said beside it. */
async function refused({ attempt: whose }) {
  if (whose !== attempt) return;
  const entries = await outbox.entries(attempt);
  showRefusals(entries);
  map.draw();
  tell(entries);
}

/* Take in what the server said of an answer; of another tab's only if nothing is unsent here. */
async function settled({ attempt: whose, client: by, saved }) {
  if (whose !== attempt) return;
  const fieldset = answers.question(saved.slot);
  if (saved.verdict === "late") {
    over();
    return;
  }
  const entries = await outbox.entries(attempt);
  const unsent = drafts.has(fieldset) || queue.latest(entries).has(saved.slot);
  const begun = by !== client && drafts.has(fieldset); // over what stood before: a conflict then
  if (begun) refresh();
  else if (saved.verdict === "accepted" || !queue.latest(entries).get(saved.slot)?.conflict) {
    answers.revise(fieldset, saved.revision);
    if (saved.at > newest) newest = saved.at;
    if (!unsent) answers[by === client ? "stand" : "write"](fieldset, saved);
  }
  showConflicts(entries);
  showRefusals(entries);
  map.draw();
  tell(entries);
}

/* Time is over: send what is here, submit, and say so only when the server has answered. */
async function over() {
  if (leaving) return;
  leaving = true;
  await settleDrafts();
  await sender.flush(5_000);
  await change(queue.readable);
  const submit = document.createElement("form");
  submit.method = "post";
  submit.action = submitUrl;
  submit.append(form.elements.namedItem("csrfmiddlewaretoken").cloneNode());
  document.body.append(submit);
  if (navigator.onLine) submit.submit();
  else addEventListener("online", () => location.assign(resultUrl), { once: true });
}

/* Leave the page only when every answer is safe; else say why not, and stay. */
async function leave(event) {
  event.preventDefault();
  const button = event.submitter;
  clearTimeout(soon);
  await settleDrafts();
  await sender.flush();
  const entries = await outbox.entries(attempt);
  const signedOut = sender.trouble === "signed_out";
  if (queue.waiting(entries) && !signedOut) {
    tell(entries);
    const [unreadable] = queue.refusals(entries);
    if (conflict.first()) conflict.first().focus();
    else if (unreadable) answers.point(answers.question(unreadable.slot));
    else state.point();
    return;
  }
  leaving = true;
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
  form.submit();
}

/* Bring back what was chosen here and never acknowledged. */
async function restore() {
  const entries = await change(queue.retry);
  for (const [slot, entry] of queue.latest(entries)) {
    const fieldset = answers.question(slot);
    if (fieldset) answers.write(fieldset, entry);
    clients.add(entry.client);
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
sender.addEventListener("settled", ({ detail }) => {
  settled(detail);
  tabs?.postMessage(detail);
});
sender.addEventListener("refused", ({ detail }) => refused(detail));
sender.addEventListener("sending", () => {
  clearTimeout(slow);
  slow = setTimeout(state.saving, 800); // a quick save needs no word of its own
});
sender.addEventListener("rest", () => {
  clearTimeout(slow);
  refresh();
});
tabs?.addEventListener("message", ({ data }) => settled(data));
for (const sign of ["online", "offline"]) addEventListener(sign, refresh);
const hurry = () => settleDrafts().then(() => sender.send());
addEventListener("pagehide", hurry);
document.addEventListener("visibilitychange", () => document.hidden && hurry());
addEventListener("pageshow", (event) => event.persisted && location.reload());

await restore();
listen();
const timer = document.querySelector("[data-timer]");
if (timer) new Timer(timer, { url: clockUrl, over });
form.dataset.autosave = "";
await sender.send();
