"""H5P.Blanks: words between stars are gaps, `*right/as well:tip*`; two stars are one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape

from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    add_score_feedback,
    build_cloze,
    build_strict_comparison,
    escape_wildcards,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.h5p.content_reader import ContentReader, ContentRefused
from quizzes.formats.parsing.placeholders import (
    build_placeholder,
    find_free_word,
    is_in_formula,
    restore_marks,
)

MOST_GAPS = 100
MOST_ANSWERS = 100
_TAG = re.compile(r"<[^<>]*>")
_BETWEEN = re.compile(r"(?<!\\)/")


@dataclass(frozen=True, slots=True)
class Blank:
    """A gap: what is accepted, and the tip on it."""

    answers: tuple[str, ...]
    tip: str = ""


def read_blanks(content: ContentReader, head: Head) -> ParsedQuestion:
    """Read all blocks of text as one text with gaps."""
    node = content.params.get("questions")
    parts = [part for block in node.items for part in split_blanks(block.text())]
    blanks = [part for part in parts if isinstance(part, Blank)]
    word = find_free_word(part for part in parts if isinstance(part, str))
    html = "".join(_replace_blanks(parts, word))
    if not blanks:
        raise ContentRefused("no_gaps", node)
    if len(blanks) > MOST_GAPS or any(len(blank.answers) > MOST_ANSWERS for blank in blanks):
        raise ContentRefused("too_many_gaps", node)
    if is_in_formula(html, word):
        raise ContentRefused("gap_in_formula", node)
    texts = content.read_media(), content.convert(content.params.get("text"))
    prompt = "\n\n".join(filter(None, (*texts, content.convert(node, html))))
    if not all(blank.answers for blank in blanks):
        content.note("answer_empty", node)
    if tip := next((blank.tip for blank in blanks if blank.tip), ""):
        content.note("tip_shown", node, tip)
    if content.read_switch("acceptSpellingErrors", default=False):
        content.note("spelling_counts", content.params.get("behaviour"))
    # Words are compared there as they stand, but for capitals where an author says so.
    case = content.read_switch("caseSensitive", default=True)
    comparison = build_strict_comparison(case=case)
    gaps = [
        Gap(
            f"gap-{number}",
            accepted=[Accepted(escape_wildcards(text)) for text in blank.answers],
            comparison=comparison,
        )
        for number, blank in enumerate(blanks, start=1)
    ]
    head = replace(head, prompt=restore_marks(prompt, word))
    parsed = build_cloze(head, gaps)
    return add_score_feedback(parsed, content.language, content.read_score_feedback())


def split_blanks(html: str) -> list[str | Blank]:
    """Split a text at its gaps; a star that no other follows is one."""
    texts = html.split("*")
    parts: list[str | Blank] = [texts[0]]
    for place in range(1, len(texts), 2):
        if place == len(texts) - 1:
            parts.append(f"*{texts[place]}")
        elif not texts[place]:
            parts.append(f"*{texts[place + 1]}")
        else:
            parts += [_parse_blank(texts[place]), texts[place + 1]]
    return parts


def _parse_blank(html: str) -> Blank:
    words, _, tip = unescape(_TAG.sub("", html)).partition(":")
    answers = (
        answer.replace("\\/", "/").replace("\xa0", " ").strip() for answer in _BETWEEN.split(words)
    )
    return Blank(tuple(dict.fromkeys(filter(None, answers))), " ".join(tip.split()))


def _replace_blanks(parts: Sequence[str | Blank], word: str) -> Iterator[str]:
    """Yield the text with a word for each gap, and its tip in brackets."""
    number = 0
    for part in parts:
        if isinstance(part, str):
            yield part
            continue
        number += 1
        tip = part.tip.replace("&", "&amp;").replace("<", "&lt;")
        yield build_placeholder(word, number) + (f" ({tip})" if tip else "")
