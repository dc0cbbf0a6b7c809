/* The one line that says in words whether the answers are safe. The sentences are the template's. */

const line = document.querySelector("[data-save-state]");
const words = line.querySelector("[data-save-words]");
const { timeZone } = document.documentElement.dataset;

function show(state, sentence) {
  line.dataset.state = state;
  if (words.textContent.trim() !== sentence) words.textContent = sentence; // told once
}

const clock = (instant) =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone: timeZone || undefined,
  }).format(new Date(instant));

export const saved = (instant) =>
  show("saved", line.dataset.wordsSaved.replace("{time}", clock(instant)));

export const saving = () => show("saving", line.dataset.wordsSaving);

export const offline = () => show("offline", line.dataset.wordsOffline);

/* `trouble`: "signed_out" or "other_person". */
export const signedOut = (trouble) =>
  show("waiting", line.dataset[trouble === "other_person" ? "wordsOther" : "wordsSignin"]);

export const atRisk = () => show("at-risk", line.dataset.wordsAtRisk);

export const signedOutAtRisk = () => show("at-risk", line.dataset.wordsSigninAtRisk);

export const conflict = () => show("conflict", line.dataset.wordsConflict);

export const refused = () => show("failed", line.dataset.wordsRefused);

export function waiting(count) {
  const { wordsWaitingOne, wordsWaitingMany } = line.dataset;
  show("waiting", count === 1 ? wordsWaitingOne : wordsWaitingMany.replace("{n}", String(count)));
}

/* Take the reader to it, when what they asked for must wait. */
export function point() {
  line.tabIndex = -1;
  line.focus();
}
