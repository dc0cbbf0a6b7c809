// What the form of a quiz comes to while it is filled in: its totals, and what learners will see when.
// The server says it, by what it would publish. Without this module the page has it as of the saved draft.

const PAUSE = 300;
const effects = document.querySelector("[data-effects]");
const form = effects.closest("form");
let timer = 0;
let request = new AbortController();

async function update() {
  request.abort();
  request = new AbortController();
  try {
    const response = await fetch(effects.dataset.effects, { method: "POST", body: new FormData(form), signal: request.signal });
    // Redirected: the page that asks who it is, after hours.
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    const answer = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const template of answer.querySelectorAll("template")) {
      const list = form.querySelector(`[data-effect="${template.dataset.effect}"]`);
      // Unchanged it stays, so that a screen reader says only what is new.
      if (list.textContent.trim() !== template.content.textContent.trim()) list.replaceChildren(...template.content.children);
    }
    form.removeAttribute("data-effects-outdated");
  } catch (error) {
    if (error.name !== "AbortError") form.setAttribute("data-effects-outdated", "");
  }
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(update, PAUSE);
}

form.addEventListener("input", schedule);
form.addEventListener("change", schedule);
