/* Study without reloads, and by keys. The page is complete without this: each button is a form. What
   a form or a link of the card answers takes the place of the card; without a network, the next card
   that is stored does (stored-study.js); else the browser goes there itself. */

import { storedSince, storePage } from "./stored-pages.js";
import { StoredStudy } from "./stored-study.js";

const note = document.querySelector("[data-study-offline]");
const stored = new StoredStudy(note, () => {
  if (isOffline) location.assign(note.dataset.studyUrl);
});
let isOffline = false;

const root = () => document.querySelector("[data-study]");
let busy = false;

addEventListener("online", () => isOffline && stored.resume());

const isWriting = (target) =>
  target.isContentEditable || target.matches?.("textarea, select, input:not([type=radio], [type=checkbox])");

/* Take the card, and what is said about the last one, out of the page that came. */
function exchange(html, address) {
  const next = new DOMParser().parseFromString(html, "text/html");
  const card = next.querySelector("[data-study]");
  if (!card) return location.assign(address); // signed out, say
  document.querySelector(".messages")?.remove();
  show(document.adoptNode(card));
  const messages = next.querySelector(".messages");
  if (messages) root().before(document.adoptNode(messages));
}

function show(card) {
  root().replaceWith(card);
  card.querySelector("[data-question]")?.focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/* Show the next card that is stored; false if none is. */
async function showStored() {
  const card = await stored.next();
  if (!card) return false;
  isOffline = true;
  show(card);
  return true;
}

/* Go on without a network with what a form says; false if no card is stored. */
async function reviewOffline(form, submitter) {
  busy = true;
  try {
    if (!(await stored.next())) return false;
    await stored.review(form, submitter);
    return await showStored();
  } finally {
    busy = false;
  }
}

async function load(address, options) {
  if (busy) return;
  busy = true;
  try {
    const answer = await fetch(address, { credentials: "same-origin", ...options });
    if (!answer.ok) throw new Error(String(answer.status));
    exchange(await answer.text(), answer.url);
  } finally {
    busy = false;
  }
}

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!root()?.contains(form)) return;
  event.preventDefault();
  if (busy) return;
  if (isOffline) return void (await reviewOffline(form, submitter));
  const body = new URLSearchParams(new FormData(form, submitter));
  try {
    // Not form.action: buttons of that name take its place.
    await load(form.getAttribute("action"), { method: "POST", body });
    await stored.noteSaved(form, submitter);
  } catch (error) {
    if (error instanceof TypeError && submitter?.value !== "undo" && (await reviewOffline(form, submitter))) return;
    // Sent again it is the same entry: it has a name of its own.
    if (submitter?.name) form.append(hidden(submitter.name, submitter.value));
    form.submit();
  }
});

function hidden(name, value) {
  const input = document.createElement("input");
  Object.assign(input, { type: "hidden", name, value });
  return input;
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("[data-study] a[data-study-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await load(link.href);
  } catch {
    location.assign(link.href);
  }
});

/* A card that is turned over is read from its back on. */
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches?.("[data-answer]") && target.open) {
      target.querySelector("[data-back]").focus({ preventScroll: true });
      target.querySelector(".study-rate")?.scrollIntoView({ block: "nearest" });
    }
  },
  true,
);

const press = (selector) => root()?.querySelector(selector)?.click();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isWriting(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const answer = root()?.querySelector("[data-answer]");
  const help = root()?.querySelector("[data-keys-help]");
  const own = event.target.closest?.("a, button, summary, input");
  if (event.key === " " && answer && !answer.open && !own) answer.open = true;
  else if (/^[1-4]$/.test(event.key) && answer?.open) press(`[name="rating"][value="${event.key}"]`);
  else if (event.key === "u") press('[value="undo"]');
  else if (event.key === "b") press('[value="bury"]');
  else if (event.key === "s") press('[value="suspend"]');
  else if (event.key === "?" && help) help.open = !help.open;
  else return;
  event.preventDefault();
});

if (storedSince) await showStored();
else await storePage(note.dataset.cardsUrl);
