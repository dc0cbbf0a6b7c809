"""Questions that are answered in own words: typed where the key is a word, else an essay."""

import re
from dataclasses import replace

from grading.short_text.sorts import CODE
from grading.short_text.wildcard import escape_wildcards
from quizzes.formats.builders.choice import build_true_false
from quizzes.formats.builders.question_head import Head
from quizzes.formats.builders.text_entry import Accepted, build_essay, build_short_text
from quizzes.formats.contract import LONGEST_QUOTE, Note, ParsedQuestion
from quizzes.formats.parsing.open_answers import OpenAnswer, find_key_without_options

_LETTER = re.compile(r"[*_(]{0,3}[A-J][).*_]{0,3}")


def settle_open(head: Head, open_answer: OpenAnswer) -> tuple[ParsedQuestion, list[Note]]:
    """Return the question that a key in words makes, and what is doubtful about it."""
    quote = open_answer.prompt[:LONGEST_QUOTE]
    first, *below = open_answer.answer.split("\n")
    names_option = bool(below) and _LETTER.fullmatch(first) is not None
    is_doubtful = open_answer.is_below_list or names_option
    notes = [Note("options_missing", head.line, quote)] if is_doubtful else []
    return _build(head, open_answer), notes


def settle_without_options(
    head: Head, prompt: str, *, labelled: bool
) -> tuple[ParsedQuestion | None, list[Note]]:
    """Return an essay for a person to look at, where a question that is counted has a key.

    The key explains it: it names an option that is elsewhere. Else there is no question.
    """
    notes = [Note("options_missing", head.line, prompt[:LONGEST_QUOTE])]
    lines = prompt.split("\n")
    end = find_key_without_options(lines)
    words = "\n".join(lines[:end]).strip()
    if not labelled or not words:
        return None, notes
    return build_essay(replace(head, prompt=words, explanation="\n".join(lines[end:]))), notes


def _build(head: Head, open_answer: OpenAnswer) -> ParsedQuestion:
    """Return the question; a long key explains an essay."""
    head = replace(head, prompt=open_answer.prompt, explanation=open_answer.explanation)
    if open_answer.truth:
        is_true, reason = open_answer.truth
        return build_true_false(replace(head, explanation=reason), right=is_true)
    if code := open_answer.code:
        return build_short_text(head, [Accepted(escape_wildcards(code))], sort=CODE)
    if word := open_answer.word:
        return build_short_text(head, [Accepted(escape_wildcards(word))])
    texts = (open_answer.answer, open_answer.explanation)
    return build_essay(replace(head, explanation="\n\n".join(filter(None, texts))))
