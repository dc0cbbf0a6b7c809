"""From a question as it stands on a page to one of ours, with its verdict and what was mended."""

from collections.abc import Sequence
from dataclasses import replace

from quizzes.formats.builders import Head, Option, choice, true_false
from quizzes.formats.contract import Note, ParsedQuestion, SourceItem
from quizzes.formats.parsing.boolean_words import find_boolean_words, parse_boolean
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.transcript.keys import Key, is_taken, key
from quizzes.formats.transcript.sheet import LONGEST_QUOTE, Choice, Draft
from quizzes.formats.transcript.texts import is_ended, listings, markdown
from quizzes.formats.transcript.words import MARKS

REVIEW = frozenset("key_unknown options_guessed stem_damaged stem_missing".split())
"""What a person must look at; any other note is of something that was mended."""
_TWO = 2


def made(draft: Draft, named: str, language: str, *, full_page: bool, ended: int) -> SourceItem:
    """Make what was found; `ended`: how many stems of the page end as sentences do."""
    notes = [*draft.notes, *_stem_notes(draft, ended), *_letter_notes(draft)]
    head = Head(draft.line, named, language, markdown(draft.stem))
    origin = Origin(draft.line, draft.last, name=named, points=draft.of)
    if draft.listing:
        draft.options = [Choice(draft.line, code, mark) for mark, code in listings(draft.listing)]
    if len(draft.options) < _TWO:
        notes.append(Note("options_missing", draft.line, _quote(draft)))
        return build_item(origin, None, notes)
    told = key(draft, full_page=full_page)
    if told.right is None or not draft.stem:
        told = replace(told, right=None, notes=())
        notes.append(Note("key_unknown", draft.line, _quote(draft)))
    notes += told.notes
    question = _question(draft, told, head)
    return build_item(origin, question, notes, review=REVIEW)


def _quote(draft: Draft) -> str:
    return " ".join(draft.stem)[:LONGEST_QUOTE]


def _stem_notes(draft: Draft, ended: int) -> list[Note]:
    """Find a stem damaged that breaks off where all others end, or below what strayed in."""
    if not draft.stem:
        first = draft.listing.strip().split("\n")[0].strip()
        return [Note("stem_missing", draft.line, first[:LONGEST_QUOTE])]
    if is_ended(draft.stem[-1]) or not (draft.noisy or ended > _TWO):
        return []
    return [Note("stem_damaged", draft.line, _quote(draft))]


def _letter_notes(draft: Draft) -> list[Note]:
    letters = (one for one in draft.options if one.mark and one.mark not in MARKS)
    return [
        Note("letter_as_mark", one.line, f"{one.mark} {one.text}"[:LONGEST_QUOTE])
        for one in letters
    ]


def _question(draft: Draft, told: Key, head: Head) -> ParsedQuestion:
    right = told.right or [False] * len(draft.options)
    if not told.many:
        head = replace(head, explanation=markdown(_gathered(draft, right)))
    elif draft.loose:
        head = replace(head, explanation=markdown(draft.loose))
    truths = [parse_boolean(one.text) for one in draft.options]
    if told.right and len(truths) == _TWO and set(truths) == {True, False}:
        feedback = {
            bool(is_true): markdown(one.feedback)
            for is_true, one in zip(truths, draft.options, strict=True)
        }
        words = find_boolean_words(head.language, [one.text for one in draft.options])
        is_true = bool(truths[right.index(True)])
        return true_false(head, right=is_true, feedback=feedback, words=words)
    options = [
        Option(markdown([one.text]), right=it, feedback=markdown(one.feedback), line=one.line)
        for one, it in zip(draft.options, right, strict=True)
    ]
    return choice(head, options, many=told.many)


def _gathered(draft: Draft, right: Sequence[bool]) -> list[str]:
    """Give all that a page says to what was chosen to that option; what is left explains all."""
    said = [*draft.loose, *(words for one in draft.options for words in one.feedback)]
    taken = [one for one in draft.options if is_taken(one)]
    chosen = taken or [one for one, it in zip(draft.options, right, strict=True) if it]
    for one in draft.options:
        one.feedback = []
    if len(chosen) != 1:
        return said
    chosen[0].feedback = said
    return []
