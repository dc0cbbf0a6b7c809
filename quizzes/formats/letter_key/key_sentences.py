"""The lines that name the right options of lists. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence

from quizzes.formats.letter_key.option_lists import OptionList
from quizzes.formats.letter_key.question_evidence import NEAR, begins_question, find_number
from quizzes.formats.parsing.answer_names import find_named_options
from quizzes.formats.parsing.key_lines import KeyWords, is_key_line, read_key
from quizzes.formats.parsing.labels import split_number
from quizzes.formats.parsing.verdicts import Verdict, are_signs_of_truths, split_verdict

_BOLD_LINE = re.compile(r"\*\*(?P<text>\(?[A-Za-z][.):][ \t]+[^\s*][^*]*)\*\*")
_NAMES_BY_LETTER = re.compile(
    r".{0,60}(?:[:=]|\bis|\bes)[ \t*_]{1,4}(?:\*\*|[`(])?"
    r"(?:[A-H]|[a-h](?=[.)]))(?:\*\*|[`)])?(?:[.):,—–-]|[ \t]*$)"
)
"""A key that is a letter, also of options whose numbers show as letters."""
_NAMES_BY_NUMBER = re.compile(r".{0,60}[:=][ \t*_]{0,4}[`(]?\d{1,2}[`)]?[.)]?[*_ \t\\]{0,6}$")
"""A key that is a number, also of options that have letters."""
_NAMES_ZERO = re.compile(r".{0,60}[:=][ \t*_]{0,4}[`(]?0[`)]?[*_ \t\\]{0,6}$")
_NEGATIVE = re.compile(
    r"\b(?:not|incorrect\w*|wrong|false|except|least|no|nunca|fals[ao]s?|excepto|salvo|incorret\w*"
    r"|não|exceto|nicht|kein\w*|falsch\w*|außer|fausse?s?|sauf|pas)\b",
    re.IGNORECASE,
)
_LETTER_FIRST = re.compile(r"[\W_]*[A-Ja-j](?:[\W_]*$|[*_]{0,2}[ ]?[:.)(—–|-])")
"""How a key begins that is one letter."""
LONGEST_LABEL = 4
"""Signs of the label of an option: "(iv)"."""


def find_keys(lists: Sequence[OptionList], lines: Sequence[str], last: int) -> None:
    """Find the lines that name what is right: below the lists, or on the whole page above them."""
    if not lists:
        return
    starts = [0, *(option_list.end + 1 for option_list in lists[:-1])]
    ends = [*(option_list.start for option_list in lists[1:]), last]
    above = [range(o.start - 1, start - 1, -1) for o, start in zip(lists, starts, strict=True)]
    below = [range(o.end + 1, end) for o, end in zip(lists, ends, strict=True)]
    is_above = _read_key_among(lists[0], lines, above[0]) is not None
    is_above = is_above and _read_key_among(lists[-1], lines, below[-1]) is None
    counts = not any(_NAMES_ZERO.match(line) and is_key_line(line) for line in lines)
    for option_list, places in zip(lists, above if is_above else below, strict=True):
        if words := _read_key_among(option_list, lines, places, counts=counts):
            _apply_key(option_list, words)


def _read_key_among(
    option_list: OptionList, lines: Sequence[str], places: Iterable[int], *, counts: bool = True
) -> KeyWords | None:
    """Return the first key among these lines, up to where a question begins.

    `counts`: a number names the option at that place, the first being 1.
    """
    number, counted = find_number(option_list, lines), 0
    for place in places:
        if counting := split_number(lines[place]) if place > option_list.end else None:
            if not counted and number and counting[0] == number + 1:
                return None
            counted = counting[0]
        if is_key_line(lines[place]):
            words = _read_key_at(option_list, lines, place, counts=counts)
            if words.is_doubtful or (words.is_judged and _asks_for_wrong(option_list, lines)):
                return None
            if words.right:
                return words
        elif (named := _read_echo(option_list, lines[place])).right:
            return KeyWords(named.right, {place: ""})
        if begins_question(lines[place]):
            return None
    return None


def _read_key_at(
    option_list: OptionList, lines: Sequence[str], place: int, *, counts: bool
) -> KeyWords:
    """Return what a key line names: by its words, else by letter or by number."""
    words = read_key(option_list.named, lines, place)
    if not words.right and _NAMES_BY_LETTER.match(lines[place]):
        return read_key(option_list.lettered, lines, place)
    if counts and not words.right and _NAMES_BY_NUMBER.match(lines[place]):
        return read_key(option_list.counted, lines, place)
    return words


def _asks_for_wrong(option_list: OptionList, lines: Sequence[str]) -> bool:
    """Return whether the words above a list look for what is wrong: "Which is not correct?"."""
    first = option_list.start
    for line in reversed(lines[max(first - NEAR, 0) : first]):
        if _NEGATIVE.search(line):
            return True
        if begins_question(line):
            return False
    return False


def _read_echo(option_list: OptionList, line: str) -> KeyWords:
    """Return what a line with a tick, or in bold, names that repeats an option: "✅ B. Tajo"."""
    plain, verdict = split_verdict(line.strip())
    bold = _BOLD_LINE.fullmatch(plain)
    if verdict is not Verdict.RIGHT and not bold:
        return KeyWords()
    plain = bold["text"] if bold else plain
    right, rest = find_named_options(option_list.named, plain)
    has_name = not {".", ")", ":"}.isdisjoint(plain[:LONGEST_LABEL])
    return KeyWords(right) if has_name and not rest else KeyWords()


def _apply_key(option_list: OptionList, words: KeyWords) -> None:
    """Give a list the key of a line; where its options say otherwise themselves, neither counts."""
    is_marked = option_list.is_by_verdict or option_list.is_bold
    pairs = [(option.plain, option.verdict) for option in option_list.options]
    is_marked = is_marked and not are_signs_of_truths(pairs)
    is_other = is_marked and option_list.right != words.right
    option_list.is_disputed, option_list.is_bold = is_other, False
    option_list.right = frozenset() if is_other else words.right
    option_list.answer = words.rests


def apply_end_keys(
    lists: Sequence[OptionList], keys: Mapping[int, str], lines: Sequence[str]
) -> None:
    """Give lists without a key that of their number at the end of the page.

    It is the number above a list; of as many lists as keys, that of its place. Where all keys are
    letters, these count the options of lists without names.
    """
    numbers = sorted(keys)
    are_letters = all(map(_LETTER_FIRST.match, keys.values()))
    for at, option_list in enumerate(lists):
        number = find_number(option_list, lines)
        if number not in keys and len(lists) == len(keys):
            number = numbers[at]
        if not option_list.right and number in keys:
            key, _, reason = keys[number].partition("\n")
            option_list.right, rest = find_named_options(option_list.named, key)
            if not option_list.right and are_letters:
                option_list.right, rest = find_named_options(option_list.lettered, key)
            option_list.reason = f"{rest} {reason}".strip()
            option_list.is_keyed_at_end = bool(option_list.right)
