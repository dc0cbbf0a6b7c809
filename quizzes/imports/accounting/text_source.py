"""The labels of plain files: what stands before the words of a line. Pure."""

import re
from collections.abc import Iterator

from quizzes.formats.parsing.key_lines import split_key_words
from quizzes.formats.parsing.labels import strip_label
from quizzes.formats.parsing.page_spellings import (
    CLASSES,
    CODE_PART,
    COUNTED,
    NUMBER_ALONE,
    PART,
    PROMPT_PART,
    TIGHT_NUMBER,
)
from quizzes.formats.parsing.prompt_details import drop_details
from quizzes.formats.transcript.vocabulary import MARK, is_chrome, parse_verdict

_LEAD = re.compile(
    r"\s*(?:\(@[\w-]{0,30}\)(?=\s)|[>#*+~=%^|.!-]+(?=\s|\*\*|\[|$)"
    r"|`\[[ xX✓]\]`|={2}(?=\(?[A-Za-z][.)])|\\?\[[ \t]?[ xX*✓✔]?[ \t]?\\?\]|\([ \t]*[xX*•]?[ \t]*\)"
    r"|\\?\*(?=\(?[A-Za-z][.)])"
    r"|(?:\*\*)?\(?(?:\d{1,5}|[A-Za-z]|[ivx]{2,4}|[IVX]{2,4})(?:\*\*)?"
    r"(?:\\?[.):]-?|[ ][-–—|](?=[ ]))(?=\s|\*|<|$)|[（(]?(?:\d{1,3}|[A-Za-z])[．、）：]"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?(?=\s)|[A-Ja-j](?=\s*<m>)"
    r"|(?:\*\*)?[A-J](?:[ ]?[,&/][ ]?[A-J]){1,4}(?:\*\*)?[ ]?[–—:.)-](?=\s)"
    r"|\[(?:[A-Za-z]|\d{1,2})\](?=\s)|`\(?[A-Za-z][.):]?`[.):]?(?=\s)"
    r"|`(?=\(?[A-J][ ]?[.)][ \t])|[A-Ja-j][.)](?=[^\s.)\d])"
    r"|(?:&nbsp;)+|(?:<m>)+|~~"
    r"|[A-J](?=[ ]{2}|\t)|[*_]{0,3}[^\W\d_]{1,12}(?: [^\W\d_]{1,12})?[*_]{0,2}[ ]?[:：])\s*"
)
_BLOCK = re.compile(
    r"\s*(?:!!!|\?\?\?\+?)(?:[ \t]+[\w-]+){1,5}[ \t]*(?:\"(?P<title>[^\"]*)\")?\s*$"
)
_DEEPEST = 5
"""How many labels and marks may stand before the words of a line."""
_KEY_LETTERS = re.compile(
    r"^[\W_]*(?:(?:[^\W\d_]+[ \t]+){0,2}[^\W\d_]+[ \t]*[:：.=]|[QP]?\d{1,4}[\s.):|=-])[\W_]*"
    r"(?:\b(?:[A-Za-z]|[A-J]{2,6}|[ivx]{2,4}|[IVX]{2,4}|\d{1,2})\b"
    r"(?:[\s,;&/+]|and\b|y\b|und\b|et\b|e\b)*+)++(?:[).*_`]|$)"
)
_ANSWER_HEADING = re.compile(r"#{1,6}[ ]+A\d{1,4}[.:)]?\s*$")
"""A heading above the answer to the question of this number."""
_CALLOUT = re.compile(r"[>\s]{0,9}<m>\s*[^\W\d_]{2,20}[ ]?\d{1,4}\s*")
"""The title of a box that counts questions: "> [!question] Item 4"."""
_FENCE = re.compile(r"^\s*(?:```+|~~~+)[\w .{}-]*$")


def is_structure(line: str, format_: str) -> bool:
    """Return whether a line has no words of an author: a fence, a part of a result page.

    Of a bank file only comments could be lost.
    """
    if format_ == "ochenta-bank/1":  # read strictly: what is no comment is a field, or an error
        return not line.lstrip().startswith("#")
    if (
        _FENCE.match(line)
        or CLASSES.fullmatch(line)
        or (format_ == "checklist" and _ANSWER_HEADING.match(line))
    ):
        return True
    return format_ == "transcript" and _is_page_line(line)


def strip_labels(text: str) -> Iterator[str]:
    """Yield a line as it stands, then without one label after the other, and without details."""
    for words in _strip_labels(text):
        yield words
        if (plain := drop_details(words)) != words:
            yield plain
            yield from _strip_labels(plain)


def _strip_labels(text: str) -> Iterator[str]:
    yield text
    if number := NUMBER_ALONE.match(text) or TIGHT_NUMBER.match(text):
        yield text[number.end() :]
    if block := _BLOCK.match(text):
        text = block["title"] or ""
        yield text
    yield from _strip_titles(text)
    label = strip_label(text.lstrip("#*@ \t"), heading=True)
    if label is not None:
        yield label
    for _ in range(_DEEPEST):
        lead = _LEAD.match(text)
        if lead is None:
            return
        text = text[lead.end() :]
        yield text
        if (label := strip_label(text, heading=False)) is not None:
            yield label


def _strip_titles(text: str) -> Iterator[str]:
    """Yield what a line has besides the title of a part, or the words before a key."""
    if _CALLOUT.fullmatch(text) or any(
        part.match(text) for part in (COUNTED, PROMPT_PART, CODE_PART, PART)
    ):
        yield ""
    if words := split_key_words(text):
        yield words
    if key := _KEY_LETTERS.match(text):
        yield text[key.end() :]


def _is_page_line(line: str) -> bool:
    """Return whether a line is a verdict or a part of the page around the questions."""
    verdict = parse_verdict(MARK.sub("", line).strip())
    return is_chrome(line) or (verdict is not None and not verdict.feedback)
