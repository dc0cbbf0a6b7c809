// Buttons and keys that mark up the text that is being written; files that are dropped, pasted or
// chosen are saved in the bank and shown in the text. Without this module one writes the marks.

const toolbar = document.querySelector("[data-markdown-toolbar]");
const form = toolbar.closest("form");
const chooser = toolbar.querySelector("input[type=file]");
const status = toolbar.querySelector("[data-toolbar-status]");
const WRAPPED = { bold: ["**", "**"], code: ["`", "`"], formula: ["$", "$"], link: ["[", "](https://)"] };
const KEYS = { b: "bold", e: "code", m: "formula", k: "link" };
let text = null;

// As if it were typed: so it can be undone, and what listens to typing hears of it.
function insert(words, from = text.selectionStart, to = text.selectionEnd) {
  text.focus();
  text.setSelectionRange(from, to);
  if (document.execCommand?.("insertText", false, words)) return;
  text.setRangeText(words, from, to, "end");
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

function wrap(mark, sample) {
  let [before, after] = WRAPPED[mark];
  const from = text.selectionStart;
  const chosen = text.value.slice(from, text.selectionEnd) || sample;
  if (mark === "code" && chosen.includes("\n")) [before, after] = ["```\n", "\n```"];
  if (mark === "formula" && chosen.includes("\n")) [before, after] = ["$$\n", "\n$$"];
  insert(before + chosen + after);
  const start = from + before.length;
  if (mark === "link") text.setSelectionRange(start + chosen.length + 2, start + chosen.length + after.length - 1);
  else text.setSelectionRange(start, start + chosen.length);
}

function list(sample) {
  const from = text.value.lastIndexOf("\n", text.selectionStart - 1) + 1;
  const lines = text.value.slice(from, text.selectionEnd) || sample;
  const gap = from && text.value.slice(0, from).trim() && !text.value.slice(0, from).endsWith("\n\n") ? "\n" : "";
  insert(gap + lines.split("\n").map((line) => (line.startsWith("- ") ? line : `- ${line}`)).join("\n"), from, text.selectionEnd);
}

function mark(button) {
  if (!text) { status.textContent = toolbar.dataset.noText; return; }
  status.textContent = "";
  if (button.dataset.mark === "picture") chooser.click();
  else if (button.dataset.mark === "list") list(button.dataset.text);
  else wrap(button.dataset.mark, button.dataset.text);
}

function findBank() {
  return toolbar.dataset.bank || form.querySelector("[name=q-bank]")?.value || "";
}

async function upload(file, target) {
  const bank = findBank();
  if (!bank) { status.textContent = toolbar.dataset.noBank; return; }
  status.textContent = toolbar.dataset.uploading;
  const body = new FormData();
  body.append("csrfmiddlewaretoken", form.querySelector("[name=csrfmiddlewaretoken]").value);
  body.append("file", file);
  try {
    const response = await fetch(`${toolbar.dataset.markdownToolbar}?bank=${encodeURIComponent(bank)}`, { method: "POST", body });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    text = target;
    const sample = toolbar.querySelector("[data-mark=picture]").dataset.text;
    const start = text.selectionStart;
    insert(`![${sample}](${answer.address})`);
    text.setSelectionRange(start + 2, start + 2 + sample.length);
    status.textContent = toolbar.dataset.uploaded;
  } catch (error) {
    status.textContent = error instanceof SyntaxError || !error.message ? toolbar.dataset.failed : error.message;
  }
}

async function uploadAll(files, target) {
  for (const file of files) await upload(file, target);
}

toolbar.hidden = false;
form.addEventListener("focusin", (event) => { if (event.target.matches("textarea")) text = event.target; });
for (const button of toolbar.querySelectorAll("button")) {
  // What is chosen in the text stays chosen.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => mark(button));
}
form.addEventListener("keydown", (event) => {
  const name = KEYS[event.key.toLowerCase()];
  if (!name || !event.target.matches("textarea") || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  mark(toolbar.querySelector(`[data-mark=${name}]`));
});
chooser.addEventListener("change", async () => {
  await uploadAll([...chooser.files], text);
  chooser.value = "";
});
form.addEventListener("paste", (event) => {
  if (!event.target.matches("textarea") || !event.clipboardData.files.length || event.clipboardData.getData("text/plain")) return;
  event.preventDefault();
  uploadAll([...event.clipboardData.files], event.target);
});
form.addEventListener("dragover", (event) => {
  if (event.target.matches("textarea") && event.dataTransfer.types.includes("Files")) event.preventDefault();
});
form.addEventListener("drop", (event) => {
  if (!event.target.matches("textarea") || !event.dataTransfer.files.length) return;
  event.preventDefault();
  uploadAll([...event.dataTransfer.files], event.target);
});
