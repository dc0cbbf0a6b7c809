/* The one line that says in words whether the answers are safe. The sentences are the template's. */

const line = document.querySelector("[data-save-state]");
const words = line.querySelector("[data-save-words]");
const { timeZone } = document.documentElement.dataset;

/* name → [the line's state, the sentence's data attribute]. */
const STATUSES = {
  saved: ["saved", "wordsSaved"],
  saving: ["saving", "wordsSaving"],
  waiting: ["waiting", "wordsWaitingMany"],
  waiting_one: ["waiting", "wordsWaitingOne"],
  offline: ["offline", "wordsOffline"],
  failing: ["waiting", "wordsFailing"],
  signed_out: ["waiting", "wordsSignin"],
  elsewhere: ["waiting", "wordsElsewhere"],
  other_person: ["waiting", "wordsOther"],
  at_risk: ["at-risk", "wordsAtRisk"],
  signed_out_at_risk: ["at-risk", "wordsSigninAtRisk"],
  conflict: ["conflict", "wordsConflict"],
  refused: ["failed", "wordsRefused"],
};

const formatClock = (instant) =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone: timeZone || undefined,
  }).format(new Date(instant));

/* Show a status by its name; `count` answers wait, the newest was saved at `at`. */
export function show(name, { count = 0, at = "" } = {}) {
  const [state, key] = STATUSES[name === "waiting" && count === 1 ? "waiting_one" : name];
  const time = at && formatClock(at);
  const sentence = line.dataset[key].replace("{time}", time).replace("{n}", String(count));
  line.dataset.state = state;
  if (words.textContent.trim() !== sentence) words.textContent = sentence; // read aloud once
}

/* Take the reader to it, when what they asked for must wait. */
export function focus() {
  line.tabIndex = -1;
  line.focus();
}
