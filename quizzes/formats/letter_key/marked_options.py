"""Lists whose key is no box: a bold option, a tick, "(correct)", or a line "Answer: B" below.

Such a list is written anew as a checklist, line by line, so that lines keep their numbers. Options
are those of one style (letters, numbers or bullets): the one that most keys are found in.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from quizzes.formats.letter_key.end_keys import find_end_keys
from quizzes.formats.letter_key.inline_lists import find_inline_lists
from quizzes.formats.letter_key.option_lists import (
    NAMELESS,
    STYLES,
    ListOption,
    OptionList,
    find_lists,
    holds_lists,
)
from quizzes.formats.parsing.answer_names import find_named_options, squeeze
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.key_lines import (
    KeyWords,
    is_key_line,
    is_key_title,
    read_key,
    read_key_at_end,
)
from quizzes.formats.parsing.labels import split_number, strip_label
from quizzes.formats.parsing.numbered_prompts import head_numbered_prompts
from quizzes.formats.parsing.open_answers import ANSWERED
from quizzes.formats.parsing.option_labels import are_ordinals
from quizzes.formats.parsing.verdicts import (
    Verdict,
    are_signs_of_truths,
    find_right,
    split_verdict,
)
from quizzes.formats.transcript.vocabulary import POINTS, parse_verdict

_DETAILS = re.compile(
    r"[ \t]*(?:</details>|<details[^<>]*>[ \t]*(?:<summary[^<>]*>[^\n]*</summary>)?)[ \t]*$",
    re.IGNORECASE,
)
_TAGS = re.compile(r"(?:</?(?:p|div|b|blockquote)\b[^<>]*>[ \t]*)+", re.IGNORECASE)
_SUMMARY = re.compile(r"[ \t]*<summary[^<>]*>[^\n]*</summary>[ \t]*", re.IGNORECASE)
_NUMBER = re.compile(
    r"[^\w\n]{0,8}(?:(?:Question|Pregunta|Q|P)[ \t.#]{0,2})?(\d{1,4})(?:[.):*\s]|$)", re.IGNORECASE
)
_BULLET = re.compile(r"[-*+][ \t]+(?P<text>\S.*)$")
_BOX = re.compile(r"[ \t]{0,12}[-*+][ \t]+\[([ xX])\][ \t]+\S")
_TICKED_BOX = re.compile(r"[ \t]{0,12}[-*+][ \t]+\[[xX]\][ \t]+\S")
_BOLD_LINE = re.compile(r"\*\*(?P<text>\(?[A-Za-z][.):][ \t]+[^\s*][^*]*)\*\*")
_END_SIGNS = {
    re.compile(r"(?<![ \t])[ \t]+[xX]$"): "x_as_key",
    re.compile(r"(?<=[^\s*\\])\*$"): "star_as_key",
}
_NAMES_BY_LETTER = re.compile(
    r".{0,60}(?:[:=]|\bis|\bes)[ \t*_]{1,4}(?:\*\*|[`(])?"
    r"(?:[A-H]|[a-h](?=[.)]))(?:\*\*|[`)])?(?:[.):,—–-]|[ \t]*$)"
)
"""A key that is a letter, also of options whose numbers show as letters."""
_NAMES_BY_NUMBER = re.compile(r".{0,60}[:=][ \t*_]{0,4}[`(]?\d{1,2}[`)]?[.)]?[*_ \t\\]{0,6}$")
"""A key that is a number, also of options that have letters."""
_NAMES_ZERO = re.compile(r".{0,60}[:=][ \t*_]{0,4}[`(]?0[`)]?[*_ \t\\]{0,6}$")
_LONE_LETTER = re.compile(r"[ \t]{0,12}[*_`(\[]{0,3}[A-Ja-j][*_`)\].]{0,4}[ \t\\]*")
_NEGATIVE = re.compile(
    r"\b(?:not|incorrect\w*|wrong|false|except|least|no|nunca|fals[ao]s?|excepto|salvo|incorret\w*"
    r"|não|exceto|nicht|kein\w*|falsch\w*|außer|fausse?s?|sauf|pas)\b",
    re.IGNORECASE,
)
_LABEL_WORD = re.compile(r"[#*_ \t]{0,9}[^\W\d_]")
_FAR = 15
_FEWEST = 2
_BULLETS = 2
_LETTER_FIRST = re.compile(r"[\W_]*[A-Ja-j](?:[\W_]*$|[*_]{0,2}[ ]?[:.)(—–|-])")
"""How a key begins that is one letter."""
_LONGEST_LABEL = 4
_LONGEST_BOX = 40
_LONGEST_TAIL = 8
_NEAR = 4


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A file as a checklist.

    `keys` is what was read as a key, by the place of its line. `doubts` are codes of notes on
    lists whose key is no word or tick, and `reasons` what keys at the end of the page say beside,
    by the place of the first option. `last` is the place of the first line of the keys at the
    end of the page. `question_lines` are the lines of first options of lists that are no tasks:
    words name the right one.
    """

    text: str
    keys: Mapping[int, Sequence[str]] = field(default_factory=dict)
    doubts: Mapping[int, str] = field(default_factory=dict)
    reasons: Mapping[int, str] = field(default_factory=dict)
    last: int | None = None
    question_lines: frozenset[int] = frozenset()

    @property
    def lines(self) -> Sequence[str]:
        """Return its lines."""
        return self.text.split("\n")


def mark_as_checklist(text: str) -> MarkedText | None:
    """Return a file as a checklist, line by line; None where no list of it has a key."""
    lines = text.split("\n")
    # On the page of a result, full boxes are what a learner chose.
    is_result = any(POINTS.search(line) or parse_verdict(line.strip()) for line in lines)
    styles = [style for style in STYLES if not (is_result and style == "signs")]
    end_lines, end_keys = find_end_keys(lines)
    until = lines[: end_lines.start] if end_lines else lines
    lists = {style: list(find_lists(until, style)) for style in styles}
    lists["numbers"] = [o for o in lists["numbers"] if not holds_lists(o, lines)]
    lists["numbers"] = [o for o in lists["numbers"] if not _are_dates(o)]
    if "signs" in lists:
        lists["signs"] = [o for o in lists["signs"] if not _tells_an_attempt(o, lines)]
    lists = {style: _drop_comments(each, lines) for style, each in lists.items()}
    lists["choices"] = list(find_inline_lists(until))
    for style, option_lists in lists.items():
        for option_list in option_lists:
            _read_verdicts(option_list, style, is_result=is_result)
        _drop_ticks_of_all(option_lists)
        _find_keys(option_lists, lines, end_lines.start or len(lines))
        _apply_end_keys(option_lists, end_keys, lines)
        _read_heads(option_lists, lines)
        _read_lone_letters(option_lists, lines)
        _read_weak_marks(option_lists, style)
    keyed = Counter({style: sum(o.has_key for o in every) for style, every in lists.items()})
    ((style, most),) = keyed.most_common(1)
    if not most and _are_questions(lists["letters"], lines):
        style, most = "letters", len(lists["letters"])
    if not most and _are_questions(lists["numbers"], lines, counted=True):
        style, most = "numbers", len(lists["numbers"])
    if not _has_enough_keys(lists[style], lines, most):
        return None
    beside = _find_others(lists, style, lines)
    spans = sorted((range(o.start, o.end + 1) for o in (*lists[style], *beside)), key=min)
    head_numbered_prompts(lines, spans, end_lines.start or len(lines))
    keys: dict[int, tuple[str, ...]] = {}
    signs = {o.options[0].sign for o in lists[style] if o.has_key}
    signs = signs or {o.options[0].sign for o in lists[style]}
    for before, option_list in zip([None, *lists[style]], lists[style], strict=False):
        is_alike = style not in NAMELESS and option_list.options[0].sign in signs
        if option_list.has_key or (is_alike and not _explains(option_list, before, lines)):
            _write_boxes(option_list, lines, keys)
    for option_list in beside:
        _write_boxes(option_list, lines, keys)
    written = [*lists[style], *beside]
    last = _comment_end_keys(written, lines, end_lines)
    reasons = {o.start: reason for o in written if (reason := o.reason.lstrip("—–-:| "))}
    return MarkedText(
        "\n".join(lines),
        keys,
        dict(_list_doubts(written)),
        reasons,
        last,
        frozenset(o.start + 1 for o in written if _is_keyed_in_words(o)),
    )


def _comment_end_keys(
    lists: Sequence[OptionList], lines: list[str], end_lines: range
) -> int | None:
    """Make comments of the keys at the end of a page that lists took; return where they begin."""
    if not any(option_list.is_keyed_at_end for option_list in lists):
        return None
    for place in end_lines:
        lines[place] = f"<!-- {lines[place]} -->" if lines[place].strip() else ""
    return end_lines.start


def _has_enough_keys(lists: Sequence[OptionList], lines: Sequence[str], keyed: int) -> bool:
    """Return whether most lists have a key, but for those that explain, and are the page's.

    On a page with more lists of boxes lines below have to name what is right.
    """
    pairs = zip([None, *lists], lists, strict=False)
    explaining = sum(not each.has_key and _explains(each, above, lines) for above, each in pairs)
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


def _find_others(
    lists: Mapping[str, Sequence[OptionList]], style: str, source: Sequence[str]
) -> list[OptionList]:
    """Return the lists of other styles that a line of their own keys, apart from those of this one.

    A page may number the options of one question and letter those of another.
    """
    written = {place for o in lists[style] for place in range(o.start, o.end + 1)}
    answers = {place for o in lists[style] for place in o.answer}
    others: list[OptionList] = []
    for other in (other for each in lists if each != style for other in lists[each]):
        lines = {*range(other.start, other.end + 1)}
        is_keyed = _is_keyed_below(other) and _is_asked(other, source)
        if is_keyed and written.isdisjoint(lines) and answers.isdisjoint({*other.answer} | lines):
            written |= lines
            answers |= {*other.answer}
            others.append(other)
    return others


def _are_dates(option_list: OptionList) -> bool:
    """Return whether numbers behind bullets are no names of options: "- 1. Januar"."""
    has_bullets = all(option.sign[-1:] in {*"-*+"} for option in option_list.options)
    return has_bullets and are_ordinals(option.plain for option in option_list.options)


def _are_questions(
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
    above = (line for line in lines[max(first - _FAR, 0) : first] if line.strip())
    return any(_LABEL_WORD.match(line) and _begins_question(line) for line in above)


def _is_asked(option_list: OptionList, lines: Sequence[str]) -> bool:
    """Return whether the words above a list ask, or have the number of a question."""
    first = option_list.start
    above = next(
        (line for line in reversed(lines[max(first - _NEAR, 0) : first]) if line.strip()), ""
    )
    asks = above.rstrip(" *_`\\").endswith(("?", "？", "؟", ":", "：")) or "___" in above
    return asks or _begins_question(above) or split_number(above) is not None


def _drop_ticks_of_all(lists: Sequence[OptionList]) -> None:
    """Take the keys of lists in which all options have a tick, unless others of the page differ."""
    by_verdict = [option_list for option_list in lists if option_list.is_by_verdict]
    if all(len(option_list.right) == len(option_list.options) for option_list in by_verdict):
        for option_list in by_verdict:
            option_list.right, option_list.is_by_verdict = frozenset(), False


def _is_keyed_in_words(option_list: OptionList) -> bool:
    """Return whether words name what is right, or bold a named option: ticks may say "done"."""
    has_words = option_list.answer or option_list.head or option_list.is_keyed_at_end
    return bool(has_words) or (bool(option_list.options[0].name) and option_list.is_bold)


def _tells_an_attempt(option_list: OptionList, lines: Sequence[str]) -> bool:
    """Return whether lines with signs tell what somebody answered: "❌ Your answer: B"."""
    return any(ANSWERED.match(lines[option.place]) for option in option_list.options)


def _explains(option_list: OptionList, before: OptionList | None, lines: Sequence[str]) -> bool:
    """Return whether a list without a key explains the one before: nothing between them asks."""
    if before is None or not before.answer:
        return False
    return not _asks_between(lines[max(before.answer) + 1 : option_list.start])


def _asks_between(lines: Iterable[str]) -> bool:
    """Return whether any of these lines begins a question or a part of the page, or asks."""
    return any(
        line.startswith("#") or _NUMBER.match(line) or line.rstrip(" *_`").endswith("?")
        for line in lines
    )


def _drop_comments(lists: Sequence[OptionList], lines: Sequence[str]) -> list[OptionList]:
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


def _list_doubts(lists: Sequence[OptionList]) -> Iterator[tuple[int, str]]:
    for option_list in lists:
        if option_list.is_disputed:
            yield option_list.start, "keys_differ"
        elif option_list.is_bold:
            yield option_list.start, "bold_as_key"
        elif option_list.is_crossed:
            yield option_list.start, "crossed_as_wrong"
        elif option_list.doubt:
            yield option_list.start, option_list.doubt


def _read_verdicts(option_list: OptionList, style: str, *, is_result: bool) -> None:
    """Find which options are right by what stands beside them, else by bold."""
    options = option_list.options
    verdicts = [option.verdict for option in options]
    right, is_crossed = find_right(verdicts)
    is_all = style in NAMELESS and {*verdicts} == {Verdict.RIGHT}  # a list of advantages
    if is_all or (is_result and Verdict.CHOSEN in verdicts):
        right = frozenset()
    if not right and {option.bullet for option in options} == {"+", "-"}:
        right = frozenset(at for at, option in enumerate(options) if option.bullet == "+")
    option_list.right, option_list.is_crossed = right, is_crossed
    option_list.is_by_verdict = bool(right)
    bold = frozenset(at for at, option in enumerate(options) if option.is_bold)
    if not right and 0 < len(bold) < len(options):
        option_list.right, option_list.is_bold = bold, True


def _find_keys(lists: Sequence[OptionList], lines: Sequence[str], last: int) -> None:
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
    number, counted = _find_number(option_list, lines), 0
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
        if _begins_question(lines[place]):
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
    for line in reversed(lines[max(first - _NEAR, 0) : first]):
        if _NEGATIVE.search(line):
            return True
        if _begins_question(line):
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
    has_name = not {".", ")", ":"}.isdisjoint(plain[:_LONGEST_LABEL])
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


def _read_heads(lists: Sequence[OptionList], lines: Sequence[str]) -> None:
    """Give lists without a key the one at the end of their question, "(Answer: B)".

    "(B)" is one where each list of the page has it.
    """
    keyless = [option_list for option_list in lists if not option_list.right]
    starts = {o.start: before.end + 1 for before, o in pairwise(lists)}
    heads = dict.fromkeys((False, True), 0)
    for letters in heads:
        for option_list in keyless:
            first = max(starts.get(option_list.start, 0), option_list.start - _FAR)
            for place in range(option_list.start - 1, first - 1, -1):
                right, words, mark = read_key_at_end(
                    option_list.named, lines[place], letters=letters
                )
                if right:
                    option_list.right, option_list.head = right, (place, words, mark)
                    heads[letters] += 1
                if right or _begins_question(lines[place]):
                    break
        if heads[letters]:
            break
    if heads[True] and (heads[True] < len(lists) or len(lists) < _FEWEST):
        for option_list in keyless:
            option_list.right, option_list.head = frozenset(), None


def _read_lone_letters(lists: Sequence[OptionList], lines: Sequence[str]) -> None:
    """Take a letter alone below options as their key, where most lists of the page have one.

    A list alone has to stand among boxes with ticks: then it is one of the questions of a page.
    """
    if any(option_list.has_key for option_list in lists):
        return
    if len(lists) < _FEWEST and not any(
        (box := _BOX.match(line)) and box[1] != " " for line in lines
    ):
        return
    keys: list[tuple[OptionList, int, frozenset[int]]] = []
    for option_list in lists:
        last = min(option_list.end + _NEAR, len(lines))
        near = (
            at
            for at in range(option_list.end + 1, last)
            if lines[at].strip() and not lines[at].startswith("<!--")
        )
        place = next(near, 0)
        if place and _LONE_LETTER.fullmatch(lines[place]):
            right = find_named_options(option_list.named, lines[place])[0]
            keys.append((option_list, place, right))
    if 2 * len(keys) > len(lists) and all(right for _, _, right in keys):
        for option_list, place, right in keys:
            option_list.right, option_list.answer = right, {place: ""}


def _read_weak_marks(lists: Sequence[OptionList], style: str) -> None:
    """Find right options by a sign at their ends, or another bullet, where most lists agree."""
    if len(lists) < _FEWEST or any(option_list.right for option_list in lists):
        return
    if any(_read_end_signs(lists, sign, doubt) for sign, doubt in _END_SIGNS.items()):
        return
    if style == "bullets":
        bullets = Counter(option.bullet for o in lists for option in o.options)
        least = min(bullets, key=lambda bullet: bullets[bullet])
        marked = [_find_marked(o, lambda option: option.bullet == least) for o in lists]
        if len(bullets) == _BULLETS and all(marked):
            for option_list, right in zip(lists, marked, strict=True):
                option_list.right, option_list.doubt = right, "bullet_as_key"


def _read_end_signs(lists: Sequence[OptionList], sign: re.Pattern[str], doubt: str) -> bool:
    """Return whether most lists have options with this sign at the end, which are right then."""
    marked = [_find_marked(o, lambda option: sign.search(option.plain)) for o in lists]
    if 4 * sum(map(bool, marked)) < 3 * len(lists):
        return False
    for option_list, right in zip(lists, marked, strict=True):
        option_list.right, option_list.doubt = right, doubt
        option_list.is_by_verdict = bool(right)
        for at in right:
            option = option_list.options[at]
            option.plain = sign.sub("", option.plain)
    return True


def _find_marked(
    option_list: OptionList, has_mark: Callable[[ListOption], object]
) -> frozenset[int]:
    """Return the places of options with a mark; none where all have it."""
    options = option_list.options
    marked = frozenset(at for at, option in enumerate(options) if has_mark(option))
    return marked if len(marked) < len(options) else frozenset()


def _has_more_boxes(lines: Sequence[str], keyed: int) -> bool:
    """Return whether a page has more lists of boxes, ticked and empty, than lists with a key."""
    lists, signs = 0, set[bool]()
    for line in lines:
        if box := _BOX.match(line):
            signs.add(box[1] != " ")
        elif line.strip() and not line.startswith((" ", "\t")):
            lists += len(signs) > 1
            signs = set()
    return lists + (len(signs) > 1) >= keyed


def _begins_question(line: str) -> bool:
    """Return whether a line is a heading or label that counts questions."""
    heading = line.lstrip("# \t") if line.startswith("#") else ""
    return strip_label(heading or line, heading=bool(heading)) is not None


def _apply_end_keys(
    lists: Sequence[OptionList], keys: Mapping[int, str], lines: Sequence[str]
) -> None:
    """Give lists without a key that of their number at the end of the page.

    It is the number above a list; of as many lists as keys, that of its place. Where all keys are
    letters, these count the options of lists without names.
    """
    numbers = sorted(keys)
    are_letters = all(map(_LETTER_FIRST.match, keys.values()))
    for at, option_list in enumerate(lists):
        number = _find_number(option_list, lines)
        if number not in keys and len(lists) == len(keys):
            number = numbers[at]
        if not option_list.right and number in keys:
            key, _, reason = keys[number].partition("\n")
            option_list.right, rest = find_named_options(option_list.named, key)
            if not option_list.right and are_letters:
                option_list.right, rest = find_named_options(option_list.lettered, key)
            option_list.reason = f"{rest} {reason}".strip()
            option_list.is_keyed_at_end = bool(option_list.right)


def _find_number(option_list: OptionList, lines: Sequence[str]) -> int:
    """Return the number of the question above a list; 0 where there is none."""
    first = option_list.start
    for place in range(first - 1, max(first - _FAR, -1), -1):
        if match := _NUMBER.match(lines[place]):
            return int(match[1])
    return 0


def _open_bullet(option_list: OptionList, lines: list[str]) -> None:
    """Take the bullet off the question that the options are a list within."""
    first = option_list.options[0]
    place = next((at for at in range(first.place - 1, -1, -1) if lines[at].strip()), 0)
    bullet = _BULLET.match(lines[place])
    indent = len(lines[first.place]) - len(lines[first.place].lstrip())
    if first.name and bullet and indent:
        lines[place] = bullet["text"]


def _write_boxes(
    option_list: OptionList, lines: list[str], keys: dict[int, tuple[str, ...]]
) -> None:
    """Write the options with boxes, and what a key says beside as a quotation below them."""
    _open_bullet(option_list, lines)
    _dedent_below(option_list, lines)
    if option_list.start == option_list.end:
        _write_line_of_boxes(option_list, lines)
    else:
        _write_lines_of_boxes(option_list, lines, keys)
    opens_box = any(_is_tag(lines, place) for place in option_list.answer)
    for place, rest in option_list.answer.items():
        keys[place] = (lines[place].rstrip().removesuffix(rest),)
        lines[place] = f"> {rest}" if rest else ""
    if option_list.head:
        place, words, mark = option_list.head
        lines[place], keys[place] = words, (mark,)
    if option_list.answer:
        first, last = min(option_list.answer), max(option_list.answer)
        titles = _open_details(lines, first, last, is_open=opens_box)
        keys.update({at: (title,) for at, title in titles.items() if at not in keys})


def _write_lines_of_boxes(
    option_list: OptionList, lines: list[str], keys: dict[int, tuple[str, ...]]
) -> None:
    """Write each option with a box and its label, and what marked it among the keys.

    The reader of boxes takes labels off, unless a text names options by them.
    """
    is_labelled = all(option.name and option.plain for option in option_list.options)
    for at, option in enumerate(option_list.options):
        line = lines[option.place]
        indent = line[: len(line) - len(line.lstrip())] if option.name == "" else ""
        text = option.plain if option_list.is_by_verdict else option.text
        if text and option.plain != option.text and text == option.plain:
            before, _, after = line.partition(text)
            is_label = sum(map(str.isalnum, before)) < _LONGEST_LABEL
            keys[option.place] = (after,) if is_label else (before, after)
        box = "x" if at in option_list.right else " "
        label = f"{option.name.upper()}) " if is_labelled else ""
        lines[option.place] = f"{indent}- [{box}] {label}{text}"


def _write_line_of_boxes(option_list: OptionList, lines: list[str]) -> None:
    """Write options that share a line as boxes without bullets, with their labels."""
    is_labelled = all(option.name and option.plain for option in option_list.options)
    lines[option_list.start] = "   ".join(
        f"[{'x' if at in option_list.right else ' '}] "
        f"{f'{option.name.upper()}) ' if is_labelled else ''}{option.plain}"
        for at, option in enumerate(option_list.options)
    )


def _dedent_below(option_list: OptionList, lines: list[str]) -> None:
    """Take the margin off lines below the last option that are indented as it is: not its own."""
    last = option_list.options[-1]
    indent = len(lines[last.place]) - len(lines[last.place].lstrip())
    if not (indent and last.name):
        return
    for place in range(last.place + 1, min(last.place + _LONGEST_BOX, len(lines))):
        line = lines[place].lstrip()
        margin = len(lines[place]) - len(line)
        if line and not 0 < margin <= indent and not is_key_line(line):
            return
        lines[place] = line


def _open_details(lines: list[str], first: int, last: int, *, is_open: bool) -> dict[int, str]:
    """Take the tags off the box that a key is in; what is below it in the box explains the key.

    Return the titles that were taken off, by their places. `is_open`: the first line of the box
    is a line of the key.
    """
    above = next((at for at in range(first, first - _NEAR, -1) if _is_tag(lines, at)), None)
    end = min(last + _LONGEST_BOX, len(lines))
    below = next((at for at in range(last + 1, end) if _is_tag(lines, at)), None)
    titles: dict[int, str] = {}
    if above is not None:
        titles = {at: lines[at] for at in range(above, first) if "<summary" in lines[at].lower()}
        lines[above] = ""
        for at in range(above + 1, first):
            lines[at] = "" if _SUMMARY.fullmatch(lines[at]) else lines[at]
        titles = {at: title for at, title in titles.items() if not lines[at]}
    is_within = is_open or above is not None
    if below is not None and (is_within or below - last < _LONGEST_TAIL):
        lines[below] = ""
        code_lines = find_code_lines(lines[last + 1 : below])
        for at in range(last + 1, below) if is_within else ():
            line = lines[at] if code_lines[at - last - 1] else lines[at].strip()
            if _TAGS.fullmatch(line):
                lines[at] = ""
            elif line.strip() and not line.startswith(">"):
                lines[at] = f"> {line}"
    return titles


def _is_tag(lines: Sequence[str], place: int) -> bool:
    return place >= 0 and _DETAILS.match(lines[place]) is not None
