/* That the attempt went on on another device: a notice with the way back here, and questions that take
   no answer meanwhile. Only the pages of quizzes that allow one device have the notice. */

import { listQuestions } from "./answer-controls.js";
import { renewToken } from "./sync.js";

const notice = document.querySelector("[data-elsewhere]");
const { csrfCookie } = document.documentElement.dataset;

notice?.addEventListener("submit", ({ target }) => renewToken(target, csrfCookie));

export const isShown = () => Boolean(notice) && !notice.hidden;

/* Take the reader to it; not to its button, which somebody who types would press unseen. */
export const focus = () => notice.focus({ preventScroll: true });

/* Show it above all. What is typed must be in the outbox before. */
export function show(form) {
  const isInside = form.contains(document.activeElement);
  notice.hidden = false;
  form.dataset.inactive = "";
  for (const fieldset of listQuestions()) fieldset.disabled = true;
  if (isInside) focus();
}
