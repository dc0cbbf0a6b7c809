/* Asks which of two numbers was meant as soon as a text that can be read in two ways was typed: after
   a pause, when the field is left, and before Tab goes on. What was said of another text is
   forgotten. Without this module the server asks when it has saved the text. */

import { findReadings } from "./number-readings.js";
import { whenReleased } from "./pointer.js";

const PAUSE = 600;
const timers = new WeakMap(); // field → the timer of its pause

const findField = (fieldset, { dataset }) =>
  fieldset.querySelector(`[data-answer="${CSS.escape(dataset.numberQuestion)}"]`);

/* Yield each question of a fieldset with the field that it is about. */
function* listQuestions(fieldset) {
  for (const group of fieldset?.querySelectorAll("[data-number-question]") ?? []) {
    yield [group, findField(fieldset, group)];
  }
}

const findQuestion = (field) =>
  [...listQuestions(field.closest("fieldset[data-slot]"))].find(([, other]) => other === field)?.[0];

const getTypedText = (group) => group.querySelector("[data-typed]");

/* Ask about what stands in the field, or ask nothing. */
function update(group, { value }) {
  const readings = findReadings(value);
  forget(group, value);
  if (readings) {
    getTypedText(group).textContent = value.trim();
    group.querySelector("[data-integer]").textContent = readings.integer;
    group.querySelector("[data-joined]").textContent = readings.joined;
  }
  group.toggleAttribute("data-asks", Boolean(readings));
}

/* What was said of another text does not hold for this one. */
function forget(group, value) {
  if (getTypedText(group).textContent === value.trim()) return;
  for (const radio of group.querySelectorAll("input")) radio.checked = false;
}

function onInput({ target }) {
  const group = findQuestion(target);
  if (!group) return;
  forget(group, target.value);
  clearTimeout(timers.get(target));
  timers.set(target, setTimeout(() => whenReleased(() => update(group, target)), PAUSE));
}

function onChange({ target }) {
  const group = findQuestion(target);
  if (group) whenReleased(() => update(group, target));
}

/* The next stop of Tab is found after this: the question must be there by then. */
function onKeydown({ key, target }) {
  const group = key === "Tab" && findQuestion(target);
  if (group) update(group, target);
}

function onWritten({ target }) {
  for (const [group, field] of listQuestions(target)) {
    getTypedText(group).textContent = field.value.trim(); // what was said came along with the text
    update(group, field);
  }
}

const form = document.getElementById("answers");
form.addEventListener("input", onInput);
form.addEventListener("change", onChange);
form.addEventListener("keydown", onKeydown);
form.addEventListener("answers:written", onWritten, true);
for (const fieldset of document.querySelectorAll("fieldset[data-slot]")) onWritten({ target: fieldset });
