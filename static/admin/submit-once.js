// A form is sent once, however often its button is pressed: of a double click the second half would
// meet what the first has just changed. A page that stays, or comes back, can be sent again.

const PATIENCE = 10_000;
const sent = new Map();

addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.method !== "post" || submitter?.formTarget === "_blank") return;
  if (event.timeStamp - (sent.get(form) ?? -PATIENCE) < PATIENCE) event.preventDefault();
  else sent.set(form, event.timeStamp);
});
addEventListener("pageshow", () => sent.clear());
