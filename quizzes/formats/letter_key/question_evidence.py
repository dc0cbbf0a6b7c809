"""Whether lists with letters are the questions of a page. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence

from quizzes.formats.letter_key.option_lists import OptionList
from quizzes.formats.parsing.answer_names import squeeze
from quizzes.formats.parsing.key_lines import is_key_title
from quizzes.formats.parsing.labels import split_number, strip_label
from quizzes.formats.parsing.open_answers import ANSWERED
from quizzes.formats.parsing.option_labels import are_ordinals

NUMBER = re.compile(
    r"[^\w\n]{0,8}(?:(?:Question|Pregunta|Q|P)[ \t.#]{0,2})?(\d{1,4})(?:[.):*\s]|$)", re.IGNORECASE
)
BOX = re.compile(r"[ \t]{0,12}[-*+][ \t]+\[([ xX])\][ \t]+\S")
_LABEL_WORD = re.compile(r"[#*_ \t]{0,9}[^\W\d_]")
FAR = 15
"""Lines above a list in which the number of its question is looked for."""
NEAR = 4
"""Lines beside a list in which its question, or a box with its key, begins."""


def has_enough_keys(lists: Sequence[OptionList], lines: Sequence[str], keyed: int) -> bool:
    """Return whether most lists have a key, but for those that explain, and are the page's.

    On a page with more lists of boxes lines below have to name what is right.
    """
    pairs = zip([None, *lists], lists, strict=False)
    explaining = sum(not each.has_key and is_comment(each, above, lines) for above, each in pairs)
    if not keyed or 2 * keyed < len(lists) - explaining:
        return False
    return not _has_more_boxes(lines, keyed) or _are_keyed_below(lists, lines)


def _are_keyed_below(lists: Sequence[OptionList], lines: Sequence[str]) -> bool:
    """Return whether all lists that have a key are asked, and a line below names what is right."""
    return all(_is_asked(o, lines) and _is_keyed_below(o) for o in lists if o.has_key)


def _is_keyed_below(option_list: OptionList) -> bool:
    """Return whether a line below a list, or at the end of the page, names what is right."""
    if option_list.is_disputed or not option_list.right:
        return False
    return option_list.is_keyed_at_end or min(option_list.answer, default=0) > option_list.end


def find_others(
    lists: Mapping[str, Sequence[OptionList]], style: str, source: Sequence[str]
) -> list[OptionList]:
    """Return the lists of other styles that a line of their own keys, apart from those of this one.

    A page may number the options of one question and letter those of another. A key at its end is
    of one list.
    """
    numbers = {find_number(o, source) for o in lists[style] if o.is_keyed_at_end}
    written = {place for o in lists[style] for place in range(o.start, o.end + 1)}
    answers = {place for o in lists[style] for place in o.answer}
    others: list[OptionList] = []
    for other in (other for each in lists if each != style for other in lists[each]):
        lines = {*range(other.start, other.end + 1)}
        is_keyed = _is_keyed_below(other) and _is_asked(other, source)
        if other.is_keyed_at_end and find_number(other, source) in numbers:
            continue
        if is_keyed and written.isdisjoint(lines) and answers.isdisjoint({*other.answer} | lines):
            written |= lines
            answers |= {*other.answer}
            others.append(other)
    return others


def are_dates(option_list: OptionList) -> bool:
    """Return whether numbers behind bullets are no names of options: "- 1. Januar"."""
    has_bullets = all(option.sign[-1:] in {*"-*+"} for option in option_list.options)
    return has_bullets and are_ordinals(option.plain for option in option_list.options)


def are_questions(
    lists: Sequence[OptionList], lines: Sequence[str], *, counted: bool = False
) -> bool:
    """Return whether most lists without any key have a line that asks above their options.

    `counted`: only where a label counts the question, too.
    """
    questions = [each for each in lists if _is_asked(each, lines)]
    if counted:
        questions = [each for each in questions if _is_counted(each, lines)]
    return bool(lists) and 2 * len(questions) > len(lists)


def _is_counted(option_list: OptionList, lines: Sequence[str]) -> bool:
    """Return whether a label such as "Question 4" stands near above a list."""
    first = option_list.start
    above = (line for line in lines[max(first - FAR, 0) : first] if line.strip())
    return any(_LABEL_WORD.match(line) and begins_question(line) for line in above)


def _is_asked(option_list: OptionList, lines: Sequence[str]) -> bool:
    """Return whether the words above a list ask, or have the number of a question."""
    if option_list.prompt:
        return True
    first = option_list.start
    above = next(
        (line for line in reversed(lines[max(first - NEAR, 0) : first]) if line.strip()), ""
    )
    asks = above.rstrip(" *_`\\").endswith(("?", "？", "؟", ":", "：")) or "___" in above
    return asks or begins_question(above) or split_number(above) is not None


def is_keyed_in_words(option_list: OptionList) -> bool:
    """Return whether words name what is right, or bold a named option: ticks may say "done"."""
    has_words = option_list.answer or option_list.head or option_list.is_keyed_at_end
    return bool(has_words) or (bool(option_list.options[0].name) and option_list.is_bold)


def tells_an_attempt(option_list: OptionList, lines: Sequence[str]) -> bool:
    """Return whether lines with signs tell what somebody answered: "❌ Your answer: B"."""
    return any(ANSWERED.match(lines[option.place]) for option in option_list.options)


def is_comment(option_list: OptionList, before: OptionList | None, lines: Sequence[str]) -> bool:
    """Return whether a list without a key explains the one before: nothing between them asks."""
    if before is None or not before.answer:
        return False
    return not _asks_between(lines[max(before.answer) + 1 : option_list.start])


def _asks_between(lines: Iterable[str]) -> bool:
    """Return whether any of these lines begins a question or a part of the page, or asks."""
    return any(
        line.startswith("#") or NUMBER.match(line) or line.rstrip(" *_`").endswith("?")
        for line in lines
    )


def drop_comments(lists: Sequence[OptionList], lines: Sequence[str]) -> list[OptionList]:
    """Return lists without those that comment on the options of the one before, below a title."""
    option_lists: list[OptionList] = []
    for option_list in lists:
        if not (option_lists and _comments(option_list, option_lists[-1], lines)):
            option_lists.append(option_list)
    return option_lists


def _comments(option_list: OptionList, before: OptionList, lines: Sequence[str]) -> bool:
    """Return whether a list is of the names or texts of the one before, below "Answers:"."""
    between = [line for line in lines[before.end + 1 : option_list.start] if line.strip()]
    if not between or not is_key_title(between[-1]) or _asks_between(between[:-1]):
        return False
    names = {option.name for option in before.options} - {""}
    texts = tuple(filter(None, (squeeze(option.plain) for option in before.options)))
    return all(
        option.name in names if option.name else squeeze(option.plain).startswith(texts)
        for option in option_list.options
    )


def _has_more_boxes(lines: Sequence[str], keyed: int) -> bool:
    """Return whether a page has more lists of boxes, ticked and empty, than lists with a key."""
    lists, signs = 0, set[bool]()
    for line in lines:
        if box := BOX.match(line):
            signs.add(box[1] != " ")
        elif line.strip() and not line.startswith((" ", "\t")):
            lists += len(signs) > 1
            signs = set()
    return lists + (len(signs) > 1) >= keyed


def begins_question(line: str) -> bool:
    """Return whether a line is a heading or label that counts questions."""
    heading = line.lstrip("# \t") if line.startswith("#") else ""
    return strip_label(heading or line, heading=bool(heading)) is not None


def find_number(option_list: OptionList, lines: Sequence[str]) -> int:
    """Return the number of the question above a list; 0 where there is none."""
    if own := NUMBER.match(option_list.prompt):
        return int(own[1])
    first = option_list.start
    for place in range(first - 1, max(first - FAR, -1), -1):
        if match := NUMBER.match(lines[place]):
            return int(match[1])
    return 0
