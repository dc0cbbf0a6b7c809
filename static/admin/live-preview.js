// The question as learners will see it, brought up to date while it is written, in a frame of its own.
// An answer that is tried there is graded anew with every change. Nothing is kept anywhere.

const PAUSE = 500;
const OPEN = "ochenta-live-preview";
const panel = document.querySelector("[data-live-preview]");
const form = document.querySelector("[data-authoring]");
const status = panel.querySelector("[data-live-preview-status]");
let frame = panel.querySelector("iframe");
let timer = 0;
let request = new AbortController();
let tried = [];

function fitFrame() {
  const page = frame.contentDocument?.documentElement;
  if (page) frame.style.blockSize = `${page.scrollHeight}px`;
}

// A new frame each time: one that goes on to another page would add a step to "Back".
function show(html) {
  const next = document.createElement("iframe");
  next.title = frame.title;
  next.style.blockSize = frame.style.blockSize;
  next.srcdoc = html;
  next.addEventListener("load", () => {
    fitFrame();
    for (const answer of next.contentDocument.querySelectorAll("form[data-try]")) {
      answer.addEventListener("submit", (event) => {
        event.preventDefault();
        tried = [...new FormData(answer)].filter(([name]) => !["csrfmiddlewaretoken", "draft"].includes(name));
        update();
      });
    }
  });
  frame.replaceWith(next);
  frame = next;
}

async function update() {
  clearTimeout(timer);
  request.abort();
  if (!panel.open) return;
  request = new AbortController();
  const body = new FormData(form);
  body.append("live", "true");
  for (const [name, value] of tried) body.append(name, value);
  try {
    const response = await fetch(panel.dataset.livePreview, { method: "POST", body, signal: request.signal });
    // Redirected: the page that asks who it is, after hours.
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    show(await response.text());
    status.textContent = "";
  } catch (error) {
    if (error.name !== "AbortError") status.textContent = panel.dataset.failed;
  }
}

function scheduleUpdate() {
  clearTimeout(timer);
  timer = setTimeout(update, PAUSE);
}

panel.hidden = false;
panel.open = localStorage.getItem(OPEN) === "true";
panel.addEventListener("toggle", () => {
  localStorage.setItem(OPEN, panel.open);
  update();
});
form.addEventListener("input", scheduleUpdate);
form.addEventListener("change", scheduleUpdate);
addEventListener("resize", fitFrame);
if (panel.open) update();
