/* What the page of an attempt knows of answers that are not saved yet, and what it says of them.
   Pure: a state and an event in, a state out. A question is named by its slot.

   A state is {entries, typing, enqueuing, savedAt, isSlow}: the outbox's entries as last read; the
   slots in which somebody is typing; slot → how many answers are on their way into the outbox; the
   server's time of the newest saved answer; whether the save under way takes long. */

import { countWaiting, listConflicts, listUndecided } from "./queue.js";
import { isAboutPerson } from "./sync.js";

export const initialState = {
  entries: [],
  typing: new Set(),
  enqueuing: new Map(),
  savedAt: "",
  isSlow: false,
};

const reducers = {
  typed: (state, { slot }) => ({ ...state, typing: new Set(state.typing).add(slot) }),
  typingEnded: (state, { slot }) => ({
    ...state,
    typing: new Set([...state.typing].filter((other) => other !== slot)),
  }),
  enqueuing: (state, { slot }) => ({ ...state, enqueuing: count(state.enqueuing, slot, 1) }),
  enqueued: (state, { slot }) => ({ ...state, enqueuing: count(state.enqueuing, slot, -1) }),
  entriesRead: (state, { entries }) => ({ ...state, entries }),
  saved: (state, { at }) => (at > state.savedAt ? { ...state, savedAt: at } : state),
  slow: (state) => ({ ...state, isSlow: true }),
  syncEnded: (state) => ({ ...state, isSlow: false }),
};

function count(counts, slot, change) {
  const total = (counts.get(slot) ?? 0) + change;
  const others = [...counts].filter(([other]) => other !== slot);
  return new Map(total ? [...others, [slot, total]] : others);
}

/* Return the state after an event: {type, ...}, see `reducers`. */
export const reduce = (state, { type, ...event }) => reducers[type](state, event);

/* Return whether something newer stands in a question than the outbox knows. */
export const isAhead = ({ typing, enqueuing }, slot) => typing.has(slot) || enqueuing.has(slot);

/* Return what to say: {name, count, mustWarn, isAtRisk, signIn}. `name` is the sentence's (see
   save-status.js), "" for none; `mustWarn`: closing the page would lose an answer; `signIn`: "" or
   the trouble that ends when somebody signs in. `storage` is the outbox's `durability`, `trouble` what
   the sender says of this attempt; `isElsewhere`: it is open on another device, where one is allowed. */
export function saveStatus(state, { storage, trouble, isOnline, isElsewhere }) {
  const ahead = [...state.typing, ...state.enqueuing.keys()];
  const unsaved = countWaiting([...state.entries, ...ahead.map((slot) => ({ slot }))]);
  const isKept = !ahead.length && storage === "kept";
  const isStuck = Boolean(trouble) || state.isSlow || !isOnline || isElsewhere;
  const isAtRisk = Boolean(unsaved) && isStuck && storage === "not_kept";
  const signIn = unsaved && isAboutPerson(trouble) ? trouble : "";
  const isFailing = trouble === "server";
  const name = statusName(state, { unsaved, isKept, isAtRisk, signIn, isOnline, isElsewhere, isFailing });
  return { name, count: unsaved, mustWarn: Boolean(unsaved) && !isKept, isAtRisk, signIn };
}

function statusName(
  { entries, savedAt },
  { unsaved, isKept, isAtRisk, signIn, isOnline, isElsewhere, isFailing },
) {
  if (!unsaved) return savedAt && "saved";
  if (isAtRisk) return signIn ? "signed_out_at_risk" : "at_risk";
  if (isElsewhere && isKept && !signIn) return "elsewhere";
  if (listConflicts(entries).length === unsaved) return "conflict";
  if (signIn && isKept) return signIn;
  if (listUndecided(entries).length === unsaved) return "refused";
  if (!isOnline && isKept) return "offline";
  if (isFailing && isKept) return "failing";
  return "waiting";
}
