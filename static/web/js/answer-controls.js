/* Reading answers out of the questions on the page, and writing them back in.

   No kind is known here. A control says by `data-answer` where its value stands in the answer:
   docs/howto/add-question-type.md, "The page", tells the whole convention. */

import { getValue, setValue } from "./paths.js";
import { whenReleased } from "./pointer.js";

export const listQuestions = () => [...document.querySelectorAll("fieldset[data-slot]")];

export const findQuestion = (slot) => document.getElementById(`q-${slot}`);

export const getSlot = (fieldset) => Number(fieldset.dataset.slot);

export const listControls = (fieldset) =>
  [...fieldset.querySelectorAll("[data-answer]")].filter((control) => !control.disabled);

const findNoneBox = (fieldset) => fieldset.querySelector("[data-none]");

const findFlag = (fieldset) => fieldset.querySelector("[data-flag]");

const isBox = ({ type }) => type === "checkbox" || type === "radio";

const isList = ({ dataset }) => dataset.answer.endsWith("[]");

const isAlways = ({ dataset }) => "always" in dataset;

/* Text is typed letter by letter; everything else changes at once. */
export const isTyped = (control) =>
  control.matches("textarea[data-answer], input[data-answer]") && !isBox(control);

/* A box that says yes, and not which. */
const isYes = (box) => box.matches("[data-none]") || (box.type === "checkbox" && !isList(box));

/* Return the value of a control: a text, or true for a box that stands alone; undefined for nothing. */
function readControl(control) {
  if (!isBox(control)) return control.value.trim() ? control.value : undefined;
  if (!control.checked || !control.value) return undefined;
  return isYes(control) ? true : control.value;
}

/* Return {answer, flagged} as grading's `parse` takes it; null is unanswered. */
export function read(fieldset) {
  const answer = {};
  let answered = false;
  for (const control of listControls(fieldset)) {
    const value = readControl(control);
    if (value === undefined) continue;
    const path = control.dataset.answer;
    setValue(answer, path, isList(control) ? [...(getValue(answer, path) ?? []), value] : value);
    answered ||= !isAlways(control);
  }
  return { answer: answered ? answer : null, flagged: findFlag(fieldset).checked };
}

const findRenderedValue = ({ options, defaultValue }) =>
  options ? ([...options].find((option) => option.defaultSelected) ?? options[0])?.value : defaultValue;

/* Return whether a control differs from what the page was rendered with. */
const isEdited = (control) =>
  isBox(control) ? control.checked !== control.defaultChecked : control.value !== findRenderedValue(control);

/* Return the controls of a question that were changed before any module had loaded. What works
   only without scripts is looked at, too: its own module has read it by now. */
export const listEditsBeforeLoad = (fieldset) =>
  [...fieldset.querySelectorAll("[data-answer]:enabled, [data-flag], select")].filter(isEdited);

/* Return the paths of the controls of a question, for comparing two answers to it. */
export function listPaths(fieldset) {
  const names = listControls(fieldset).map((control) =>
    isBox(control) ? control.dataset.answer.replace("[]", "{}") : control.dataset.answer,
  );
  return [...new Set(names)];
}

/* Yield each control with its part of an answer: of a list of texts, its own member. */
function* iterateValues(fieldset, answer) {
  const positions = new Map();
  for (const control of listControls(fieldset)) {
    const path = control.dataset.answer;
    const value = getValue(answer, path);
    if (!isList(control) || isBox(control)) {
      yield [control, value];
      continue;
    }
    const position = positions.get(path) ?? 0;
    positions.set(path, position + 1);
    yield [control, value?.[position]];
  }
}

/* Return whether this box is checked where the answer has `value` in its place. */
function isChecked(box, value) {
  if (!box.value) return false;
  return Array.isArray(value) ? value.includes(box.value) : value === (isYes(box) || box.value);
}

export function write(fieldset, response) {
  const { answer, flagged } = response;
  for (const [control, value] of iterateValues(fieldset, answer)) {
    if (control.matches("[data-no-answer]")) control.checked = !answer;
    else if (isBox(control)) control.checked = isChecked(control, value);
    else control.value = value ?? (isAlways(control) ? control.dataset.always : "");
  }
  findFlag(fieldset).checked = flagged;
  setBaseline(fieldset, response);
  fieldset.dispatchEvent(new Event("answers:written"));
}

/* What stands here, where that is not what the page was drawn with: control → its value, question →
   the sentence that says how its answer was read. */
const baselines = new WeakMap();
const interpretations = new WeakMap();

const getState = (control) => (isBox(control) ? control.checked : control.value);

const getBaseline = (control) =>
  baselines.get(control) ?? (isBox(control) ? control.defaultChecked : control.defaultValue);

/* What the controls say now is kept; `interpretation` says how it was read, where that could be doubted. */
export function setBaseline(fieldset, { interpretation: sentence = "" }) {
  for (const control of listControls(fieldset)) baselines.set(control, getState(control));
  interpretations.set(fieldset, sentence);
  showInterpretation(fieldset);
}

/* Show how the answer was read; nothing while the controls have another one. */
function showInterpretation(fieldset) {
  const place = fieldset.querySelector("[data-read-as]");
  if (!place) return;
  if (!interpretations.has(fieldset)) interpretations.set(fieldset, place.textContent);
  const isUnchanged = listControls(fieldset).every((control) => getState(control) === getBaseline(control));
  showSentence(place, isUnchanged ? interpretations.get(fieldset) : "");
}

/* A sentence moves what stands below it. */
function showSentence(place, sentence) {
  place.dataset.sentence = sentence;
  whenReleased(() => {
    const newest = place.dataset.sentence;
    if (place.textContent !== newest) place.textContent = newest;
  });
}

const getParentPath = ({ dataset }) => dataset.answer.slice(0, dataset.answer.lastIndexOf(".") + 1);

/* Somebody changed this: what is sent along beside it says again what this page says; but beside a
   text that is once more the one that stands, what stands with it, as forms without scripts do. */
export function touch(fieldset, changed) {
  if (!changed.matches("[data-answer]")) return;
  const isBaseline = isTyped(changed) && changed.value === getBaseline(changed);
  for (const control of listControls(fieldset)) {
    if (!isAlways(control) || getParentPath(control) !== getParentPath(changed)) continue;
    if (!baselines.has(control)) baselines.set(control, control.value); // as drawn: nobody touched it yet
    control.value = (isBaseline && baselines.get(control)) || control.dataset.always;
  }
  showInterpretation(fieldset);
}

/* "None of these" and the others exclude each other: the newest choice stands. */
export function applyExclusion(fieldset, changed) {
  const noneBox = findNoneBox(fieldset);
  if (!noneBox || !changed.checked || changed.matches("[data-flag]")) return;
  if (changed !== noneBox) noneBox.checked = false;
  else for (const box of listControls(fieldset)) if (isBox(box) && box !== noneBox) box.checked = false;
}

const readLabel = (control) =>
  (control.labels?.[0]?.innerText ?? control.getAttribute("aria-label") ?? "").trim();

/* Return a value of a control as text: its label, its option, or the value itself. */
function renderControl(fieldset, control, value) {
  if (isBox(control)) return isChecked(control, value) ? readLabel(control) : "";
  if (isAlways(control) || !value) return "";
  if (control.options) {
    return [...control.options].find((option) => option.value === value)?.text.trim() ?? "";
  }
  const shownText = fieldset.querySelector(`[data-says="${CSS.escape(value)}"]`);
  return shownText ? shownText.innerText.trim() : value;
}

/* Return an answer in the words of the page; `noAnswer` is the text for no answer. */
export function renderAnswer(fieldset, answer, noAnswer) {
  const fields = listControls(fieldset).filter((control) => !isBox(control) && !isList(control));
  const several = fields.filter((control) => !isAlways(control)).length > 1;
  const all = [...iterateValues(fieldset, answer)].map(([control, value]) => {
    const text = renderControl(fieldset, control, value);
    return text && several && !isBox(control) && readLabel(control) ? `${readLabel(control)}: ${text}` : text;
  });
  return all.filter(Boolean).join("; ") || noAnswer;
}

/* Show an error at its question, and mark the controls it is about (`where`: a path,
   or several, or none for all of them); "" removes it. */
export function showError(fieldset, sentence, where = []) {
  const place = fieldset.querySelector("[data-error]");
  showSentence(place, sentence);
  const places = [where].flat().filter(Boolean);
  const within = (path, other) => `${path}.`.startsWith(`${other}.`);
  for (const control of listControls(fieldset).filter((other) => !isBox(other))) {
    const path = control.dataset.answer.replace("[]", "");
    const concerned =
      !places.length || places.some((place) => within(path, place) || within(place, path));
    control.setAttribute("aria-invalid", String(Boolean(sentence) && concerned));
  }
}

export function hasError(fieldset) {
  const place = fieldset.querySelector("[data-error]");
  return Boolean((place.dataset.sentence ?? place.textContent).trim());
}

/* Take the reader to what is wrong in a question. */
export function focusError(fieldset) {
  (fieldset.querySelector("[data-answer][aria-invalid=true]:not([type=hidden])") ?? fieldset).focus();
}

export const readRevision = (fieldset) => Number(fieldset.querySelector("[data-revision]").value);

/* Revisions only grow: an older word that comes late changes nothing. */
export function revise(fieldset, number) {
  const newer = Math.max(number, readRevision(fieldset));
  fieldset.querySelector("[data-revision]").value = String(newer);
}
