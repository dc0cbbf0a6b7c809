/* The last look: what this device has not sent yet is sent first, and nothing is submitted before. */

import { Outbox } from "./outbox.js";
import { conflicts, refusals, waiting } from "./queue.js";
import { Sender } from "./sending.js";

const { person, csrfCookie } = document.documentElement.dataset;
const form = document.querySelector("form[data-submit]");
const attempt = form.dataset.submit;
const notice = document.querySelector("[data-unsent]");
const outbox = Outbox.of(person);
const sender = new Sender(outbox, csrfCookie);
let arrived = false;
let submitting = false;

sender.addEventListener("settled", ({ detail }) => (arrived ||= detail.attempt === attempt));
sender.addEventListener("rest", async () => {
  const entries = await outbox.entries(attempt);
  notice.hidden = !waiting(entries);
  if (submitting || waiting(entries)) return;
  if (arrived) location.reload(); // the list is older than what has arrived
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  submitting = true;
  await sender.flush();
  const entries = await outbox.entries(attempt);
  const [open] = [...refusals(entries), ...conflicts(entries)];
  notice.hidden = !waiting(entries);
  if (open) location.assign(`${form.dataset.taking}#q-${open.slot}`);
  else if (!waiting(entries)) form.submit();
  else {
    submitting = false;
    notice.focus();
  }
});

addEventListener("pageshow", (event) => event.persisted && location.reload());
if (waiting(await outbox.entries(attempt))) await sender.send();
