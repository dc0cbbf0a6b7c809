/* Texts that can be read as two numbers: `3.125` is three and a bit, or three thousand. The same rule
   as the server's (grading/numeric/separators.py); both are tested with fixtures/ambiguous_numbers.json.
   Pure. */

const SAME = [
  [/[\u2010-\u2014\u2212\ufe63\uff0d]/g, "-"],
  [/[\u00b7\u2022\u2219\u22c5\u00d7\u2715\u2a2f]/g, "*"],
  [/[\u2018\u2019\u02bc\u2032\u00b4\uff07]/g, "'"],
  [/[\u00ba\u02da]/g, "\u00b0"],
  [/[\u2044\u2215]/g, "/"],
];
const RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b";
const VULGAR = /[\u00bc-\u00be\u2150-\u215e\u2189]/g; // ½: a number of its own, never a part of one
const RAISED_RUN = new RegExp(`[${RAISED}]+`, "gu");

/* One sign for each meaning: a minus is `-`, `·` is `*`, `²` is `^2`; runs of space are one. */
function fold(text) {
  const typed = (run) => "^" + [...run].map((sign) => "0123456789+-"[RAISED.indexOf(sign)]).join("");
  const unify = (folded) => SAME.reduce((result, [signs, sign]) => result.replace(signs, sign), folded);
  const spelled = (sign) => ` ${sign.normalize("NFKC")} `;
  const visible = text.replace(/\p{Cf}/gu, "").replace(RAISED_RUN, typed);
  return unify(unify(visible.replace(VULGAR, spelled)).normalize("NFKC")).replace(/\s+/g, " ").trim();
}

const MAX_LENGTH = 100;
const MAX_EXPONENT = 400;
const CURRENCY = "$\u00a2-\u00a5\u20a0-\u20cf";
const POWER = "(?:[eE]([+-]?[0-9]+)| ?[*xX] ?10 ?(?:\\^|\\*\\*) ?([+-]?[0-9]+))";
/* One mark with one to three digits before it, the first not 0, and exactly three after it. */
const NUMERAL = new RegExp(
  `^([+-]?) ?[${CURRENCY}]? ?([+-]?) ?([1-9][0-9]{0,2})([.,'])([0-9]{3})(?![0-9]|[.,'][0-9]| [0-9]{3}(?![0-9]))[.,]?${POWER}?(.*)$`,
  "u",
);
const BROKEN_POWER = "[eE](?! ?[*/]? ?\\p{L})|[xX] ?[0-9]";
const UNIT = new RegExp(
  `^(?!${BROKEN_POWER})(?:\\p{L}|[%\u2030\u00b0'"${CURRENCY}])` +
    `(?:[\\p{L}\\p{N}]|[%\u2030\u00b0'"${CURRENCY}/^*.()+\\-]| (?![0-9]))*$`,
  "u",
);

/* Return {integer, joined}, what stands before the separator and all digits, of a text that can be two
   numbers; null for any other. */
export function findReadings(typed) {
  if (typed.length > MAX_LENGTH) return null;
  const match = NUMERAL.exec(fold(typed));
  if (!match) return null;
  const [, sign, otherSign, integer, mark, decimals, power, powerOfTen, rest] = match;
  const exponent = power ?? powerOfTen;
  const unit = rest.trim();
  const isScientific = exponent !== undefined && integer.length === 1 && mark !== "'";
  if ((sign && otherSign) || isScientific || (unit && !UNIT.test(unit))) return null;
  if (Math.abs(Number(exponent ?? 0)) > MAX_EXPONENT) return null;
  const minus = sign === "-" || otherSign === "-" ? "-" : "";
  return { integer: minus + integer, joined: minus + integer + decimals };
}
