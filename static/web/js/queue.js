/* The queue of answers that one attempt has not had acknowledged. Pure: entries in, entries out.

   An entry is {slot, answer, flagged, paths, baseRevision, idempotencyKey, client, at, sent, conflict,
   refused}.
   `paths` names what the controls of its question can say (paths.js), `refused` says why the
   server cannot read it, or not all of it: {code, sentence, where}, where a path or several.
   `baseRevision` is the revision the answer was given over; null: it follows an earlier entry of its
   slot and takes that one's revision. What was sent once is never changed, only followed: the server
   may have it already, though its word did not reach us.

   `chain` is the idempotency key of the first of the entries that took each other's place: two states
   of a box are joined by it.

   A receipt is {slot, idempotencyKey, revision, at}: the newest of a slot that the server acknowledged
   to this device. It says over what revision the next answer is given, before the page has heard. */

import { isSameResponse } from "./paths.js";

const HOUR = 3_600_000;

const filterBySlot = (entries, slot) => entries.filter((entry) => entry.slot === slot);

const removeEntry = (entries, gone) => entries.filter((entry) => entry !== gone);

const replaceEntry = (entries, old, fresh) => entries.map((entry) => (entry === old ? fresh : entry));

/* Note a new answer. It takes the place of one that never left this device, and follows one that
   did; but not one of another tab that nobody has `seen` here: those two are to meet. Over a conflict
   it is the decision only if that was shown; else the question is still open. */
export function add(entries, change, { decided = true, seen = () => true, receipts = [] } = {}) {
  const last = filterBySlot(entries, change.slot).at(-1);
  const baseRevision = findBaseRevision(change, receipts.filter(seen));
  const fresh = { ...change, baseRevision, sent: false, conflict: null, refused: null };
  if (!last) return [...entries, fresh];
  if (last.conflict) {
    const { answer, flagged, at } = change;
    const revision = last.conflict.revision;
    const unresolved = { ...last, answer, flagged, at };
    const decision = { ...fresh, baseRevision: revision, chain: getChain(last) };
    return replaceEntry(entries, last, decided ? decision : unresolved);
  }
  if (!seen(last)) return [...entries, fresh];
  if (last.sent && !last.refused) return [...entries, { ...fresh, baseRevision: null }];
  return replaceEntry(entries, last, { ...fresh, baseRevision: last.baseRevision, chain: getChain(last) });
}

const getChain = ({ chain, idempotencyKey }) => chain ?? idempotencyKey;

/* Join two states of one box: of the same entry the later state, and whatever only one of them has.
   What the server has acknowledged meanwhile is sent once more, which changes nothing there. */
export function join(entries, others) {
  const otherOf = new Map(others.map((entry) => [getChain(entry), entry]));
  const chains = new Set(entries.map(getChain));
  const joined = entries.map((entry) => chooseLater(entry, otherOf.get(getChain(entry))));
  return [...joined, ...others.filter((entry) => !chains.has(getChain(entry)))];
}

function chooseLater(entry, other) {
  if (!other || other.at < entry.at) return entry;
  if (other.idempotencyKey !== entry.idempotencyKey) return other;
  return { ...other, sent: entry.sent || other.sent };
}

/* Return the revision that a change was made over: that of a receipt, if it is newer than what the
   page knew of. Whoever gave the answer of that receipt had seen all before it. */
const findBaseRevision = ({ slot, baseRevision }, receipts) =>
  Math.max(baseRevision, ...filterBySlot(receipts, slot).map(({ revision }) => revision));

/* Keep the newest receipt of each slot, for an hour. */
export function mergeReceipts(old, fresh, now) {
  const newest = new Map();
  for (const receipt of [...old, ...fresh.map((each) => ({ ...each, at: now }))]) {
    const before = newest.get(receipt.slot);
    const isNewest = !(before?.revision > receipt.revision);
    if (now - receipt.at < HOUR && isNewest) newest.set(receipt.slot, receipt);
  }
  return [...newest.values()];
}

/* Return the receipt for an entry that the server accepted; none if a person must decide, or too late. */
export function buildReceipt(entry, saved) {
  const isAccepted = saved.status === "accepted" || isSame(entry, saved);
  const { slot, idempotencyKey } = entry;
  return isAccepted ? [{ slot, idempotencyKey, revision: saved.revision }] : [];
}

const isSame = (entry, saved) => saved.status === "conflict" && isSameResponse(entry, saved, entry.paths);

/* Take what may be sent now: the first entry of each slot, unless a person must decide first. */
export function take(entries) {
  const seen = new Set();
  const batch = [];
  for (const entry of entries) {
    if (seen.has(entry.slot)) continue;
    seen.add(entry.slot);
    if (!entry.conflict && !entry.refused) batch.push(entry);
  }
  const sent = entries.map((entry) => (batch.includes(entry) ? { ...entry, sent: true } : entry));
  return [sent, batch];
}

/* Take the server's word on one entry. What it could read only in part is kept here whole, over what
   it saved of it, until the rest is mended. */
export function settle(entries, idempotencyKey, saved) {
  const entry = entries.find((other) => other.idempotencyKey === idempotencyKey);
  if (!entry) return entries;
  const next = filterBySlot(entries, entry.slot).find((other) => other !== entry);
  if (saved.status !== "conflict" || isSame(entry, saved)) {
    const left = removeEntry(entries, entry);
    if (next) return replaceEntry(left, next, rebase(next, saved.revision));
    if (!saved.format_error || saved.status !== "accepted") return left;
    const refused = saved.format_error;
    return replaceEntry(entries, entry, { ...entry, baseRevision: saved.revision, refused });
  }
  const left = next ? removeEntry(entries, entry) : entries;
  const disputed = next ?? entry;
  const open = { ...disputed, sent: false, baseRevision: saved.revision, conflict: saved };
  return replaceEntry(left, disputed, open);
}

/* An entry that follows another has its own revision to be given over once that other is settled. */
const rebase = (entry, revision) => ({ ...entry, baseRevision: entry.baseRevision ?? revision });

/* The server cannot read it: keep it, but stop sending. What follows it takes its place. */
export function refuse(entries, idempotencyKey, refused) {
  const entry = entries.find((other) => other.idempotencyKey === idempotencyKey);
  if (!entry) return entries;
  const next = filterBySlot(entries, entry.slot).find((other) => other !== entry);
  if (!next) return replaceEntry(entries, entry, { ...entry, refused });
  return replaceEntry(removeEntry(entries, entry), next, rebase(next, entry.baseRevision));
}

/* Ask again about what was refused: the page may be in another language now. */
export const retry = (entries) => entries.map((entry) => ({ ...entry, refused: null }));

/* The person decided: what is saved there stands. */
export function keepTheirs(entries, slot) {
  return entries.filter((entry) => entry.slot !== slot || !entry.conflict);
}

/* The person decided: what was chosen here stands, over what they have now seen. */
export function useOurs(entries, slot, idempotencyKey) {
  return entries.map((entry) =>
    entry.slot === slot && entry.conflict
      ? { ...entry, baseRevision: entry.conflict.revision, conflict: null, sent: false, idempotencyKey }
      : entry,
  );
}

export const countWaiting = (entries) => new Set(entries.map((entry) => entry.slot)).size;

export const listConflicts = (entries) => entries.filter((entry) => entry.conflict);

export const listRefusals = (entries) => entries.filter((entry) => entry.refused);

/* What waits for a person. */
export const listUndecided = (entries) => entries.filter((entry) => entry.refused || entry.conflict);

/* The attempt is over: what could not be read will never be. */
export const listReadable = (entries) => entries.filter((entry) => !entry.refused);

export const mapLatest = (entries) => new Map(entries.map((entry) => [entry.slot, entry]));
