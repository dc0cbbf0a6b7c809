/* On every page of somebody signed in: send what this device still keeps of theirs, and on signing
   out leave nothing behind. What it keeps of others is neither read nor sent; their pages go. */

import { Outbox } from "./outbox.js";
import { countWaiting } from "./queue.js";
import { register, removePages } from "./stored-pages.js";
import { renewToken, Sender } from "./sync.js";

const { person, csrfCookie } = document.documentElement.dataset;
const outbox = Outbox.of(person);
const countWaitingAnswers = async () =>
  (await outbox.boxes()).reduce((sum, box) => sum + countWaiting(box.entries), 0);

async function signOut(event) {
  const form = event.target.closest("form[data-sign-out]");
  if (!form) return;
  event.preventDefault();
  if (await countWaitingAnswers()) {
    const sender = new Sender(outbox, csrfCookie);
    await sender.flush(4_000);
  }
  if ((await countWaitingAnswers()) && !confirm(form.dataset.signOut)) return;
  await Promise.all([outbox.clear(), removePages({ all: true })]);
  renewToken(form, csrfCookie);
  form.submit();
}

document.addEventListener("submit", signOut);
removePages();
if (document.readyState === "complete") register();
else addEventListener("load", register); // after what the page itself needs

// The pages of an attempt and of practice do this themselves, and speak of it.
if (!document.querySelector("[data-attempt], [data-review], [data-practice]") && (await countWaitingAnswers())) {
  await new Sender(outbox, csrfCookie).send();
}
await outbox.tidy();
