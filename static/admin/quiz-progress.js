// Who is taking a quiz: the rows anew every five seconds while the page is in sight.
// What is chosen stays chosen. Without this module the page has the rows as of its loading.

import { whenReleased } from "../web/js/pointer.js";

const EVERY = 5000;
const form = document.querySelector("[data-progress]");
const rows = form.querySelector("[data-progress-rows]");
const lost = form.querySelector("[data-progress-lost]");
const all = form.querySelector("[data-progress-all]");

function listBoxes() {
  return [...rows.querySelectorAll("input[type=checkbox]")];
}

// What tells a box, a button or a link of the rows from all others.
function nameElement(element) {
  return element.getAttribute("href") ?? `${element.name} ${element.value}`;
}

const actions = [...form.querySelectorAll("[data-progress-action]")];
for (const button of actions) button.dataset.text = button.textContent;

// Each button says for whom it is, and sends that along: who was chosen may hand in meanwhile.
function updateScope() {
  const chosen = listBoxes().filter((box) => box.checked).length;
  const counts = rows.querySelector("[data-running]").dataset;
  form.querySelector("[data-progress-for]").value = chosen ? "chosen" : "all";
  for (const button of actions) {
    const count = chosen || Number(counts[button.dataset.progressAction]);
    const text = form.dataset[`for${chosen ? "Chosen" : "All"}${count === 1 ? "One" : ""}`].replace("{count}", count);
    const [label, dots] = button.dataset.text.split(/(…)$/);
    button.textContent = count ? `${label} ${text}${dots ?? ""}` : button.dataset.text;
  }
}

let newest = "";
let isScopeLost = false;

async function update() {
  try {
    const response = await fetch(form.dataset.progress);
    // Redirected: the page that asks who it is.
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    newest = await response.text();
    lost.hidden = true;
    // While the mouse is down the rows stay: a new row under it would never get the click.
    whenReleased(replaceRows);
  } catch {
    lost.hidden = false;
  }
}

function replaceRows() {
  const chosen = new Set(listBoxes().filter((box) => box.checked).map((box) => box.value));
  const active = document.activeElement;
  const focused = rows.contains(active) && active.matches("a, input, button") ? nameElement(active) : null;
  const scrolled = rows.querySelector(".own-scroll")?.scrollLeft ?? 0;
  rows.replaceChildren(...new DOMParser().parseFromString(newest, "text/html").body.children);
  for (const box of listBoxes()) box.checked = chosen.has(box.value);
  // When all who were chosen are gone, what is pressed is still not for everybody.
  const isLost = chosen.size > 0 && !listBoxes().some((box) => box.checked);
  isScopeLost ||= isLost;
  if (!isScopeLost) updateScope();
  [...rows.querySelectorAll("a, input, button")]
    .find((element) => nameElement(element) === focused)
    ?.focus({ preventScroll: true });
  rows.querySelector(".own-scroll")?.scrollTo({ left: scrolled });
}

async function repeat() {
  if (!document.hidden) await update();
  setTimeout(repeat, EVERY);
}

setTimeout(repeat, EVERY);
document.addEventListener("visibilitychange", () => document.hidden || update());

if (actions.length) {
  updateScope();
  form.addEventListener("change", () => {
    isScopeLost = false;
    updateScope();
  });
}
if (all) {
  all.hidden = false;
  all.addEventListener("click", () => {
    listBoxes().forEach((box) => { box.checked = true; });
    isScopeLost = false;
    updateScope();
  });
}
