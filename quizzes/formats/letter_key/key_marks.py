"""The keys that stand at options or beside them: ticks, bold, signs, letters. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from quizzes.formats.letter_key.option_lists import NAMELESS, ListOption, OptionList
from quizzes.formats.letter_key.question_evidence import BOX, FAR, NEAR, begins_question
from quizzes.formats.parsing.answer_names import find_named_options
from quizzes.formats.parsing.key_lines import read_key_at_end
from quizzes.formats.parsing.verdicts import Verdict, find_right

_END_SIGNS = {
    re.compile(r"(?<![ \t])[ \t]+[xX]$"): "x_as_key",
    re.compile(r"(?<=[^\s*\\])\*$"): "star_as_key",
}
_LONE_LETTER = re.compile(r"[ \t]{0,12}[*_`(\[]{0,3}[A-Ja-j][*_`)\].]{0,4}[ \t\\]*")
_FEWEST = 2
_BULLETS = 2


def drop_ticks_of_all(lists: Sequence[OptionList]) -> None:
    """Take the keys of lists in which all options have a tick, unless others of the page differ."""
    by_verdict = [option_list for option_list in lists if option_list.is_by_verdict]
    if all(len(option_list.right) == len(option_list.options) for option_list in by_verdict):
        for option_list in by_verdict:
            option_list.right, option_list.is_by_verdict = frozenset(), False


def read_verdicts(option_list: OptionList, style: str, *, is_result: bool) -> None:
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


def read_heads(lists: Sequence[OptionList], lines: Sequence[str]) -> None:
    """Give lists without a key the one at the end of their question, "(Answer: B)".

    "(B)" is one where each list of the page has it.
    """
    keyless = [option_list for option_list in lists if not option_list.right]
    starts = {o.start: before.end + 1 for before, o in pairwise(lists)}
    heads = dict.fromkeys((False, True), 0)
    for letters in heads:
        for option_list in keyless:
            first = max(starts.get(option_list.start, 0), option_list.start - FAR)
            for place in range(option_list.start - 1, first - 1, -1):
                right, words, mark = read_key_at_end(
                    option_list.named, lines[place], letters=letters
                )
                if right:
                    option_list.right, option_list.head = right, (place, words, mark)
                    heads[letters] += 1
                if right or begins_question(lines[place]):
                    break
        if heads[letters]:
            break
    if heads[True] and (heads[True] < len(lists) or len(lists) < _FEWEST):
        for option_list in keyless:
            option_list.right, option_list.head = frozenset(), None


def read_lone_letters(lists: Sequence[OptionList], lines: Sequence[str]) -> None:
    """Take a letter alone below options as their key, where most lists of the page have one.

    A list alone has to stand among boxes with ticks: then it is one of the questions of a page.
    """
    if any(option_list.has_key for option_list in lists):
        return
    if len(lists) < _FEWEST and not any(
        (box := BOX.match(line)) and box[1] != " " for line in lines
    ):
        return
    keys: list[tuple[OptionList, int, frozenset[int]]] = []
    for option_list in lists:
        last = min(option_list.end + NEAR, len(lines))
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


def read_weak_marks(lists: Sequence[OptionList], style: str) -> None:
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
