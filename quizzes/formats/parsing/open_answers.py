"""Questions that are answered in own words, whose key stands below: "**Answer:** Paris". Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.key_lines import KEY_WORDS, is_key_title, split_key_words

_TAG = re.compile(
    r"[ \t]*(?:</?details\b[^<>]*>|<summary[^<>]*>[^\n]*?</summary>)[ \t]*", re.IGNORECASE
)
_LETTERS = re.compile(
    r"[\W_]*(?:[A-Ja-j]|[A-J](?:[ ]?(?:,|&|and|y)[ ]?[A-J])+)"
    r"(?:[\W_]*$|[*_`]{0,3}[).:][*_`).:]{0,4}[ ]|[\W_]*[(–—-])"
)
"""A key that names an option, which must be elsewhere."""
_EXPLAINS = re.compile(
    r"[\W_]{0,6}(?:explanation|explicación|explication|erklärung|explicação|why|reason|rationale"
    r"|spiegazione)[*_]{0,3}[ ]?[:：]",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+(?:[’'.,-]\w+)*")
_SEVERAL = re.compile(r"[,;/()\n|→]|\b(?:and|or|y|o|und|oder|et|ou|e)\b|\.{3}|…", re.IGNORECASE)
_ASKS_WHY = re.compile(
    r"[\W_\d]*(?:why|how(?![ ](?:many|much|old|long|far|big))|explain|describe|discuss|compare"
    r"|por[ ]qué|cómo|explica|describe|define|compara|warum|wie(?![ ]viele?)|erkläre|beschreibe"
    r"|pourquoi|comment|expliquez|décrivez|por[ ]que|como|explique|descreva)",
    re.IGNORECASE,
)
_ASKS_TRUTH = re.compile(
    r"\b(?:true[ ]?(?:/|or|and|&)[ ]?false|t[ ]?/[ ]?f|v[ ]?/[ ]?f|verdadero[ ]?[/o][ ]?falso"
    r"|vrai[ ]?(?:/|ou)[ ]?faux|(?:wahr|richtig)[ ]?(?:/|oder)[ ]?falsch"
    r"|verdadeiro[ ]?(?:/|ou)[ ]?falso)\b",
    re.IGNORECASE,
)
_TRUTH = re.compile(
    r"[*_ ]{0,4}(?P<word>[^\W\d_]+)[*_]{0,3}[ .,:;!—–-]{1,4}(?P<rest>.*)", re.DOTALL
)
_TRUTH_APART = re.compile(
    r"[*_ ]{0,4}(?P<word>[^\W\d_]{4,})[*_]{0,3}(?:[.,:;!][*_]{0,3}|[ ][—–-])[ ](?P<rest>.*)",
    re.DOTALL,
)
"""Such a word that a sign sets off from its reason, wherever it stands: "False. It is red"."""
_MOST_WORDS = 3
_MOST_CHARACTERS = 40
_LONGEST_CODE = 60
_OPTION = re.compile(r"[ \t]{0,12}(?:[-*+][ \t]+)?[*_]{0,2}\(?[A-Da-d][.)][*_ \t]")
_CHOICES = re.compile(
    r"[\W_]{0,6}(?:choices|options|opciones|alternativas|optionen|opções)[*_]{0,3}[ ]?[:：]",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"[ \t]{0,12}(?:[-*+]|\d{1,2}[.)]|\[[ xX]?\])[ \t]+\S")
_SHORT = re.compile(
    r"[ \t]{0,12}(?:[-*+][ ]+)?[*_]{0,2}A[*_]{0,2}[:：][*_]{0,2}[ \t]+(?P<key>\S.*)"
)
_ASKED = re.compile(r"[*_]{0,2}Q[*_]{0,2}[:：][*_]{0,2}[ \t]*(?=\S)", re.IGNORECASE)
"""The marks of a question and its answer: "Q: Can it?", "A: It can."."""
ANSWERED = re.compile(
    r"[\W_]{0,9}(?:(?:your|my)[ ](?:answer|choice)|(?:tu|mi|su)[ ]respuesta)[*_]{0,3}[ ]?[:：]",
    re.IGNORECASE,
)
"""What somebody answered, on the page of a result."""
_BOX_TITLE = re.compile(
    rf"\*\*[^*\n?]{{0,30}}?\b(?:{KEY_WORDS})\b[^*\n?]{{0,30}}\*\*", re.IGNORECASE
)
_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """What is asked, and what answers it; `explanation` is what stands below that.

    `details` are what the prompt said of its kind, and no longer does; `judges`: it stands among
    statements to be called true or false.
    """

    prompt: str
    answer: str
    explanation: str = ""
    details: Sequence[str] = ()
    judges: bool = False

    @property
    def is_below_list(self) -> bool:
        """Return whether a list ends what is asked: its entries may be options."""
        *above, last = self.prompt.split("\n")
        return _ENTRY.match(last) is not None and any(map(_ENTRY.match, above))

    @property
    def truth(self) -> tuple[bool, str] | None:
        """Return whether a statement is true, and why; None where it is none."""
        asks = self.judges or any(map(asks_for_truth, (self.prompt, *self.details)))
        if (is_true := parse_boolean(self.word, letters=asks)) is not None:
            return is_true, self.explanation
        match = (_TRUTH if asks else _TRUTH_APART).match(self.answer)
        if match is None or (is_true := parse_boolean(match["word"], letters=True)) is None:
            return None
        return is_true, "\n\n".join(filter(None, (match["rest"].strip(), self.explanation)))

    @property
    def code(self) -> str:
        """Return the answer that is one piece of inline code; else ""."""
        match = _CODE.fullmatch(self.answer.strip("*_ "))
        return match[1] if match and len(match[1]) <= _LONGEST_CODE else ""

    @property
    def word(self) -> str:
        """Return the answer that is a few words or a number, to be typed; else ""."""
        words = self.answer.strip("*_ ").rstrip(".")
        is_short = len(_WORD.findall(words)) <= _MOST_WORDS and len(words) <= _MOST_CHARACTERS
        is_plain = is_short and not _SEVERAL.search(words) and "`" not in words
        return words if is_plain and words and not _ASKS_WHY.match(self.prompt) else ""


def asks_for_truth(text: str) -> bool:
    """Return whether a text says that statements are true or false: "True / False", "V/F"."""
    return _ASKS_TRUTH.search(text) is not None


def split_open_answer(
    text: str, details: Sequence[str] = (), *, judges: bool = False
) -> OpenAnswer | None:
    """Return the question and the answer of a text; None where no key in words stands below it.

    `judges`: it stands among statements that are true or false.
    """
    lines = text.split("\n")
    if any(map(ANSWERED.match, lines)):
        return None
    code_lines = find_code_lines(lines)
    labelled = _ASKED.match(lines[0])
    keys = (
        (at, key)
        for at, (line, is_code) in enumerate(zip(lines, code_lines, strict=True))
        if at
        and not is_code
        and (key := _read_key(line, is_short=labelled is not None)) is not None
    )
    place, key = next(keys, (0, ""))
    prompt = _drop_box_title("\n".join(_drop_tags(lines[:place])).strip())
    if not place or not prompt:
        return None
    if labelled:
        prompt = prompt[labelled.end() :]
        prompt = prompt.removesuffix("**") if prompt.count("**") % 2 else prompt
    below = _drop_tags([key, *lines[place + 1 :]])
    end = next((at for at, line in enumerate(below) if at and _EXPLAINS.match(line)), len(below))
    answer = "\n".join(below[:end]).strip()
    if answer.endswith("**") and answer.count("**") % 2:
        answer = answer.removesuffix("**").rstrip()
    if again := split_key_words(answer.split("\n")[0]):
        answer = "\n".join([again, *answer.split("\n")[1:]])
    open_answer = OpenAnswer(prompt, answer, "\n".join(below[end:]).strip(), details, judges)
    names_option = _LETTERS.match(answer) and not open_answer.truth
    if not any(map(str.isalnum, answer)) or names_option:
        return None
    return None if _has_options(open_answer) else open_answer


def _drop_box_title(prompt: str) -> str:
    """Return a prompt without the bold title of the box that its answer is in: "See the answer"."""
    above, _, title = prompt.rpartition("\n\n")
    return above.rstrip() if _BOX_TITLE.fullmatch(title.strip()) else prompt


def has_key(line: str) -> bool:
    """Return whether a line has a key behind a colon, or is the title of one."""
    return _read_key(line, is_short=False) is not None


def find_key_without_options(lines: Sequence[str]) -> int:
    """Return the place of the first line with a key below a question that lists nothing; 0: none.

    Entries of a list above it are options, in whatever way they are marked.
    """
    end = next((at for at, line in enumerate(lines) if at and has_key(line)), 0)
    return 0 if sum(_ENTRY.match(line) is not None for line in lines[1:end]) > 1 else end


def _read_key(line: str, *, is_short: bool) -> str | None:
    """Return what a line has of a key; "" where it is a title, None where it is none."""
    if is_short and (short := _SHORT.fullmatch(line)):
        return short["key"]
    words = split_key_words(line)
    return words if words or is_key_title(line) else None


def _has_options(open_answer: OpenAnswer) -> bool:
    """Return whether the words that ask list what may be chosen."""
    lines = open_answer.prompt.split("\n")
    letters = sum(_OPTION.match(line) is not None for line in lines)
    entries = sum(_ENTRY.match(line) is not None for line in lines)
    if any(map(_CHOICES.match, lines)):
        return True
    return letters > 1 or (entries > 1 and bool(open_answer.word))


def _drop_tags(lines: Sequence[str]) -> list[str]:
    """Return lines without the tags and titles of a box that folds."""
    plain = [_TAG.sub("", line) for line in lines]
    return [line for line in plain if not re.fullmatch(r"[ \t]*(?:-{3,}|\*{3,})[ \t]*", line)]
