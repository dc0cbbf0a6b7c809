// The authoring page works without this; here it gains rows on demand, dragging, and rows that
// are offered by name as soon as they are written.

import { uuid } from "../web/js/uuid.js";
import { acceptDragged, prepareHandle } from "./dragging.js";

const form = document.querySelector("[data-authoring]");
const tables = [...form.querySelectorAll("[data-table]")];

const isWritten = (row) => [
  ...row.querySelectorAll("textarea, input:not([type=checkbox], [type=hidden], [name$='-order'])"),
].some((field) => field.value.trim() !== field.defaultValue.trim() || (field.value && field.matches("textarea, [name$='-name']")));

function isEmpty(row) {
  return !row.id && !row.querySelector("[name$='-fixed_row']").value && !isWritten(row);
}

// Rows, and how they are called where another table names them.

function nameRow(row) {
  const typed = row.querySelector("[name$='-name']");
  const name = row.querySelector("code[data-name]");
  return name?.textContent || typed?.value || row.querySelector("[name$='-order']").value;
}

function excerptRow(row) {
  const fields = row.querySelectorAll(".cell-texts:not(.row-extra) textarea, .cell-line input");
  const text = [...fields].map((field) => field.value.trim()).find(Boolean) || "";
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function listRows(table) {
  const elements = form.querySelectorAll(`[data-table="${table}"] [data-rows] > [data-row]`);
  return [...elements]
    .filter((row) => !isEmpty(row) && !row.querySelector("[name$='-DELETE']")?.checked)
    .map((row) => ({ id: row.dataset.rowId, label: [...new Set([nameRow(row), excerptRow(row)])].filter(Boolean).join(" · ") }));
}

function offerInSelect(select, rows) {
  const chosen = select.value;
  const chosenOption = [...select.options].find((option) => option.value === chosen);
  const isOffered = chosen === "" || rows.some((row) => row.id === chosen);
  const options = rows.map((row) => new Option(row.label, row.id));
  select.replaceChildren(new Option("–", ""), ...options, ...(isOffered || !chosenOption ? [] : [chosenOption]));
  select.value = chosen;
}

function offerAsTicks(list, rows) {
  const ticked = new Set([...list.querySelectorAll("input:checked")].map((input) => input.value));
  const name = list.closest("[data-row-table]").dataset.name;
  const labels = rows.map((row) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "checkbox", name, value: row.id, checked: ticked.has(row.id) });
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

function offerRows() {
  for (const cell of form.querySelectorAll("[data-rows] [data-row-table]")) {
    const rows = listRows(cell.dataset.rowTable);
    if (isOffered(cell, rows)) continue;
    const select = cell.querySelector("select");
    if (select) offerInSelect(select, rows);
    else offerAsTicks(cell.querySelector(".several"), rows);
  }
}

// One table: numbers, dragging, removing, adding.

function prepareTable(table) {
  const rows = table.querySelector("[data-rows]");
  const total = table.querySelector("[name$='-TOTAL_FORMS']");
  const blank = table.querySelector("[data-blank]");
  const add = table.querySelector("[data-add]");

  function renumber() {
    let position = 0;
    for (const row of rows.children) {
      position += 1;
      row.querySelector("[name$='-order']").value = position;
    }
  }

  function prepareRow(row) {
    prepareHandle(row, () => {
      renumber();
      row.dispatchEvent(new Event("input", { bubbles: true }));
    });
    row.addEventListener("change", (event) => {
      if (event.target.name.endsWith("-DELETE") && event.target.checked && isEmpty(row)) row.hidden = true;
    });
  }

  acceptDragged(rows);

  function append() {
    const spare = [...rows.children].find((row) => row.hidden && !row.querySelector("[name$='-DELETE']").checked);
    if (spare) {
      spare.hidden = false;
      rows.append(spare);
      renumber();
      return spare;
    }
    rows.insertAdjacentHTML("beforeend", blank.innerHTML.replaceAll("__prefix__", total.value).replaceAll("__row_id__", uuid()));
    total.value = Number(total.value) + 1;
    const row = rows.lastElementChild;
    row.querySelector("[name$='-order']").value = rows.children.length;
    prepareRow(row);
    return row;
  }

  for (const row of rows.children) prepareRow(row);
  if (!add) return;
  // Blank rows are for pages without this module; here a button brings them when they are wanted.
  const hasRows = [...rows.children].some((row) => !isEmpty(row));
  const visibleBlank = table.closest("details") || hasRows ? 0 : table === tables[0] ? 2 : 1;
  [...rows.children].filter(isEmpty).forEach((row, n) => { row.hidden = n >= visibleBlank; });
  add.hidden = false;
  add.addEventListener("click", () => {
    const row = append();
    offerRows();
    row.querySelector(":is(.cells, .cell-texts) :is(select, textarea, input)").focus();
  });
}

// Another kind is another page: it is asked for at once, with what is typed.
const kind = form.querySelector("[name='q-kind']");
const changeKind = form.querySelector("[data-change-kind]");
if (changeKind) {
  changeKind.hidden = true;
  kind.addEventListener("change", () => form.requestSubmit(changeKind));
}

// A page that is left with something unsaved asks first; one that was sent back holds it from the start.
let changed = form.hasAttribute("data-unsaved");
form.addEventListener("input", () => { changed = true; });
form.addEventListener("submit", (event) => {
  if (event.submitter?.formTarget !== "_blank") changed = false;
});
form.addEventListener("unsent", () => { changed = true; }); // its person was signed out
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

for (const table of tables) prepareTable(table);
offerRows();
// While somebody types, not when the field is left: then the mouse is on its way to something else.
form.addEventListener("input", (event) => { if (event.target.closest("[data-table]")) offerRows(); });
