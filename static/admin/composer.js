// The composer works without this: every button sends the form. Here rows are moved and dragged in
// place, the search opens over the page, and the totals follow while somebody types.

import { acceptDragged, prepareHandle } from "./dragging.js";

const PAUSE = 300;
const STORING = ["save", "publish", "overwrite"];
const form = document.querySelector("[data-composer]");
const rows = form.querySelector("[data-rows]");
const picker = form.querySelector("[data-picker]");
const enemies = form.querySelector("[data-enemies]");
const status = form.querySelector("[data-status]");
const part = (name, root = form) => root.querySelector(`[data-part="${name}"]`);

const fill = (text, values) => text.replaceAll(/\{(\w+)\}/g, (_match, name) => values[name]);

let changed = form.hasAttribute("data-unsaved");
let timer = 0;
let request = new AbortController();

function say(text, values = {}) {
  status.textContent = fill(text, values);
}

// What the server makes of the form with this action: the page, as it would be without scripts.
async function ask(action) {
  clearTimeout(timer);
  request.abort();
  request = new AbortController();
  const body = new FormData(form);
  body.set("do", action);
  try {
    const response = await fetch(location.pathname, { method: "POST", body, signal: request.signal });
    // Redirected: the page that asks who it is, after hours.
    if (response.redirected || response.status >= 500) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!page.querySelector("[data-composer]")) throw new Error("another page");
    form.removeAttribute("data-outdated");
    status.classList.add("visually-hidden");
    return page;
  } catch (error) {
    if (error.name === "AbortError") return null;
    form.setAttribute("data-outdated", "");
    status.classList.remove("visually-hidden");
    say(form.dataset.failed);
    return null;
  }
}

// Parts that only tell: what has the focus, or is unchanged, stays itself.
function tell(page) {
  for (const fresh of page.querySelectorAll("[data-part]")) {
    if (["rows", "picker", "results"].includes(fresh.dataset.part)) continue;
    const old = part(fresh.dataset.part);
    if (!old || old.contains(document.activeElement) || old.innerHTML === fresh.innerHTML) continue;
    old.replaceChildren(...fresh.childNodes);
    old.hidden = fresh.hidden;
  }
}

async function refresh() {
  const page = await ask("show");
  if (page) tell(page);
}

function touch() {
  changed = true;
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE);
}

// Rows in their order.

const isSection = (row) => row.hasAttribute("data-section");

function listBlock(heading) {
  const block = [heading];
  for (let next = heading.nextElementSibling; next && !isSection(next); next = next.nextElementSibling) block.push(next);
  return block;
}

function tellPlace(row) {
  const listed = [...rows.children].filter((other) => isSection(other) === isSection(row));
  say(form.dataset.moved, { number: listed.indexOf(row) + 1, count: listed.length });
}

// The neighbour moves, not the row: so the button that is pressed keeps the focus.
function move(row, step) {
  if (isSection(row)) {
    const headings = [...rows.children].filter(isSection);
    const other = headings[headings.indexOf(row) + step];
    if (other && step < 0) listBlock(row).at(-1).after(...listBlock(other));
    else if (other) row.before(...listBlock(other));
  } else {
    const other = step < 0 ? row.previousElementSibling : row.nextElementSibling;
    const isTop = step < 0 && other === rows.firstElementChild && isSection(other);
    if (other && !isTop && step < 0) row.after(other);
    else if (other && step > 0) row.before(other);
  }
  tellPlace(row);
  touch();
}

function prepareRow(row) {
  let block = [];
  row.addEventListener("dragstart", () => { block = isSection(row) ? listBlock(row).slice(1) : []; });
  prepareHandle(row, () => {
    row.after(...block);
    const first = [...rows.children].find(isSection);
    if (first && !isSection(rows.firstElementChild)) rows.prepend(first);
    tellPlace(row);
    touch();
  });
}

// Adding, and finding what to add.

async function add(action) {
  if (action === "separate" && countTicked() < 2) {
    picker.querySelector("[data-picked]").textContent = form.dataset.few;
    picker.querySelector("[data-picked]").hidden = false;
    return;
  }
  const before = new Set([...rows.children].map((row) => row.dataset.row));
  const page = await ask(action);
  if (!page) return;
  const fresh = [...part("rows", page).children].filter((row) => !before.has(row.dataset.row));
  rows.replaceChildren(...part("rows", page).children);
  for (const row of rows.children) prepareRow(row);
  tell(page);
  changed = true;
  if (picker.open) picker.close();
  for (const tick of picker.querySelectorAll("[name=pick]")) {
    if (tick.type === "hidden") tick.remove(); // of another page of the search
    else tick.checked = false;
  }
  countTicked();
  if (action === "separate") enemies.querySelector("li:last-child [type=checkbox]")?.focus();
  if (!fresh.length) return;
  say(form.dataset.added, { count: fresh.length });
  fresh[0].scrollIntoView({ block: "nearest" });
  fresh[0].querySelector("input:not([type=hidden])").focus();
}

function countTicked() {
  const label = picker.querySelector("[data-picked]");
  const count = picker.querySelectorAll("[name=pick]:checked, [name=pick][type=hidden]").length;
  label.dataset.text ??= label.textContent;
  label.textContent = fill(label.dataset.text, { count });
  label.hidden = count === 0;
  return count;
}

async function find(action) {
  if (!picker.open) {
    picker.showModal();
    picker.querySelector("[name=find-text]").focus();
  }
  const page = await ask(action);
  if (!page) return;
  part("results", picker).replaceChildren(...part("results", page).childNodes);
  countTicked();
}

form.addEventListener("submit", (event) => {
  let action = event.submitter?.value ?? "show";
  if (STORING.includes(action)) {
    changed = false;
    return;
  }
  event.preventDefault();
  const isClosing = event.submitter?.hasAttribute("data-close");
  if (action === "show" && picker.open && !isClosing) action = "find:1"; // Enter in the search
  const [name, key] = action.split(":");
  if (name === "up" || name === "down") move(rows.querySelector(`[data-row="${CSS.escape(key)}"]`), name === "up" ? -1 : 1);
  else if (name === "find") find(action);
  else if (name === "find-here") {
    picker.querySelector("[name=find-use]").value = "here";
    find("find:1");
  }
  else if (isClosing) picker.close();
  else if (action === "show") refresh();
  else add(action);
});

form.addEventListener("input", (event) => {
  if (picker.contains(event.target)) return;
  if (rows.contains(event.target) || enemies.contains(event.target)) touch();
});

form.addEventListener("change", (event) => {
  const { target } = event;
  const row = target.closest("[data-row]");
  if (target.name === "remove") say(target.checked ? form.dataset.removed : form.dataset.restored);
  else if (target.hasAttribute("data-to")) {
    listBlock(rows.querySelector(`[data-row="${CSS.escape(target.value)}"]`)).filter((other) => other !== row).at(-1).after(row);
    target.focus();
    tellPlace(row);
  } else if (target.name === "pick") countTicked();
  else if (target.closest(".picker-filters select")) find("find:1");
});

form.addEventListener("unsent", () => { changed = true; }); // its person was signed out
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

acceptDragged(rows);
for (const row of rows.children) prepareRow(row);
if (picker.open) {
  picker.removeAttribute("open");
  picker.showModal();
  countTicked();
}
