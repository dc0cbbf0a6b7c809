// A form waits in its page while its person is signed out, after a time without a request or from
// another tab: it is sent only in a session of theirs, and a notice leads to signing in. Writing is
// a use of the session: while somebody writes, the server hears of it once a minute.

const MINUTE = 60_000;
const PATIENCE = 10_000;
const { sessionState: address, person, csrfCookie } = document.querySelector("meta[data-session-state]").dataset;
const notice = document.querySelector("template[data-signed-out]").content.firstElementChild;
const checked = new Set(); // forms that may go
const waiting = new Set(); // forms that are being asked for
let lastUse = performance.now();

// Return "", or why nothing of this page may be sent. What the network hides is for the form to meet.
async function findTrouble() {
  try {
    const response = await fetch(address, {
      headers: { "X-Person": person },
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
    lastUse = performance.now();
    return response.status === 401 || response.status === 403 ? (await response.json()).code : "";
  } catch {
    return "";
  }
}

// Django changes the token at sign-in: the forms of this page take the new one.
function renewTokens() {
  const pair = document.cookie.split("; ").find((text) => text.startsWith(`${csrfCookie}=`));
  if (!pair) return;
  for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) {
    field.value = pair.slice(csrfCookie.length + 1);
  }
}

function showNotice(trouble) {
  for (const sentence of notice.querySelectorAll("[data-trouble]")) {
    sentence.hidden = sentence.dataset.trouble !== trouble;
  }
  if (!notice.isConnected) document.body.append(notice);
  if (!notice.open) notice.showModal();
}

async function check() {
  const trouble = await findTrouble();
  if (trouble) showNotice(trouble);
  else {
    renewTokens(); // they may have signed in again while the notice was closed, or never shown
    if (notice.open) notice.close();
  }
  return !trouble;
}

// A part of the page with the button may have been made anew meanwhile: a copy stands for it.
function renewSubmitter(form, submitter) {
  if (!submitter || submitter.form === form) return submitter;
  const copy = submitter.cloneNode(true);
  copy.hidden = true;
  form.append(copy);
  return copy;
}

async function send(form, submitter) {
  waiting.add(form);
  const maySend = await check();
  waiting.delete(form);
  if (!maySend) {
    form.dispatchEvent(new Event("unsent"));
    return;
  }
  checked.add(form);
  form.requestSubmit(renewSubmitter(form, submitter));
  checked.delete(form);
}

// After the listeners of forms, which may have taken it, and before that of sending once.
addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const isPosted = form.getAttribute("method")?.toLowerCase() === "post";
  if (event.defaultPrevented || !isPosted || checked.has(form)) return;
  if (submitter?.formTarget === "_blank") return; // a new tab is opened in the moment of the press
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!waiting.has(form)) send(form, submitter);
});
addEventListener("input", () => {
  if (performance.now() - lastUse < MINUTE) return;
  lastUse = performance.now();
  check();
});
for (const sign of ["focus", "pageshow"]) {
  addEventListener(sign, () => {
    if (notice.open) check();
  });
}
