"""Lists whose key is no box: a bold option, a tick, "(correct)", or a line "Answer: B" below.

Such a list is written anew as a checklist, line by line, so that lines keep their numbers. Options
are those of one style (letters, numbers or bullets): the one that most keys are found in.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase

from quizzes.formats.letter_key.answer_names import find_named_options
from quizzes.formats.letter_key.end_keys import find_end_keys

_LEAD = r"[ \t]{0,12}(?:>[ \t]?)?(?:[-*+][ \t]+)?"
_LETTERED = re.compile(
    rf"{_LEAD}(?P<open>\*\*|__)?\(?(?P<name>[A-Za-z])(?P<inner>\*\*|__)?(?:[.):]|[ ]+[-–](?=[ ]))"
    r"(?P<close>\*\*|__)?[ \t]+(?P<text>\S.*)$"
)
_NUMBERED = re.compile(
    r"[ \t]{0,12}(?P<open>\*\*|__)?\(?(?P<name>\d{1,2})(?P<inner>\*\*|__)?[.)]"
    r"(?P<close>\*\*|__)?[ \t]+(?P<text>\S.*)$"
)
_BULLET = re.compile(
    r"[ \t]{0,12}[-*+][ \t]+(?P<open>)(?P<name>)(?P<inner>)(?P<close>)(?P<text>\S.*)$"
)
_BARE = re.compile(
    rf"{_LEAD}(?P<open>\*\*|__)?\(?(?P<name>[A-Za-z])(?P<inner>\*\*|__)?[.):](?P<close>\*\*|__)?"
    r"[ \t]*(?P<text>)$"
)
"""An option that is the listing below it."""
_STYLES = {"letters": _LETTERED, "numbers": _NUMBERED, "bullets": _BULLET}
_BOX = re.compile(r"\\?\[[ xX]?\\?\][ \t]|\([ xX]\)[ \t]")
_TICK = re.compile(
    r"[ \t]{0,3}(?:[✅✔✓☑]\ufe0f?"
    r"|[*_]{0,2}[(\[](?:correct(?: answer)?|right|correct[ao]|cierto)[)\]][*_]{0,2}"
    r"|[ \t](?:<--|←)[ \t]*(?:correct|answer|correct[ao])\b\.?)[ \t]*",
    re.IGNORECASE,
)
_CROSS = re.compile(r"[ \t]{0,3}[❌✗✘]\ufe0f?[ \t]*")
_BOLD = re.compile(r"(\*\*|__)(?P<text>(?:(?!\1).)+)\1(?:[ \t]|<br ?/?>)*")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_CHOICE = r"options?|choices?|opci[oó]n(?:es)?|alternativas?"
_WORD = (
    r"(?:the\s)?(?:correct\s|right\s)?(?:answers?(?:\(s\))?|ans|solution|key)"
    rf"|(?:the\s)?(?:correct|right)\s(?:{_CHOICE})|(?:{_CHOICE})\scorrectas?|correct[ao]?s?"
    r"|respuestas?(?:\scorrectas?)?|soluci[oó]n"
    r"|respostas?(?:\scorretas?)?|(?:bonnes? )?réponses?|(?:richtige )?antwort(?:en)?|lösung"
)
_ANSWER = re.compile(
    rf"[^\w\n]{{0,12}}(?:{_WORD})(?!\w)"
    r"(?:\s+(?:is|are|es|son|est|ist)\b[ \t]*:?|[\s*_]*[:=–→-]>?)"
    r"[-\s*_`:]*(?P<key>\S.*)$",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    rf"[ \t]*(?:<details>)?[ \t]*<summary>(?:<\w+>)*[^<]{{0,20}}?(?:{_WORD})[^<]{{0,20}}"
    r"(?:</\w+>)*</summary>[ \t]*(?P<key>[^<]*)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>]*>")
_DETAILS = re.compile(r"[ \t]*</?details>[ \t]*$", re.IGNORECASE)
_NUMBER = re.compile(
    r"[^\w\n]{0,8}(?:(?:Question|Pregunta|Q|P)[ \t.#]{0,2})?(\d{1,4})(?:[.):*\s]|$)", re.IGNORECASE
)
_FAR = 15
_NEAR = 10
"""How many lines below its head the key of a box is looked for."""


@dataclass(slots=True)
class ListOption:
    """An option of a list: the place of its line (from 0), its name, its text without marks."""

    place: int
    name: str
    text: str
    is_ticked: bool
    is_bold: bool


@dataclass(slots=True)
class OptionList:
    """Options that follow each other, and which of them are right."""

    options: list[ListOption]
    right: frozenset[int] = frozenset()
    is_bold: bool = False
    is_keyed_at_end: bool = False
    answer: dict[int, str] = field(default_factory=dict)  # lines of the key → what stays of them

    @property
    def named(self) -> list[tuple[str, str]]:
        """Return the names and texts of its options."""
        return [(option.name, option.text) for option in self.options]

    @property
    def end(self) -> int:
        """Return the place of its last option."""
        return self.options[-1].place


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A file as a checklist; `bold_places` are those of lists whose key is in bold."""

    text: str
    bold_places: frozenset[int]


def mark_as_checklist(text: str) -> MarkedText | None:
    """Return a file as a checklist, line by line; None where no list of it has a key."""
    lines = text.split("\n")
    lists = {style: list(_find_lists(lines, style)) for style in _STYLES}
    end_lines, end_keys = find_end_keys(lines)
    for option_lists in lists.values():
        for option_list, end in _with_ends(option_lists, len(lines)):
            _find_key(option_list, lines, min(end, end_lines.start or end))
        _apply_end_keys(option_lists, end_keys, lines)
    keyed = Counter({style: sum(bool(o.right) for o in every) for style, every in lists.items()})
    ((style, most),) = keyed.most_common(1)
    if not most or 2 * most < len(lists[style]):
        return None
    for option_list in lists[style]:
        if option_list.right or style != "bullets":
            _write_boxes(option_list, lines)
    for place in end_lines if any(o.is_keyed_at_end for o in lists[style]) else ():
        lines[place] = f"<!-- {lines[place]} -->" if lines[place].strip() else ""
    bold = (o.options[0].place for o in lists[style] if o.is_bold)
    return MarkedText("\n".join(lines), frozenset(bold))


def _apply_end_keys(
    lists: Sequence[OptionList], keys: Mapping[int, str], lines: Sequence[str]
) -> None:
    """Give lists without a key that of their number at the end of the page.

    It is the number above a list; of as many lists as keys, that of its place.
    """
    numbers = sorted(keys)
    for at, option_list in enumerate(lists):
        number = _find_number(option_list, lines)
        if number not in keys and len(lists) == len(keys):
            number = numbers[at]
        if not option_list.right and number in keys:
            option_list.right, _ = find_named_options(option_list.named, keys[number])
            option_list.is_keyed_at_end = bool(option_list.right)


def _find_number(option_list: OptionList, lines: Sequence[str]) -> int:
    """Return the number of the question above a list; 0 where there is none."""
    first = option_list.options[0].place
    for place in range(first - 1, max(first - _FAR, -1), -1):
        if match := _NUMBER.match(lines[place]):
            return int(match[1])
    return 0


def _with_ends(lists: Sequence[OptionList], last: int) -> Iterator[tuple[OptionList, int]]:
    """Yield each list with the place where the next one begins."""
    starts = [option_list.options[0].place for option_list in lists[1:]]
    yield from zip(lists, [*starts, last], strict=False)


def _find_lists(lines: Sequence[str], style: str) -> Iterator[OptionList]:
    """Yield the lists of a style: names that follow each other, nothing but their lines between."""
    options: list[ListOption] = []
    is_code = is_over = False
    for place, line in enumerate(lines):
        if _FENCE.match(line):
            is_code = not is_code
        option = None if is_code or not line.strip() else _parse_option(lines, place, style)
        if option and options and not is_over and _follows(option, options[-1], style):
            options.append(option)
        elif option and (style == "bullets" or _is_first(option)):
            if len(options) > 1:
                yield OptionList(options)
            options, is_over = [option], False
        elif options and line.strip() and not is_code:
            is_indented = line.startswith((" ", "\t"))
            is_over = is_over or not (is_indented or style == "letters") or _ends_list(line)
    if len(options) > 1:
        yield OptionList(options)


def _ends_list(line: str) -> bool:
    return bool(line.startswith("#") or _ANSWER.match(line) or _SUMMARY.match(line))


def _parse_option(lines: Sequence[str], place: int, style: str) -> ListOption | None:
    line = lines[place]
    match = _STYLES[style].match(line)
    if match is None and style == "letters" and _opens_listing(lines, place):
        match = _BARE.match(line)
    if match is None or _BOX.match(match["text"]) or _ANSWER.match(line):
        return None
    text = match["text"].rstrip()
    is_open = bool(match["open"]) and not (match["inner"] or match["close"])
    is_bold_name = bool(match["open"]) and not is_open
    unticked = _CROSS.sub("", _TICK.sub("", text)).strip()
    is_ticked = _TICK.search(text) is not None
    bold = _BOLD.fullmatch(unticked)
    if bold:
        unticked = bold["text"].strip()
    elif is_open and unticked.endswith(match["open"]):
        bold, unticked = match, unticked.removesuffix(match["open"]).strip()
    return ListOption(
        place, match["name"].lower(), unticked, is_ticked, bold is not None or is_bold_name
    )


def _opens_listing(lines: Sequence[str], place: int) -> bool:
    """Return whether the next line with anything in it begins a listing."""
    following = next((line for line in lines[place + 1 : place + 4] if line.strip()), "")
    return _FENCE.match(following) is not None


def _is_first(option: ListOption) -> bool:
    return option.name in {"a", "1"}


def _follows(option: ListOption, before: ListOption, style: str) -> bool:
    if style == "bullets":
        return True
    if style == "numbers":
        return int(option.name) == int(before.name) + 1
    return (
        before.name != "z"
        and option.name == ascii_lowercase[ascii_lowercase.index(before.name) + 1]
    )


def _find_key(option_list: OptionList, lines: Sequence[str], end: int) -> None:
    """Find which options are right: with a tick, else in bold, else named above line `end`."""
    options = option_list.options
    ticked = frozenset(at for at, option in enumerate(options) if option.is_ticked)
    bold = frozenset(at for at, option in enumerate(options) if option.is_bold)
    option_list.is_bold = not ticked and 0 < len(bold) < len(options)
    if ticked or option_list.is_bold:
        option_list.right = ticked or bold
        return
    place = option_list.end + 1
    while place < end and not option_list.right:
        _read_key_line(option_list, lines[place : place + _NEAR], place)
        place += 1


def _read_key_line(option_list: OptionList, lines: Sequence[str], place: int) -> None:
    """Read a line that names what is right, or that opens a box in which the next one does."""
    summary, answer = _SUMMARY.match(lines[0]), _ANSWER.match(lines[0])
    keys = {place: summary["key"] if summary else answer["key"] if answer else ""}
    if summary and not summary["key"].strip():
        at = next((at for at, line in enumerate(lines) if at and line.strip()), 0)
        answer = _ANSWER.match(_strip_tags(lines[at]))
        keys = {place + at: answer["key"] if answer else lines[at]}
    for at, key in keys.items():
        plain = _strip_tags(key)
        named = _ANSWER.match(plain)
        words = (named["key"] if named else plain).rstrip("| \t")
        right, rest = find_named_options(option_list.named, words)
        if right:
            option_list.right = right
            option_list.answer = {place: "", at: rest}


def _open_bullet(option_list: OptionList, lines: list[str]) -> None:
    """Take the bullet off the question that the options are a list within."""
    first = option_list.options[0]
    place = next((at for at in range(first.place - 1, -1, -1) if lines[at].strip()), 0)
    bullet = _BULLET.match(lines[place])
    indent = len(lines[first.place]) - len(lines[first.place].lstrip())
    if first.name and bullet and lines[place][0] in "-*+" and indent:
        lines[place] = bullet["text"]


def _strip_tags(text: str) -> str:
    return _TAG.sub(" ", text).strip()


def _write_boxes(option_list: OptionList, lines: list[str]) -> None:
    """Write the options with boxes, and what a key says beside as a quotation below them."""
    _open_bullet(option_list, lines)
    for at, option in enumerate(option_list.options):
        line = lines[option.place]
        indent = line[: len(line) - len(line.lstrip())] if option.name == "" else ""
        lines[option.place] = f"{indent}- [{'x' if at in option_list.right else ' '}] {option.text}"
    for place, rest in option_list.answer.items():
        lines[place] = f"> {rest}" if rest else ""
    if option_list.answer:
        first, last = min(option_list.answer), max(option_list.answer)
        for place in range(max(first - 3, 0), min(last + 8, len(lines))):
            if _DETAILS.match(lines[place]):
                lines[place] = ""
