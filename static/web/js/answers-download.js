/* The answers as a file, for when neither the server nor this device can keep them. A person can read
   it; the last line holds the same answers as the server would have been sent them. */

import { getSlot, listQuestions, read, renderAnswer } from "./answer-controls.js";

const getNumber = (fieldset) => getSlot(fieldset) + 1;

function write(form, words) {
  const { person } = document.documentElement.dataset;
  const answers = listQuestions().map((fieldset) => ({ fieldset, ...read(fieldset) }));
  const lines = answers.map(
    ({ fieldset, answer }) => `${getNumber(fieldset)}. ${renderAnswer(fieldset, answer, words.wordsNone)}`,
  );
  const data = answers.map(({ fieldset, answer, flagged }) => ({
    question: getNumber(fieldset),
    answer,
    flagged,
  }));
  return [
    document.querySelector("h1").textContent.trim(),
    `${words.wordsAttempt}: ${form.dataset.attempt}`,
    `${words.wordsPerson}: ${person}`,
    new Date().toISOString(),
    "",
    words.wordsNote,
    "",
    ...lines,
    "",
    JSON.stringify({ attempt: form.dataset.attempt, person, answers: data }),
    "",
  ].join("\n");
}

/* Let the browser keep a file with all answers of this page. */
export function download(form) {
  const words = document.querySelector("[data-download]").dataset;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([write(form, words)], { type: "text/plain" }));
  link.download = `${words.wordsFile}-${form.dataset.attempt.slice(0, 8)}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
