/* Essays: how many words a text has, told while it is typed. Words are counted as the server does
   (grading/essay/word_count.py); without this module the limits stand there all the same. */

const WORD = /[\p{L}\p{M}\p{N}]+(?:['\u2019\-\u2010\u2011][\p{L}\p{M}\p{N}]+)*/gu;
const PAUSE = 300;

export const countWords = (text) => text.match(WORD)?.length ?? 0;

function showLength(field, words) {
  const { maximum } = field.dataset;
  const voice = field.querySelector("[data-length]");
  const over = Boolean(maximum) && words > Number(maximum);
  field.querySelector("[data-words]").textContent = String(words);
  field.toggleAttribute("data-over", over);
  const warning = over ? voice.dataset.tooMany : "";
  if (voice.textContent !== warning) voice.textContent = warning; // read aloud once
}

/* Where the browser cannot let a field grow with its text, do it here. */
function grow(text) {
  if (CSS.supports("field-sizing", "content")) return;
  text.style.blockSize = "auto";
  text.style.blockSize = `${text.scrollHeight + 2}px`;
}

function watch(field) {
  const text = field.querySelector("textarea");
  let timer = 0;
  const update = () => {
    showLength(field, countWords(text.value));
    grow(text);
  };
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(update, PAUSE);
  });
  text.closest("fieldset").addEventListener("answers:written", update);
  update();
}

for (const field of document.querySelectorAll("[data-essay]")) watch(field);
