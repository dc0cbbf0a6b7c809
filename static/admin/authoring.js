// The authoring page works without this; here it gains lines on demand, dragging, and rows that
// are offered by name as soon as they are written.

import { uuid } from "../web/js/uuid.js";

const form = document.querySelector("[data-authoring]");
const grids = [...form.querySelectorAll("[data-grid]")];

const written = (line) => [
  ...line.querySelectorAll("textarea, input:not([type=checkbox], [type=hidden], [name$='-order'])"),
].some((field) => field.value.trim() !== field.defaultValue.trim() || (field.value && field.matches("textarea, [name$='-name']")));

function isEmpty(line) {
  return !line.id && !line.querySelector("[name$='-fixed_row']").value && !written(line);
}

// Lines, and how they are called where another table names them.

function rowName(line) {
  const typed = line.querySelector("[name$='-name']");
  const name = line.querySelector("code[data-name]");
  return name?.textContent || typed?.value || line.querySelector("[name$='-order']").value;
}

function beginning(line) {
  const fields = line.querySelectorAll(".cell-texts:not(.line-more) textarea, .cell-line input");
  const text = [...fields].map((field) => field.value.trim()).find(Boolean) || "";
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function rowsOf(table) {
  const lines = form.querySelectorAll(`[data-grid="${table}"] [data-lines] > [data-line]`);
  return [...lines]
    .filter((line) => !isEmpty(line) && !line.querySelector("[name$='-DELETE']")?.checked)
    .map((line) => ({ key: line.dataset.rowId, label: [...new Set([rowName(line), beginning(line)])].filter(Boolean).join(" · ") }));
}

function offerOne(select, rows) {
  const chosen = select.value;
  const gone = [...select.options].find((option) => option.value === chosen);
  const isOffered = chosen === "" || rows.some((row) => row.key === chosen);
  const options = rows.map((row) => new Option(row.label, row.key));
  select.replaceChildren(new Option("–", ""), ...options, ...(isOffered || !gone ? [] : [gone]));
  select.value = chosen;
}

function offerSeveral(list, rows) {
  const ticked = new Set([...list.querySelectorAll("input:checked")].map((input) => input.value));
  const named = list.closest("[data-among]").dataset.name;
  const labels = rows.map((row) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "checkbox", name: named, value: row.key, checked: ticked.has(row.key) });
    label.append(input, row.label);
    return label;
  });
  const holder = document.createElement("div");
  holder.append(...labels);
  list.querySelector("div, ul")?.remove();
  list.append(holder);
}

// Built anew only where the rows are others: what is pressed, or has the focus, stays itself.
function isOffered(cell, rows) {
  const offered = JSON.stringify(rows);
  if (cell.dataset.offered === offered) return true;
  cell.dataset.offered = offered;
  return false;
}

function offer() {
  for (const cell of form.querySelectorAll("[data-lines] [data-among]")) {
    const rows = rowsOf(cell.dataset.among);
    if (isOffered(cell, rows)) continue;
    const select = cell.querySelector("select");
    if (select) offerOne(select, rows);
    else offerSeveral(cell.querySelector(".several"), rows);
  }
}

// One grid: numbers, dragging, taking out, adding.

function arm(grid) {
  const lines = grid.querySelector("[data-lines]");
  const total = grid.querySelector("[name$='-TOTAL_FORMS']");
  const blank = grid.querySelector("[data-blank]");
  const add = grid.querySelector("[data-add]");

  function number() {
    let position = 0;
    for (const line of lines.children) {
      position += 1;
      line.querySelector("[name$='-order']").value = position;
    }
  }

  function armLine(line) {
    const handle = line.querySelector("[data-handle]");
    handle.hidden = false;
    handle.addEventListener("pointerdown", () => { line.draggable = true; });
    handle.addEventListener("pointerup", () => { line.draggable = false; });
    line.addEventListener("dragstart", () => line.classList.add("is-dragged"));
    line.addEventListener("dragend", () => {
      line.draggable = false;
      line.classList.remove("is-dragged");
      number();
      line.dispatchEvent(new Event("input", { bubbles: true }));
    });
    line.addEventListener("change", (event) => {
      if (event.target.name.endsWith("-DELETE") && event.target.checked && isEmpty(line)) line.hidden = true;
    });
  }

  lines.addEventListener("dragover", (event) => {
    const dragged = lines.querySelector(".is-dragged");
    const over = event.target.closest("[data-line]");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const box = over.getBoundingClientRect();
    const after = event.clientY > box.top + box.height / 2;
    lines.insertBefore(dragged, after ? over.nextSibling : over);
  });

  function append() {
    const spare = [...lines.children].find((line) => line.hidden && !line.querySelector("[name$='-DELETE']").checked);
    if (spare) {
      spare.hidden = false;
      lines.append(spare);
      number();
      return spare;
    }
    lines.insertAdjacentHTML("beforeend", blank.innerHTML.replaceAll("__prefix__", total.value).replaceAll("__row_id__", uuid()));
    total.value = Number(total.value) + 1;
    const line = lines.lastElementChild;
    line.querySelector("[name$='-order']").value = lines.children.length;
    armLine(line);
    return line;
  }

  for (const line of lines.children) armLine(line);
  if (!add) return;
  // Blank lines are for pages without this module; here a button brings them when they are wanted.
  const some = [...lines.children].some((line) => !isEmpty(line));
  const least = grid.closest("details") || some ? 0 : grid === grids[0] ? 2 : 1;
  [...lines.children].filter(isEmpty).forEach((line, n) => { line.hidden = n >= least; });
  add.hidden = false;
  add.addEventListener("click", () => {
    const line = append();
    offer();
    line.querySelector(":is(.cells, .cell-texts) :is(select, textarea, input)").focus();
  });
}

// Another kind is another page: it is asked for at once, with what is typed.
const kind = form.querySelector("[name='q-kind']");
const turn = form.querySelector("[data-turn]");
if (turn) {
  turn.hidden = true;
  kind.addEventListener("change", () => form.requestSubmit(turn));
}

// A page that is left with something unsaved asks first; one that was sent back holds it from the start.
let changed = form.hasAttribute("data-unsaved");
form.addEventListener("input", () => { changed = true; });
form.addEventListener("submit", (event) => {
  if (event.submitter?.formTarget !== "_blank") changed = false;
});
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

for (const grid of grids) arm(grid);
offer();
// While somebody types, not when the field is left: then the mouse is on its way to something else.
form.addEventListener("input", (event) => { if (event.target.closest("[data-grid]")) offer(); });
