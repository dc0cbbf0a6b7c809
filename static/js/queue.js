/* The queue of answers that one attempt has not had acknowledged. Pure: entries in, entries out.

   An entry is {slot, answer, flagged, base, operation, client, at, sent, conflict, refused}.
   `base` is the revision the answer was given over; null: it follows an earlier entry of its slot
   and takes that one's revision. What was sent once is never changed, only followed: the server
   may have it already, though its word did not reach us. */

const of = (entries, slot) => entries.filter((entry) => entry.slot === slot);

const without = (entries, gone) => entries.filter((entry) => entry !== gone);

const replace = (entries, old, fresh) => entries.map((entry) => (entry === old ? fresh : entry));

/* Note a new answer. It takes the place of one that never left this device. */
export function add(entries, change) {
  const last = of(entries, change.slot).at(-1);
  const fresh = { ...change, sent: false, conflict: null, refused: null };
  if (!last) return [...entries, fresh];
  if (last.sent && !last.refused) return [...entries, { ...fresh, base: null }];
  const base = last.conflict ? last.conflict.revision : last.base;
  return replace(entries, last, { ...fresh, base });
}

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

/* Options are chosen in the order of this paper, and kept in the author's. */
const plain = ({ answer, flagged }) =>
  JSON.stringify([answer && [...answer.chosen].sort(), answer?.none_apply, flagged]);

const same = (one, other) => plain(one) === plain(other);

/* Take the server's word on one entry. */
export function settle(entries, operation, saved) {
  const entry = entries.find((one) => one.operation === operation);
  if (!entry) return entries;
  const next = of(entries, entry.slot).find((one) => one !== entry);
  if (saved.verdict !== "conflict" || same(entry, saved)) {
    const left = without(entries, entry);
    return next ? replace(left, next, { ...next, base: next.base ?? saved.revision }) : left;
  }
  const left = next ? without(entries, entry) : entries;
  const asking = next ?? entry;
  return replace(left, asking, { ...asking, sent: false, base: saved.revision, conflict: saved });
}

/* The server will never take it: keep it, but stop sending. */
export function refuse(entries, operation, code) {
  return entries.map((one) => (one.operation === operation ? { ...one, refused: code } : one));
}

/* The person decided: what is saved there stands. */
export function keepTheirs(entries, slot) {
  return entries.filter((entry) => entry.slot !== slot || !entry.conflict);
}

/* The person decided: what was chosen here stands, over what they have now seen. */
export function useOurs(entries, slot, operation) {
  return entries.map((entry) =>
    entry.slot === slot && entry.conflict
      ? { ...entry, base: entry.conflict.revision, conflict: null, sent: false, operation }
      : entry,
  );
}

export const waiting = (entries) => new Set(entries.map((entry) => entry.slot)).size;

export const conflicts = (entries) => entries.filter((entry) => entry.conflict);

export const latest = (entries) => new Map(entries.map((entry) => [entry.slot, entry]));
