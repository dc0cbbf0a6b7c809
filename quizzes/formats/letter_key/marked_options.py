"""Lists whose key is no box: a bold option, a tick, "(correct)", or a line "Answer: B" below.

Such a list is written anew as a checklist, line by line, so that lines keep their numbers. Options
are those of one style (letters, numbers or bullets): the one that most keys are found in.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from quizzes.formats.letter_key.box_writing import write_boxes
from quizzes.formats.letter_key.end_keys import find_end_keys
from quizzes.formats.letter_key.inline_lists import find_inline_lists
from quizzes.formats.letter_key.key_marks import (
    drop_ticks_of_all,
    read_heads,
    read_lone_letters,
    read_verdicts,
    read_weak_marks,
)
from quizzes.formats.letter_key.key_sentences import apply_end_keys, find_keys
from quizzes.formats.letter_key.option_lists import (
    NAMELESS,
    STYLES,
    OptionList,
    find_lists,
    holds_lists,
)
from quizzes.formats.letter_key.question_evidence import (
    are_dates,
    are_questions,
    drop_comments,
    find_others,
    has_enough_keys,
    is_comment,
    is_keyed_in_words,
    tells_an_attempt,
)
from quizzes.formats.letter_key.shared_lines import find_shared_lines
from quizzes.formats.parsing.numbered_prompts import head_numbered_prompts
from quizzes.formats.transcript.vocabulary import POINTS, parse_verdict

_TICKED_BOX = re.compile(r"[ \t]{0,12}[-*+][ \t]+\[[xX]\][ \t]+\S")


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
    lists["numbers"] = [o for o in lists["numbers"] if not are_dates(o)]
    if "signs" in lists:
        lists["signs"] = [o for o in lists["signs"] if not tells_an_attempt(o, lines)]
    lists = {style: drop_comments(each, lines) for style, each in lists.items()}
    lists["choices"] = list(find_inline_lists(until))
    lists["shared"] = list(find_shared_lines(until))
    shared = {option_list.start for option_list in lists["shared"]}
    lists["numbers"] = [o for o in lists["numbers"] if not shared.issuperset(o.places)]
    for style, option_lists in lists.items():
        for option_list in option_lists:
            read_verdicts(option_list, style, is_result=is_result)
        drop_ticks_of_all(option_lists)
        find_keys(option_lists, lines, end_lines.start or len(lines))
        apply_end_keys(option_lists, end_keys, lines)
        read_heads(option_lists, lines)
        read_lone_letters(option_lists, lines)
        read_weak_marks(option_lists, style)
    keyed = Counter({style: sum(o.has_key for o in every) for style, every in lists.items()})
    ((style, most),) = keyed.most_common(1)
    if not most and are_questions(lists["letters"], lines):
        style, most = "letters", len(lists["letters"])
    if not most and are_questions(lists["numbers"], lines, counted=True):
        style, most = "numbers", len(lists["numbers"])
    if not has_enough_keys(lists[style], lines, most):
        return None
    beside = find_others(lists, style, lines)
    spans = sorted((range(o.start, o.end + 1) for o in (*lists[style], *beside)), key=min)
    head_numbered_prompts(lines, spans, end_lines.start or len(lines))
    keys: dict[int, tuple[str, ...]] = {}
    signs = {o.options[0].sign for o in lists[style] if o.has_key}
    signs = signs or {o.options[0].sign for o in lists[style]}
    for before, option_list in zip([None, *lists[style]], lists[style], strict=False):
        is_alike = style not in NAMELESS and option_list.options[0].sign in signs
        if option_list.has_key or (is_alike and not is_comment(option_list, before, lines)):
            write_boxes(option_list, lines, keys)
    for option_list in beside:
        write_boxes(option_list, lines, keys)
    written = [*lists[style], *beside]
    last = _comment_end_keys(written, lines, end_lines)
    reasons = {o.start: reason for o in written if (reason := o.reason.lstrip("—–-:| "))}
    return MarkedText(
        "\n".join(lines),
        keys,
        dict(_list_doubts(written)),
        reasons,
        last,
        frozenset(o.start + 1 for o in written if is_keyed_in_words(o)),
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
