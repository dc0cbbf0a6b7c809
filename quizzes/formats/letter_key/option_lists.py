"""Lists of options: lines of one style (letters, numbers, bullets, signs), one after the other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from string import ascii_lowercase

from quizzes.formats.checklist.sections import is_explanation
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.key_lines import begins_with_key_word, is_key_line
from quizzes.formats.parsing.option_labels import ROMANS
from quizzes.formats.parsing.verdicts import SIGN, Verdict, split_verdict

_LEAD = r"[ \t]{0,12}(?:>[ \t]?)?(?:[-*+][ \t]+)?"
_LETTERED = re.compile(
    rf"{_LEAD}(?P<open>\*\*|__)?\(?(?P<name>[A-Za-z])(?P<inner>\*\*|__)?(?:[.):]|[ ]+[-–](?=[ ]))"
    r"(?P<close>\*\*|__)?[ \t]+(?P<text>\S.*)$"
)
_NUMBERED = re.compile(
    r"[ \t]{0,12}(?P<bullet>[-*+][ \t]+)?(?P<open>\*\*|__)?\(?(?P<name>\d{1,2})(?P<inner>\*\*|__)?"
    r"(?:[.)]|(?(bullet):))"
    r"(?P<close>\*\*|__)?[ \t]+(?P<text>\S.*)$"
)
_NUMBER_SIGN = re.compile(r"\(?\d{1,2}(?:\*\*|__)?[.):]")
_ROMAN = re.compile(
    rf"{_LEAD}(?P<open>\*\*|__)?\(?(?P<name>[ivx]{{1,4}}|[IVX]{{1,4}})(?P<inner>\*\*|__)?[.)]"
    r"(?P<close>\*\*|__)?[ \t]+(?P<text>\S.*)$"
)
_BULLET = re.compile(
    r"[ \t]{0,12}(?P<bullet>[-*+])[ \t]+(?P<open>)(?P<name>)(?P<inner>)(?P<close>)(?P<text>\S.*)$"
)
_SIGNED = re.compile(
    r"[ \t]{0,12}(?P<open>)(?P<name>)(?P<inner>)(?P<close>)"
    rf"(?P<text>(?:\*\*)?(?:{SIGN}[ \t]*\S|~~\S).*)$"
)
_BARE = re.compile(
    rf"{_LEAD}(?P<open>\*\*|__)?\(?(?P<name>[A-Za-z])(?P<inner>\*\*|__)?[.):](?P<close>\*\*|__)?"
    r"[ \t]*(?P<text>)$"
)
"""An option that is the listing below it."""
STYLES = {
    "letters": _LETTERED,
    "numbers": _NUMBERED,
    "bullets": _BULLET,
    "signs": _SIGNED,
    "roman": _ROMAN,
}
NAMELESS = frozenset({"bullets", "signs", "choices"})
_NAMED_RIGHT = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?[A-Z][ ]+[-–][ ]+(?:correct|right|correct[ao])[ \t.]*", re.IGNORECASE
)
"""An entry of a list of keys: "B - Correct"."""
_BOX = re.compile(r"\\?\[[ xX]?\\?\][ \t]|\([ xX]\)[ \t]")
_OUTER_BOX = re.compile(r"\[ \][ \t]+(?=(?:[-*+][ \t]+)?\[[ xX]?\][ \t])")
"""The box of an option that is a box itself: "1. [ ] - [x] Tajo"."""
_BOLD = re.compile(r"(\*\*|__)(?P<text>(?:(?!\1).)+)\1(?:[ \t]|<br ?/?>|\\$)*")
_LONGEST_NAME = 3
_FEWEST = 2


@dataclass(slots=True)
class ListOption:
    """An option of a list: the place of its line (from 0), its name, its text without bold marks.

    `plain` is the text without its verdict, too.
    """

    place: int
    name: str
    text: str
    plain: str
    verdict: Verdict | None
    is_bold: bool
    bullet: str = ""
    label: str = ""  # the name as it stands: a lazy list calls all its entries 1
    sign: str = ""  # what stands around a number: "." or ")" or "()", and its bullet


@dataclass(slots=True)
class OptionList:
    """Options that follow each other, and which of them are right."""

    options: list[ListOption]
    right: frozenset[int] = frozenset()
    is_bold: bool = False
    is_crossed: bool = False
    is_by_verdict: bool = False
    is_keyed_at_end: bool = False
    is_disputed: bool = False  # two keys that differ
    answer: dict[int, str] = field(default_factory=dict)  # lines of the key → what stays of them
    reason: str = ""
    head: tuple[int, str, str] | None = None  # of a key at its end: place, words, key
    doubt: str = ""  # a code of a note on what its key was taken from
    prompt: str = ""  # what stands above options that share its line

    @property
    def named(self) -> list[tuple[str, str]]:
        """Return the names and texts of its options.

        Those of a list without names are numbers, unless options are.
        """
        has_numbers = any(option.plain.isdecimal() for option in self.options)
        return [
            (option.name or ("" if has_numbers else f"{at}"), option.plain)
            for at, option in enumerate(self.options, start=1)
        ]

    @property
    def lettered(self) -> list[tuple[str, str]]:
        """Return letters and texts of its options, if they have none: a page may show letters.

        None where an option is a single letter itself.
        """
        has_letters = any(option.name.isalpha() for option in self.options)
        if has_letters or any(len(option.plain) == 1 for option in self.options):
            return []
        return [
            (name, option.plain)
            for name, option in zip(ascii_lowercase, self.options, strict=False)
        ]

    @property
    def counted(self) -> list[tuple[str, str]]:
        """Return the numbers of its places, and texts of its options, if they have letters.

        None where an option is a number itself.
        """
        is_lettered = all(option.name.isalpha() for option in self.options)
        if not is_lettered or any(any(map(str.isdigit, each.plain)) for each in self.options):
            return []
        return [(f"{at}", option.plain) for at, option in enumerate(self.options, start=1)]

    @property
    def has_key(self) -> bool:
        """Return whether anything says which of its options are right."""
        return bool(self.right) or self.is_disputed

    @property
    def places(self) -> list[int]:
        """Return the places of its options."""
        return [option.place for option in self.options]

    @property
    def start(self) -> int:
        """Return the place of its first option."""
        return self.options[0].place

    @property
    def end(self) -> int:
        """Return the place of its last option."""
        return self.options[-1].place


def find_lists(lines: Sequence[str], style: str) -> Iterator[OptionList]:
    """Yield the lists of a style: names that follow each other, nothing but their lines between."""
    options: list[ListOption] = []
    is_over = False
    code_lines = find_code_lines(lines)
    shuffled = _find_shuffled(lines, code_lines) if style == "letters" else {}
    for place, (line, is_code) in enumerate(zip(lines, code_lines, strict=True)):
        option = None if is_code or not line.strip() else _parse_option(lines, place, style)
        if option and options and not is_over and style == "bullets":
            is_below = _measure(line) > _measure(lines[options[0].place]) + 1
            option = None if is_below else option
        if option and place in shuffled:
            if shuffled[place]:
                yield from _close_list(options, lines)
                options, is_over = [], False
            options.append(option)
        elif option and options and not is_over and _is_lazy(option, options[-1], lines):
            options.append(replace(option, name=f"{len(options) + 1}"))
        elif (
            option
            and options
            and not is_over
            and _follows(option, options[-1], style)
            and not (style == "numbers" and _measure(line) + 1 < _measure(lines[options[0].place]))
        ):
            options.append(option)
        elif option and (style in NAMELESS or _is_first(option)):
            yield from _close_list(options, lines)
            options, is_over = [option], False
        elif options and line.strip() and not is_code:
            is_indented = line.startswith((" ", "\t"))
            is_over = is_over or not (is_indented or style == "letters") or _ends_list(line)
    yield from _close_list(options, lines)


def _find_shuffled(lines: Sequence[str], code_lines: Sequence[bool]) -> dict[int, bool]:
    """Return the places of options whose letters are those from A on, each once, in disorder.

    They stand line below line. The value says whether one is the first of its list.
    """
    shuffled: dict[int, bool] = {}
    names: list[str] = []
    for place in range(len(lines) + 1):
        is_line = place < len(lines) and not code_lines[place]
        match = _LETTERED.match(lines[place]) if is_line else None
        if match:
            names.append(match["name"].lower())
            continue
        in_order = [*ascii_lowercase[: len(names)]]
        if len(names) > _FEWEST and names != in_order and sorted(names) == in_order:
            first = place - len(names)
            shuffled |= {at: at == first for at in range(first, place)}
        names = []
    return shuffled


def _close_list(options: list[ListOption], lines: Sequence[str]) -> Iterator[OptionList]:
    """Yield options as a list, unless there is only one; a last entry may explain the answer."""
    may_explain = len(options) > _FEWEST and not options[-1].name
    if may_explain and is_explanation(lines[options[-1].place].strip()):
        options = options[:-1]
    if len(options) >= _FEWEST:
        yield OptionList(options)


def holds_lists(option_list: OptionList, lines: Sequence[str]) -> bool:
    """Return whether entries of a list have lettered options of their own: it is of questions."""
    letters = [
        match["name"].lower()
        for line in lines[option_list.start : option_list.end]
        if (match := _LETTERED.match(line))
    ]
    return letters[:2] == ["a", "b"]


def _measure(line: str) -> int:
    return len(line) - len(line.lstrip())


def _ends_list(line: str) -> bool:
    return line.startswith("#") or is_key_line(line)


def _parse_option(lines: Sequence[str], place: int, style: str) -> ListOption | None:
    line = lines[place]
    match = STYLES[style].match(line)
    if match is None and style == "letters" and _opens_listing(lines, place):
        match = _BARE.match(line)
    if match is None or _names_option(match, line):
        return None
    outer = _OUTER_BOX.match(match["text"]) if style == "numbers" else None
    if outer is None and _BOX.match(match["text"]):
        return None
    if style == "letters" and _NAMED_RIGHT.fullmatch(line):
        return None
    text = match["text"][outer.end() if outer else 0 :].rstrip("\\ \t")
    is_open = bool(match["open"]) and not (match["inner"] or match["close"])
    is_bold = bool(match["open"]) and not is_open
    if is_open and text.endswith(match["open"]):
        is_bold, text = True, text.removesuffix(match["open"]).strip()
    text, is_bold_text = _strip_bold(text)
    plain, verdict = split_verdict(text)
    plain, is_bold_plain = _strip_bold(plain)
    is_bold = is_bold or is_bold_text or is_bold_plain
    bullet = match["bullet"] if style == "bullets" else ""
    name = match["name"].lower()
    number = _NUMBER_SIGN.search(line) if style == "numbers" else None
    sign = re.sub(r"[\d*_]", "", number[0]) if number else ""
    sign += (match["bullet"] or "").strip() if style == "numbers" else ""
    return ListOption(place, name, text, plain, verdict, is_bold, bullet, name, sign)


def _names_option(match: re.Match[str], line: str) -> bool:
    """Return whether a line is a key; "**Correct:** text" with more than a letter is none.

    Nor is "A) is correct", which is an option.
    """
    if not begins_with_key_word(line):
        return False
    plain, verdict = split_verdict(match["text"])
    return not (verdict is Verdict.RIGHT and len(plain) > _LONGEST_NAME and plain in match["text"])


def _strip_bold(text: str) -> tuple[str, bool]:
    """Return a text without the marks of bold around all of it, and whether it had them."""
    bold = _BOLD.fullmatch(text)
    return (bold["text"].strip(), True) if bold else (text, False)


def _opens_listing(lines: Sequence[str], place: int) -> bool:
    """Return whether the next line with anything in it begins a listing."""
    following = next((line for line in lines[place + 1 : place + 4] if line.strip()), "")
    return following.lstrip().startswith(("```", "~~~"))


def _is_first(option: ListOption) -> bool:
    return option.name in {"a", "1", "i"}


def _is_lazy(option: ListOption, before: ListOption, lines: Sequence[str]) -> bool:
    """Return whether both are called 1, at the same margin, one below the other."""
    margins = {
        len(lines[each.place]) - len(lines[each.place].lstrip()) for each in (option, before)
    }
    is_bold = {lines[each.place].lstrip().startswith(("**", "__")) for each in (option, before)}
    is_alike = option.sign == before.sign and len(is_bold) == 1
    is_next = option.place == before.place + 1 and is_alike
    return option.label == before.label == "1" and len(margins) == 1 and is_next


def _follows(option: ListOption, before: ListOption, style: str) -> bool:
    if style in NAMELESS:
        return True
    if style == "numbers":
        # Below options "1)" to "4)", "5." is the next question.
        return int(option.name) == int(before.name) + 1 and option.sign == before.sign
    names: Sequence[str] = ROMANS if style == "roman" else ascii_lowercase
    after = names[names.index(before.name) + 1 :][:1] if before.name in names else ""
    return option.name in after
