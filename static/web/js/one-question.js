/* One question at a time: where the quiz asks for it, or whoever takes it prefers it on this device.
   Buttons, swipes and the map lead on. Without this module all questions stand on the page. */

import { hasError, listQuestions } from "./answer-controls.js";

const CHOICE = "one-question";
const FAR = 60; // pixels across the screen that are a swipe, if they are twice those along it
const NO_SWIPE = "textarea, input, select, pre, math, .table-scroll, [data-order]";

const form = document.getElementById("answers");
const steps = document.querySelector("[data-steps]");
const choices = [...document.querySelectorAll("[data-one-question-choice]")];

function readChoice() {
  try {
    return localStorage.getItem(CHOICE) === "yes";
  } catch {
    return false; // nothing may be kept: all are shown
  }
}

function keepChoice(isOne) {
  try {
    if (isOne) localStorage.setItem(CHOICE, "yes");
    else localStorage.removeItem(CHOICE);
  } catch {
    // it then lasts for this page
  }
}

const isActive = () => "oneQuestion" in form.dataset;
const isShown = (question) => "shown" in question.dataset;
const findShown = () => listQuestions().find(isShown);

/* Bring a question in sight; where all are shown, there is nothing to do. */
export function show(question) {
  if (!isActive() || !question) return;
  const all = listQuestions();
  for (const other of all) {
    if (other === question) other.dataset.shown = "";
    else delete other.dataset.shown;
  }
  const [back, on] = steps.querySelectorAll("[data-step]");
  back.disabled = question === all[0];
  on.disabled = question === all.at(-1);
  chooseMainButton();
}

/* The main button goes on to the next question until the last one; then to the review. */
function chooseMainButton() {
  const [, on] = steps.querySelectorAll("[data-step]");
  const goesOn = isActive() && !on.disabled;
  on.classList.toggle("button-main", goesOn);
  form.querySelector('[name="action"][value="review"]').classList.toggle("button-main", !goesOn);
}

/* Bring a question in sight and go on there. */
export function goTo(question) {
  show(question);
  question.focus({ preventScroll: true });
  question.scrollIntoView({ block: "start" });
}

/* Return the question that is shown alone, else the first whose end is still in sight. */
export function findInSight() {
  const all = listQuestions();
  const isInSight = (question) => question.getBoundingClientRect().bottom > innerHeight / 3;
  return (isActive() && findShown()) || (all.find(isInSight) ?? all.at(-1));
}

function step(by) {
  const all = listQuestions();
  const target = all[all.indexOf(findShown()) + by];
  if (target) goTo(target);
}

const findTarget = () => location.hash.startsWith("#q-") && document.querySelector(location.hash);

function listenToSwipes() {
  let start = null;
  const questions = form.querySelector(".questions");
  questions.addEventListener(
    "touchstart",
    ({ target, touches }) => (start = touches.length > 1 || target.closest(NO_SWIPE) ? null : touches[0]),
    { passive: true },
  );
  questions.addEventListener("touchend", ({ changedTouches: [end] }) => {
    if (!start || !isActive()) return;
    const [across, along] = [end.clientX - start.clientX, end.clientY - start.clientY];
    start = null;
    if (Math.abs(across) > FAR && Math.abs(across) > 2 * Math.abs(along)) step(across < 0 ? 1 : -1);
  });
}

function draw() {
  steps.hidden = !isActive();
  chooseMainButton();
  for (const choice of choices) choice.querySelector("input").checked = isActive();
}

function choose(isOne) {
  const current = findInSight();
  if (isOne) form.dataset.oneQuestion = "";
  else delete form.dataset.oneQuestion;
  keepChoice(isOne);
  draw();
  show(current);
  current.scrollIntoView({ block: "start" });
}

export function listen() {
  if ("locksQuestions" in form.dataset) return; // the server shows one, and goes on
  const first = listQuestions().find(hasError) ?? (findTarget() || findInSight());
  if ("asksOneQuestion" in form.dataset || readChoice()) form.dataset.oneQuestion = "";
  for (const choice of choices) {
    choice.hidden = false;
    choice.querySelector("input").addEventListener("change", ({ target }) => choose(target.checked));
  }
  for (const button of steps.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => step(Number(button.dataset.step)));
  }
  addEventListener("hashchange", () => {
    const target = findTarget();
    show(target);
    if (target && isActive()) target.scrollIntoView({ block: "start" });
  });
  listenToSwipes();
  draw();
  show(first);
}
