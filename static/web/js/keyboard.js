/* Keys: digits choose, n and p go on and back, f flags, ? helps. They can be turned off, and they
   never act while somebody is writing in a field or holds a modifier. */

import { findQuestion } from "./answer-controls.js";
import { findInSight, goTo } from "./one-question.js";

const OFF = "keys-off";
const help = document.querySelector("dialog[data-help]");
const voice = document.querySelector("[data-voice]");
const toggle = help.querySelector("[data-keys]");

function readStored() {
  try {
    return localStorage.getItem(OFF) === "yes";
  } catch {
    return false; // nothing may be kept: the keys are on
  }
}

function keep(off) {
  try {
    if (off) localStorage.setItem(OFF, "yes");
    else localStorage.removeItem(OFF);
  } catch {
    // it then lasts for this page
  }
}

const isWriting = (target) =>
  target.isContentEditable ||
  target.matches("textarea, select, input:not([type=radio], [type=checkbox])");

/* The question one is in; without any focus, the first whose end is still in sight. */
function findCurrent() {
  return document.activeElement?.closest("fieldset[data-slot]") ?? findInSight();
}

function go(step) {
  const inside = document.activeElement?.closest("fieldset[data-slot]");
  const at = Number(findCurrent().dataset.slot);
  const target = inside || step < 0 ? findQuestion(at + step) : findCurrent();
  if (!target) {
    say(step > 0 ? voice.dataset.wordsLast : voice.dataset.wordsFirst);
    return;
  }
  goTo(target);
}

/* Digits mean options; a question without any has nothing to choose by number. */
function choose(number) {
  const fieldset = findCurrent();
  const input = fieldset.querySelectorAll(".option input")[number - 1];
  if (!input) return;
  const back = input.type === "radio" && input.checked;
  const target = (back && fieldset.querySelector("[data-no-answer]")) || input;
  target.focus();
  target.click();
}

function flag() {
  const question = findCurrent();
  if (question.disabled) return; // open on another device
  const box = question.querySelector("[data-flag]");
  box.click();
  say(box.checked ? voice.dataset.wordsFlagged : voice.dataset.wordsUnflagged);
}

function say(words) {
  voice.textContent = "";
  requestAnimationFrame(() => (voice.textContent = words));
}

const KEYS = { n: () => go(1), p: () => go(-1), f: flag, "?": () => help.showModal() };

function handleKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (toggle.checked === false || isWriting(event.target)) return;
  const dialog = document.querySelector("dialog[open]");
  if (dialog) {
    if (dialog === help && event.key === "?") help.close();
    return;
  }
  const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
  if (!digit && !KEYS[event.key]) return;
  event.preventDefault();
  if (digit) choose(digit);
  else KEYS[event.key]();
}

export function listen() {
  toggle.checked = !readStored();
  toggle.addEventListener("change", () => keep(!toggle.checked));
  document.addEventListener("keydown", handleKey);
  for (const button of document.querySelectorAll("[data-help-open]")) {
    button.hidden = false;
    button.addEventListener("click", () => help.showModal());
  }
}
