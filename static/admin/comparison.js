// Examples of what a typed answer is compared with, asked of the server while the author types:
// it grades them as it grades learners. Without this module the examples are those of the saved draft,
// and there is nowhere to try an answer.

const PAUSE = 400;
const section = document.querySelector("[data-comparison]");
const form = section.closest("form");
const examples = section.querySelector("[data-comparison-examples]");
const status = section.querySelector("[data-comparison-status]");
let timer = 0;
let request = new AbortController();

const listTries = () => [...examples.querySelectorAll("[data-comparison-try] input")];

function showTries() {
  for (const label of examples.querySelectorAll("[data-comparison-try]")) label.hidden = false;
}

/* The answers that are tried stand among the examples: they stay as they are, and so does the cursor. */
function replaceExamples(html) {
  const before = new Map(listTries().map((input) => [input.name, input]));
  const focused = listTries().find((input) => input === document.activeElement);
  examples.innerHTML = html;
  for (const input of listTries()) {
    const previous = before.get(input.name);
    if (previous) input.closest("label").replaceWith(previous.closest("label"));
  }
  showTries();
  focused?.focus({ preventScroll: true });
}

async function update() {
  request.abort();
  request = new AbortController();
  try {
    const response = await fetch(section.dataset.comparison, { method: "POST", body: new FormData(form), signal: request.signal });
    // Redirected: the page that asks who it is, after hours.
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    replaceExamples(await response.text());
    examples.removeAttribute("data-outdated");
    status.textContent = examples.querySelector("[data-comparison-summary]").textContent.trim().replace(/\s+/g, " ");
  } catch (error) {
    if (error.name === "AbortError") return;
    examples.setAttribute("data-outdated", "");
    status.textContent = section.dataset.failed;
  }
}

function scheduleUpdate() {
  clearTimeout(timer);
  timer = setTimeout(update, PAUSE);
}

showTries();
form.addEventListener("input", scheduleUpdate);
form.addEventListener("change", scheduleUpdate);
if (form.hasAttribute("data-unsaved")) scheduleUpdate();
