// The pages of imports work without this; here the tally follows the ticks, and progress is read
// out by itself instead of loading the page again.

const selection = document.querySelector("[data-selection]");

if (selection) {
  const tally = selection.querySelector("[data-chosen]");
  selection.addEventListener("change", () => {
    tally.textContent = Number(selection.dataset.elsewhere) + selection.querySelectorAll("[name=item]:checked").length;
  });
}

const PAUSE = 2000;

async function updateProgress() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.querySelector("[data-progress]");
  if (!answer.ok || !now) {
    location.reload();
    return;
  }
  const progress = document.querySelector("[data-progress]");
  if (progress.textContent !== now.textContent) progress.replaceChildren(...now.childNodes);
  setTimeout(pollProgress, PAUSE);
}

function pollProgress() {
  updateProgress().catch(() => setTimeout(pollProgress, PAUSE)); // the network may be away for a while
}

if (document.querySelector("[data-progress]")) setTimeout(pollProgress, PAUSE);
