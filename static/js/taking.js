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

const change = (fold) => outbox.change(attempt, saveUrl, fold);

/* What is written down is written down in the order in which it was chosen. */
let writing = Promise.resolve();

function note(fieldset) {
  const slot = answers.slotOf(fieldset);
  const { answer, flagged } = answers.read(fieldset);
  const entry = { slot, answer, flagged, base: answers.revision(fieldset), client, at: Date.now() };
  conflict.clear(fieldset);
  writing = writing.then(async () => {
    tell(await change((entries) => queue.add(entries, { ...entry, operation: uuid() })));
  });
  clearTimeout(soon);
  soon = setTimeout(() => writing.then(() => sender.send()), PAUSE);
}

/* Say how things stand. */
function tell(entries) {
  const left = queue.waiting(entries);
  if (!left) {
    if (newest) state.saved(newest);
  } else if (queue.conflicts(entries).length === left) state.conflict();
  else if (sender.trouble === "signed_out") state.signedOut();
  else if (entries.some((entry) => entry.refused)) state.failed();
  else if (!navigator.onLine) state.offline();
  else state.waiting(left);
}

const refresh = async () => tell(await outbox.entries(attempt));

function showConflicts(entries) {
  for (const entry of queue.conflicts(entries)) {
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

/* Take in what the server said of an answer; of another tab's only if nothing is unsent here. */
async function settled({ attempt: whose, client: by, saved }) {
  if (whose !== attempt) return;
  const fieldset = answers.question(saved.slot);
  if (saved.verdict === "late") {
    over();
    return;
  }
  const entries = await outbox.entries(attempt);
  if (saved.verdict === "accepted" || !queue.latest(entries).get(saved.slot)?.conflict) {
    answers.revise(fieldset, saved.revision);
    if (saved.at > newest) newest = saved.at;
    if (by !== client && !queue.latest(entries).has(saved.slot)) answers.write(fieldset, saved);
  }
  showConflicts(entries);
  map.draw();
  tell(entries);
}

/* Time is over: send what is here, submit, and say so only when the server has answered. */
async function over() {
  if (leaving) return;
  leaving = true;
  await writing;
  await sender.flush(5_000);
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
  await writing;
  await sender.flush();
  const entries = await outbox.entries(attempt);
  const signedOut = sender.trouble === "signed_out";
  if (queue.waiting(entries) && !signedOut) {
    tell(entries);
    if (conflict.first()) conflict.first().focus();
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
  const entries = await outbox.entries(attempt);
  for (const [slot, entry] of queue.latest(entries)) {
    const fieldset = answers.question(slot);
    if (fieldset) answers.write(fieldset, entry);
  }
  showConflicts(entries);
  map.draw();
  tell(entries);
}

form.addEventListener("change", (event) => {
  const fieldset = event.target.closest("fieldset[data-slot]");
  if (!fieldset) return;
  answers.exclude(fieldset, event.target);
  note(fieldset);
  map.draw();
});
form.addEventListener("submit", leave);
sender.addEventListener("settled", ({ detail }) => {
  settled(detail);
  tabs?.postMessage(detail);
});
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
addEventListener("pagehide", () => sender.send());
document.addEventListener("visibilitychange", () => document.hidden && sender.send());
addEventListener("pageshow", (event) => event.persisted && location.reload());

form.dataset.autosave = "";
await restore();
listen();
const timer = document.querySelector("[data-timer]");
if (timer) new Timer(timer, { url: clockUrl, over });
await sender.send();
