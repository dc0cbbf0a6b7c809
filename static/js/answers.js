/* Reading answers out of the questions on the page, and writing them back in. */

export const questions = () => [...document.querySelectorAll("fieldset[data-slot]")];

export const question = (slot) => document.getElementById(`q-${slot}`);

const named = (fieldset, name) => [...fieldset.querySelectorAll(`[name="${name}"]`)];

const none = (fieldset) => fieldset.querySelector("[data-none]");

const flag = (fieldset) => fieldset.querySelector("[data-flag]");

export const slotOf = (fieldset) => Number(fieldset.dataset.slot);

/* Give {answer, flagged} as the server's journal would write it; null is unanswered. */
export function read(fieldset) {
  const chosen = named(fieldset, `q-${fieldset.dataset.slot}`)
    .filter((input) => input.checked && input.value)
    .map((input) => input.value);
  const nothing = none(fieldset)?.checked ?? false;
  const answer = chosen.length || nothing ? { chosen, none_apply: nothing } : null;
  return { answer, flagged: flag(fieldset).checked };
}

export function write(fieldset, { answer, flagged }) {
  for (const input of named(fieldset, `q-${fieldset.dataset.slot}`)) {
    input.checked = input.value ? (answer?.chosen.includes(input.value) ?? false) : !answer;
  }
  if (none(fieldset)) none(fieldset).checked = answer?.none_apply ?? false;
  flag(fieldset).checked = flagged;
}

/* "None of these" and the others exclude each other: the newest choice stands. */
export function exclude(fieldset, changed) {
  const nothing = none(fieldset);
  if (!nothing || !changed.checked || changed.matches("[data-flag]")) return;
  if (changed !== nothing) nothing.checked = false;
  else for (const input of named(fieldset, `q-${fieldset.dataset.slot}`)) input.checked = false;
}

/* Say an answer in the words of the page; `nothing` is the word for no answer. */
export function inWords(fieldset, answer, nothing) {
  if (!answer) return nothing;
  const inputs = answer.none_apply
    ? [none(fieldset)]
    : named(fieldset, `q-${fieldset.dataset.slot}`).filter((i) => answer.chosen.includes(i.value));
  return inputs.map((input) => input.closest("label").innerText.trim()).join("; ") || nothing;
}

export const revision = (fieldset) => Number(fieldset.querySelector("[data-revision]").value);

export function revise(fieldset, number) {
  fieldset.querySelector("[data-revision]").value = String(number);
}
