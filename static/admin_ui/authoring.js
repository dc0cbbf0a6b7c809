// The authoring page works without this; here it gains rows on demand, dragging, and fitting schemes.

const form = document.querySelector("[data-authoring]");

const lines = form.querySelector("[data-lines]");
const total = form.querySelector("[name='options-TOTAL_FORMS']");
const blank = form.querySelector("[data-blank]");
const add = form.querySelector("[data-add]");

function number() {
  let position = 0;
  for (const line of lines.children) {
    position += 1;
    line.querySelector("[name$='-order']").value = position;
  }
}

function isEmpty(line) {
  const written = [...line.querySelectorAll("textarea, [name$='-name'], [name$='-weight']")];
  return !line.querySelector("[name$='-id']").value && written.every((field) => !field.value.trim());
}

function remove(line) {
  const id = line.querySelector("[name$='-id']").value;
  const tick = line.querySelector("[name$='-DELETE']");
  if (!id && tick.checked && isEmpty(line)) line.hidden = true;
}

function arm(line) {
  const handle = line.querySelector("[data-handle]");
  handle.hidden = false;
  handle.addEventListener("pointerdown", () => { line.draggable = true; });
  line.addEventListener("dragstart", () => line.classList.add("is-dragged"));
  line.addEventListener("dragend", () => {
    line.draggable = false;
    line.classList.remove("is-dragged");
    number();
  });
  line.addEventListener("change", (event) => {
    if (event.target.name.endsWith("-DELETE")) remove(line);
  });
}

lines.addEventListener("dragover", (event) => {
  const dragged = lines.querySelector(".is-dragged");
  const over = event.target.closest("[data-line]");
  if (!dragged || !over || over === dragged) return;
  event.preventDefault();
  const box = over.getBoundingClientRect();
  const after = event.clientY > box.top + box.height / 2;
  over.parentNode.insertBefore(dragged, after ? over.nextSibling : over);
});

function append() {
  const spare = [...lines.children].find((line) => line.hidden && !line.querySelector("[name$='-DELETE']").checked);
  if (spare) {
    spare.hidden = false;
    lines.append(spare);
    number();
    return spare;
  }
  const html = blank.innerHTML.replaceAll("__prefix__", total.value);
  total.value = Number(total.value) + 1;
  lines.insertAdjacentHTML("beforeend", html);
  const line = lines.lastElementChild;
  line.querySelector("[name$='-order']").value = lines.children.length;
  arm(line);
  return line;
}

// What only some kinds know: their schemes.
const kind = form.querySelector("[name='q-kind']");
const scheme = form.querySelector("[name='q-scheme']");

function fit() {
  const listed = form.querySelector(`[data-schemes] [data-kind='${CSS.escape(kind.value)}']`);
  const names = listed ? listed.textContent.split(" ") : [];
  for (const option of scheme.options) {
    option.hidden = option.value !== "" && !option.selected && !names.includes(option.value);
  }
  return names;
}

// A page that is left with something unsaved asks first.
let changed = false;
form.addEventListener("input", () => { changed = true; });
form.addEventListener("submit", (event) => {
  if (event.submitter?.formTarget !== "_blank") changed = false;
});
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

for (const line of lines.children) arm(line);
// Blank rows are for pages without this module; here a button brings them when they are wanted.
const written = [...lines.children].filter((line) => !isEmpty(line)).length;
if (written > 1) for (const line of lines.children) line.hidden = isEmpty(line);
add.hidden = false;
add.addEventListener("click", () => { append().querySelector("textarea").focus(); });
kind.addEventListener("change", () => {
  if (!fit().includes(scheme.value)) scheme.value = "";
  fit();
});
fit();
