/* Two places answered the same question: say so beside it, and let the person choose. */

import { inWords, question, slotOf, write } from "./answers.js";

const template = document.querySelector("template[data-conflict]");
const { wordsNothing } = document.querySelector("[data-voice]").dataset;

export function clear(fieldset) {
  fieldset.querySelector(".conflict")?.remove();
}

export const isShown = (fieldset) => Boolean(fieldset.querySelector(".conflict"));

/* Show what stands and what was chosen here; `decide(useOurs)` is called once with the choice. */
export function ask({ slot, answer, flagged, conflict }, decide) {
  const fieldset = question(slot);
  clear(fieldset);
  write(fieldset, { answer, flagged });
  const notice = template.content.cloneNode(true).firstElementChild;
  const put = (name, text) => (notice.querySelector(`[data-conflict-${name}]`).textContent = text);
  put("theirs", inWords(fieldset, conflict.answer, wordsNothing));
  put("ours", inWords(fieldset, answer, wordsNothing));
  notice.querySelector("[data-conflict-keep]").addEventListener("click", () => {
    write(fieldset, conflict);
    done(false);
  });
  notice.querySelector("[data-conflict-use]").addEventListener("click", () => done(true));
  fieldset.querySelector("legend").after(notice);

  function done(useOurs) {
    clear(fieldset);
    fieldset.focus();
    decide(slotOf(fieldset), useOurs);
  }
}

export const first = () => document.querySelector(".conflict [data-conflict-title]");
