"""GIFT, the text format of Moodle: questions between blank lines, answers between braces."""

import re
from dataclasses import replace
from functools import partial

from quizzes.formats.builders import Head
from quizzes.formats.contract import (
    ExportResult,
    FileMetadata,
    Note,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.formats.gift.answers import Parts, parted
from quizzes.formats.gift.blocks import Block, split
from quizzes.formats.gift.kinds import built
from quizzes.formats.gift.texts import Texts, restored
from quizzes.formats.gift.writing import written
from quizzes.formats.parsing.export_tracker import join_exports
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item

name = "gift"
extensions = ("gift", "txt")

_CLAIM = re.compile(
    rb"^::[^\n]{0,300}::|^\$CATEGORY:|(?<!\\)\{\s*(?:[=~#]|(?:T|F|TRUE|FALSE)\s*[}#])", re.MULTILINE
)
_TITLE = re.compile(r"\s*::(.*?)::", re.DOTALL)
_BLANK = re.compile(r"[.,;:!?)]")


def detect(data: bytes, filename: str) -> bool:
    """Tell GIFT by its ending, or a text by a title, a category or an answer between braces."""
    ending = filename.lower().rpartition(".")[2]
    return ending == "gift" or (ending == "txt" and _CLAIM.search(data[:100_000]) is not None)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; comments and categories are among its noise."""
    text, spoken, notes = decode_text(data, language)
    items, names = split(text), Names()
    found = tuple(
        read_item(partial(_found, block, names, spoken or "en"), Origin(block.line, block.last))
        for block in items.blocks
    )
    noise = (*notes, *items.noise)
    return ParsedFile(
        items=found, ignored_lines=noise, metadata=FileMetadata(title=items.title, language=spoken)
    )


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write what GIFT can hold; whole questions and parts that it cannot are losses."""
    return join_exports(written(question, language) for question in parsed_file.questions)


def _found(block: Block, names: Names, language: str) -> SourceItem:
    texts, place = Texts(block.line), Origin(block.line, block.last)
    if block.mended:
        texts.note("blank_line_in_braces")
    if block.bridged:
        texts.note("blank_line_at_listing")
    title = _TITLE.match(block.text)
    rest = block.text[title.end() :] if title else block.text
    parts = parted(texts.begun(rest), texts)
    head = Head(block.line, "", language, _prompt(parts, texts), tags=block.tags)
    called = restored(title[1]) if title else ""
    head = replace(head, name=names.name(called, block.named, head.prompt))
    if parts.between is None:
        kind, code = ("unknown", parts.code) if parts.code else ("description", "description_only")
        note = Note(code, block.line, restored(block.text)[:200])
        return build_item(place.with_name(head.name, kind), None, [*texts.notes, note])
    if not head.prompt:
        texts.note("prompt_missing", block.text)
    question = _question(parts.between, head, texts)
    return build_item(place.with_name(head.name), question, texts.notes)


def _question(between: str, head: Head, texts: Texts) -> ParsedQuestion:
    answers, _, general = between.partition("####")
    return built(answers, replace(head, explanation=texts.markdown(general)), texts)


def _prompt(parts: Parts, texts: Texts) -> str:
    """Give the prompt; where words go on after the braces, a blank stands for them."""
    after = parts.after.strip()
    if not after:
        return texts.markdown(parts.before)
    blank = r"\_\_\_\_" if texts.format == "markdown" else "____"
    space = "" if _BLANK.match(after) else " "
    return texts.markdown(f"{parts.before.rstrip()} {blank}{space}{after}")
