/* The map of questions and the counts: what is answered and flagged, wherever it is shown. */

import { hasError, listQuestions, read } from "./answer-controls.js";

function mark(fieldset, { answer, flagged }) {
  const { slot } = fieldset.dataset;
  fieldset.dataset.answered = String(answer !== null);
  fieldset.dataset.flagged = String(flagged);
  for (const link of document.querySelectorAll(`[data-map-link="${slot}"]`)) {
    const { wordsAnswered, wordsUnanswered, wordsFlagged } = link.closest("[data-map]").dataset;
    const words = [answer ? wordsAnswered : wordsUnanswered, ...(flagged ? [wordsFlagged] : [])];
    link.dataset.answered = String(answer !== null);
    link.dataset.flagged = String(flagged);
    link.querySelector("[data-map-words]").textContent = words.join(", ");
  }
}

/* Bring everything up to date with the form. */
export function draw() {
  const counts = { answered: 0, unanswered: 0, flagged: 0 };
  for (const fieldset of listQuestions()) {
    const { answer, flagged } = read(fieldset);
    const state = { answer: hasError(fieldset) ? null : answer, flagged }; // it is not saved
    mark(fieldset, state);
    counts[state.answer ? "answered" : "unanswered"] += 1;
    counts.flagged += Number(state.flagged);
  }
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = String(counts[place.dataset.count]);
  }
}
