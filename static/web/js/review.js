/* The last look: what this device has not sent yet is sent first, and nothing is submitted before. */

import { offer } from "./save-help.js";
import { Outbox } from "./outbox.js";
import { countWaiting, listConflicts, listRefusals } from "./queue.js";
import { hasToken, isAboutPerson, renewToken, Sender } from "./sync.js";
import { Timer } from "./timer.js";

const SEND_AGAIN_AFTER = 10_000; // milliseconds

const { person, csrfCookie } = document.documentElement.dataset;
const form = document.querySelector("form[data-submit]");
const attempt = form.dataset.submit;
const notice = document.querySelector("[data-unsent]");
const signIn = document.querySelector("[data-signed-out]");
const outbox = Outbox.of(person);
const sender = new Sender(outbox, csrfCookie);
let arrived = false;
let submitting = false;
let sentAt = -Infinity;

sender.addEventListener("settled", ({ detail }) => (arrived ||= detail.attempt === attempt));
sender.addEventListener("rest", async () => {
  if (sender.elsewhere.has(attempt)) return showElsewhere();
  const entries = await outbox.entries(attempt);
  show(entries);
  if (submitting || countWaiting(entries)) return;
  if (arrived) location.reload(); // the list is older than what has arrived
});

/* Say what waits, and why. */
function show(entries) {
  const signedOut = isAboutPerson(sender.trouble);
  notice.hidden = !countWaiting(entries) || signedOut;
  signIn.hidden = !countWaiting(entries) || !signedOut;
  const isFailing = sender.getTrouble(attempt) === "server";
  notice.querySelector("[data-failing]").hidden = !isFailing;
  notice.querySelector("[data-offline]").hidden = isFailing;
  offer({ signIn: signIn.hidden ? "" : sender.trouble });
}

/* The attempt is open on another device: the page of its questions says so, and how to go on here. */
function showElsewhere() {
  location.assign(form.dataset.taking);
}

/* Send the form once: a second time would break off the way to the result, and the clock also says
   "over" of an attempt that has just been submitted from here. Whoever stops it may press again.
   Without cookies the server would refuse it: signing in comes first, and leads back here. */
function submit() {
  if (performance.now() - sentAt < SEND_AGAIN_AFTER) return;
  if (!hasToken(csrfCookie)) return location.reload();
  renewToken(form, csrfCookie);
  sentAt = performance.now();
  form.submit();
}

async function over() {
  if (sentAt > 0) return;
  submitting = true;
  await sender.flush(5_000);
  if (navigator.onLine) submit();
  else addEventListener("online", submit, { once: true });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  submitting = true;
  await sender.flush();
  const entries = await outbox.entries(attempt);
  const [open] = [...listRefusals(entries), ...listConflicts(entries)];
  show(entries);
  if (open) location.assign(`${form.dataset.taking}#q-${open.slot}`);
  else if (!countWaiting(entries)) submit();
  else {
    submitting = false;
    (notice.hidden ? signIn : notice).focus();
  }
});

const timer = document.querySelector("[data-timer]");
if (timer) {
  const elsewhere = (isElsewhere) => isElsewhere && showElsewhere();
  new Timer(timer, { url: form.dataset.clockUrl, over, elsewhere });
}
addEventListener("pageshow", (event) => event.persisted && location.reload());
if (countWaiting(await outbox.entries(attempt))) await sender.send();
