"""Markdown checklists: a stem, then `- [x]` for what is right and `- [ ]` for what is not.

Ours also know `- (x)` where only one is right, quotations below as feedback and explanation, and
settings in a comment.
"""

import re
from dataclasses import replace
from functools import partial

from quizzes.formats.builders import Head, Option, choice, true_false
from quizzes.formats.checklist.blocks import Block, left_over
from quizzes.formats.checklist.parting import gather, title_of
from quizzes.formats.checklist.texts import stem, words_of
from quizzes.formats.checklist.writing import written
from quizzes.formats.contract import (
    ExportResult,
    FileMetadata,
    Note,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.formats.parsing.boolean_words import find_boolean_words, parse_boolean
from quizzes.formats.parsing.export_tracker import join_exports
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.instructions import asks_for_all
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.leftover_lines import note_leftover_lines
from quizzes.formats.parsing.naming import Names, slug
from quizzes.formats.parsing.source_items import Origin, build_item

name = "checklist"
extensions = ("md", "txt", "markdown")

_CLAIM = re.compile(rb"^[ \t]{0,12}[-*+][ \t]{1,4}(?:\[[ xX]\]|\([ xX]\)) ", re.MULTILINE)
_SCORING_METHODS = frozenset(
    "all_or_nothing right_minus_wrong each_option coverage halves minus_missed".split()
)
_REVIEW = frozenset({"key_unknown", "stem_missing", "box_missing", "text_among_options"})
_TWO = 2


def detect(data: bytes, filename: str) -> bool:
    """Tell a checklist by an item with a box."""
    return filename.lower().endswith(extensions) and _CLAIM.search(data[:200_000]) is not None


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a checklist; text between questions that asks nothing is noise."""
    text, spoken, noise = decode_text(data, language)
    blocks, left = gather(text)
    title = title_of(left, text)
    left += [piece for block in blocks for piece in block.comments]
    noise += [note for piece in left if piece is not title for note in left_over(piece)]
    names = Names()
    several = _is_page_of_boxes(blocks)
    found = [
        read_item(
            partial(_found, block, names, spoken or "en", several=several),
            Origin(block.line, block.last),
        )
        for block in blocks
    ]
    metadata = FileMetadata(title.text if title else "", spoken or "en")
    checked = tuple(note_leftover_lines(found, text.split("\n"), noise, words_of=words_of))
    return ParsedFile(items=checked, metadata=metadata, ignored_lines=tuple(noise))


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write the choices of a parcel; other kinds are losses."""
    title = f"# {parsed_file.metadata.title}\n\n" if parsed_file.metadata.title else ""
    exports = (written(question, language) for question in parsed_file.questions)
    return join_exports(exports, "\n", title)


def _is_page_of_boxes(blocks: list[Block]) -> bool:
    """Tell whether all questions of a page but one let several be chosen, by words or by marks."""
    asking = [block for block in blocks if block.items]
    plain = [block for block in asking if not _lets_several(block)]
    return len(plain) == 1 and len(asking) - len(plain) >= _TWO


def _lets_several(block: Block) -> bool:
    if block.items[0].is_round:
        return False
    return sum(item.piece.right for item in block.items) > 1 or asks_for_all(
        " ".join(block.prompt_lines())
    )


def _found(block: Block, names: Names, language: str, *, several: bool) -> SourceItem:
    settings = block.settings
    prompt = stem(block.prompt_lines(), ours=block.ours)
    name, place = names.name(block.name, prompt), Origin(block.line, block.last)
    tags = tuple(tag for text in settings.get("tags", "").split(",") if (tag := slug(text)))
    head = Head(block.line, name, language, prompt, block.explanation(), tags)
    notes = list(block.all_notes())
    if len(block.items) < _TWO:
        notes.append(Note("options_missing", block.line, prompt[:200]))
        return build_item(place.with_name(name), None, notes)
    options = []
    for item in block.items:
        text, feedback, is_code = item.read()
        options.append(
            Option(text, right=item.piece.right, feedback=feedback, line=item.piece.line)
        )
        if is_code:
            notes.append(Note("listing_as_code", item.piece.line, item.piece.text[:200]))
    if not prompt:
        notes.append(Note("stem_missing", block.line))
    if not any(one.right for one in options) and settings.get("none_apply") != "yes":
        notes.append(Note("key_unknown", block.line, prompt[:200]))
    several = several and not (block.ours or settings or block.items[0].is_round)
    question = _question(block, head, options, settings, several=several)
    if several and question.kind == "multiple_choice" and not _lets_several(block):
        notes.append(Note("several_by_siblings", block.line, prompt[:200]))
    return build_item(place.with_name(name), question, notes, review=_REVIEW)


def _question(
    block: Block, head: Head, options: list[Option], said: dict[str, str], *, several: bool
) -> ParsedQuestion:
    rights = [one for one in options if one.right]
    truths = [parse_boolean(one.text) for one in options]
    many = said.get("kind") == "multiple_choice" or (
        not block.items[0].is_round and (len(rights) > 1 or asks_for_all(head.prompt))
    )
    many = many or len(rights) > 1
    two = sorted(map(str, truths)) == ["False", "True"]
    if not many and len(rights) == 1 and two and said.get("kind") != "single_choice":
        feedback = {bool(is_it): one.feedback for is_it, one in zip(truths, options, strict=True)}
        words = find_boolean_words(head.language, [one.text for one in options])
        right = parse_boolean(rights[0].text) is True
        return true_false(head, right=right, feedback=feedback, words=words)
    many = many or several
    scoring_method = said.get("scoring_method", "")
    return choice(
        head,
        [replace(one, name="") for one in options],
        many=many,
        scoring_method=scoring_method if many and scoring_method in _SCORING_METHODS else "",
        shuffle=said.get("shuffle") != "no",
        none_apply=many and said.get("none_apply") == "yes",
    )
