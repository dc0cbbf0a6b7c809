/* Paths into an answer, as controls and queued entries name them: `text`, `gaps.g1.typed`,
   `chosen[]` (a list), `chosen{}` (a list whose order says nothing). Pure. */

const splitPath = (path) => path.replace(/\[\]$|\{\}$/, "").split(".");

/* Return the value at a path, undefined for nothing. */
export function getValue(answer, path) {
  return splitPath(path).reduce((part, name) => part?.[name], answer ?? undefined);
}

/* Set a value at a path, with the objects that lead there. */
export function setValue(answer, path, value) {
  const steps = splitPath(path);
  const last = steps.pop();
  const place = steps.reduce((part, name) => (part[name] ??= {}), answer);
  place[last] = value;
}

const normalizeText = (value) => (typeof value === "string" ? value.normalize("NFC").trim() : value);

function normalizeValue(value, path) {
  if (!Array.isArray(value)) return normalizeText(value) || null; // what is false or blank is not there
  if (!value.length) return null;
  return path.endsWith("{}") ? [...value].sort() : value;
}

/* Return whether two states of a question are equal, as far as its controls can tell: the
   server's form of an answer may hold more than was sent. */
export function isSameResponse(response, other, paths) {
  const describe = ({ answer, flagged }) =>
    JSON.stringify([
      answer === null,
      paths ? paths.map((path) => normalizeValue(getValue(answer, path), path)) : answer,
      flagged,
    ]);
  return describe(response) === describe(other);
}
