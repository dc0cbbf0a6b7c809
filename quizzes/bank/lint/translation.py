"""What a translation must keep, and where it does not: numbers, code, formulas, files, words."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from grading.schema import READING_LINK
from quizzes.bank.lint.findings import Finding
from quizzes.bank.lint.question_view import QuestionView, build_path
from quizzes.lib.markup import Fragments, fragments, media_references, plain

MIN_SENTENCE_WORDS = 3
"""So many words in lower case make a sentence; fewer may be a borrowed term."""

_VERBATIM: Final = re.compile(r"[`$\d]|~~~|^(?: {4}|\t)|!\[", re.MULTILINE)
_WORD: Final = re.compile(r"\b[^\W\d_A-Z]{2,}\b")


def check_translations(view: QuestionView) -> Iterator[Finding]:
    """Hold every text of every other language against the source's."""
    source, *others = view.languages
    for language in others:
        for slot in view.text_slots:
            here, there = view.text_at(source, slot), view.text_at(language, slot)
            if here and there and slot.part != READING_LINK.name:
                path = build_path(slot, language)
                yield from (
                    Finding(code, language=language, path=path)
                    for code in compare_texts(here, there)
                )


def compare_texts(source: str, other: str) -> Iterator[str]:
    """Name by codes what one of two texts says otherwise."""
    if _VERBATIM.search(source) or _VERBATIM.search(other):
        here, there = fragments(source), fragments(other)
        for code, in_source, in_other in (
            ("numbers_differ", here.numbers, there.numbers),
            ("code_differs", here.code_spans, there.code_spans),
            ("formulas_differ", here.formulas, there.formulas),
        ):
            if Counter(in_source) != Counter(in_other):
                yield code
        if len(here.listings) != len(there.listings):
            yield "listings_differ"
        if len(media_references(source)) != len(media_references(other)):
            yield "files_differ"
    if " ".join(source.split()) == " ".join(other.split()) and _is_sentence(source):
        yield "untranslated"


def _is_sentence(text: str) -> bool:
    """Return whether a text is more than names and code, which stay as they are."""
    bare = plain(text)
    for passage in _list_verbatim(fragments(text)):
        bare = bare.replace(" ".join(passage.split()), " ")
    return len(_WORD.findall(bare)) >= MIN_SENTENCE_WORDS


def _list_verbatim(text_fragments: Fragments) -> tuple[str, ...]:
    return (*text_fragments.code_spans, *text_fragments.formulas, *text_fragments.listings)
