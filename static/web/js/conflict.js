/* Two places answered the same question: say so beside it, and let the person choose. */

import { findQuestion, renderAnswer, write } from "./answer-controls.js";
import { whenReleased } from "./pointer.js";

const template = document.querySelector("template[data-conflict]");
const { wordsNothing } = document.querySelector("[data-voice]").dataset;

const CONFLICT = ".conflict:not([data-over])";

export function clear(fieldset) {
  const notice = fieldset.querySelector(CONFLICT);
  if (!notice) return;
  notice.dataset.over = "";
  whenReleased(() => notice.remove());
}

export const isShown = (fieldset) => Boolean(fieldset.querySelector(CONFLICT));

/* Show what stands and what was chosen here; `decide(entry, useOurs)` is called once with the choice.
   Asked again about the same, what stands there stays: somebody may be reading it. */
export function ask(entry, decide) {
  const { slot, answer, flagged, conflict } = entry;
  const fieldset = findQuestion(slot);
  const about = JSON.stringify([entry.idempotencyKey, conflict.revision, answer, flagged]);
  if (fieldset.querySelector(CONFLICT)?.dataset.about === about) return;
  clear(fieldset);
  write(fieldset, { answer, flagged });
  const notice = template.content.cloneNode(true).firstElementChild;
  notice.dataset.about = about;
  const put = (name, text) => (notice.querySelector(`[data-conflict-${name}]`).textContent = text);
  put("theirs", renderAnswer(fieldset, conflict.answer, wordsNothing));
  put("ours", renderAnswer(fieldset, answer, wordsNothing));
  notice.querySelector("[data-conflict-keep]").addEventListener("click", () => {
    write(fieldset, conflict);
    done(false);
  });
  notice.querySelector("[data-conflict-use]").addEventListener("click", () => done(true));
  whenReleased(() => {
    clear(fieldset); // another may have come meanwhile
    fieldset.querySelector("legend").after(notice);
  });

  function done(useOurs) {
    clear(fieldset);
    fieldset.focus();
    decide(entry, useOurs);
  }
}

export const findFirst = () => document.querySelector(`${CONFLICT} [data-conflict-title]`);
