// Examples of what a typed answer is compared with, asked of the server while the author types:
// it grades them as it grades learners. Without this module the examples are those of the saved draft.

const PAUSE = 400;
const section = document.querySelector("[data-comparison]");
const form = section.closest("form");
const examples = section.querySelector("[data-comparison-examples]");
const status = section.querySelector("[data-comparison-status]");
let timer = 0;
let request = new AbortController();

async function update() {
  request.abort();
  request = new AbortController();
  try {
    const response = await fetch(section.dataset.comparison, { method: "POST", body: new FormData(form), signal: request.signal });
    if (!response.ok) throw new Error(response.statusText);
    examples.innerHTML = await response.text();
    examples.removeAttribute("data-outdated");
    status.textContent = examples.querySelector("[data-comparison-summary]").textContent.trim().replace(/\s+/g, " ");
  } catch (error) {
    if (error.name === "AbortError") return;
    examples.setAttribute("data-outdated", "");
    status.textContent = section.dataset.failed;
  }
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(update, PAUSE);
}

section.querySelector("[data-comparison-try]").hidden = false;
form.addEventListener("input", schedule);
form.addEventListener("change", schedule);
if (form.hasAttribute("data-unsaved")) schedule();
