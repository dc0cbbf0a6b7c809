"""GIFT, the text format of Moodle: questions between blank lines, answers between braces."""

import re

from quizzes.formats.builders import Head
from quizzes.formats.contract import (
    FileMetadata,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.gift.answers import ItemParts, split_item
from quizzes.formats.gift.blocks import Block, split_file
from quizzes.formats.gift.kinds import build_gift_question
from quizzes.formats.gift.texts import TextConverter, restore_escapes
from quizzes.formats.gift.writing import write
from quizzes.formats.parsing.failures import read_blocks
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item

__all__ = ["detect", "extensions", "name", "read", "write"]

name = "gift"
extensions = ("gift", "txt")

_CLAIM = re.compile(
    rb"^::[^\n]{0,300}::|^\$CATEGORY:|[?.:][ \t]*\{[ \t]*\}[ \t]*\r?$"
    rb"|(?<!\\)\{\s*(?:[=~#]|(?:T|F|TRUE|FALSE)\s*[}#])",
    re.MULTILINE,
)
_TITLE = re.compile(r"\s*::(.*?)::", re.DOTALL)
_PUNCTUATION = re.compile(r"[.,;:!?)]")


def detect(data: bytes, filename: str) -> bool:
    """Return whether it ends as GIFT, or as a text with a title, category or answer of GIFT."""
    ending = filename.lower().rpartition(".")[2]
    return ending == "gift" or (ending == "txt" and _CLAIM.search(data[:100_000]) is not None)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; comments and categories are among its ignored lines."""
    text, language, notes = decode_text(data, language)
    file = split_file(text)
    items = read_blocks(_read_block, file.blocks, language)
    metadata = FileMetadata(title=file.title, language=language)
    return ParsedFile(items=items, ignored_lines=(*notes, *file.ignored_lines), metadata=metadata)


def _read_block(block: Block, names: Names, language: str) -> SourceItem:
    texts, origin = TextConverter(block.line), Origin(block.line, block.end_line)
    for code in block.codes:
        texts.note(code)
    title = _TITLE.match(block.text)
    rest = block.text[title.end() :] if title else block.text
    parts = split_item(texts.strip_format(rest), texts)
    prompt = _join_prompt(parts, texts)
    name = names.assign(restore_escapes(title[1]) if title else "", block.id, prompt)
    if parts.answers is None:
        kind = "unknown" if parts.code else "description"
        texts.note(parts.code or "description_only", block.text)
        return build_item(origin.with_name(name, kind), None, texts.notes)
    if not prompt:
        texts.note("prompt_missing", block.text)
    answers, _, general_feedback = parts.answers.partition("####")
    explanation = texts.convert(general_feedback)
    head = Head(block.line, name, language, prompt, explanation, block.tags)
    question = build_gift_question(answers, head, texts)
    return build_item(origin.with_name(name), question, texts.notes)


def _join_prompt(parts: ItemParts, texts: TextConverter) -> str:
    """Return the prompt; where words go on after the braces, a blank stands for them."""
    after = parts.text_after.strip()
    if not after:
        return texts.convert(parts.text_before)
    blank = r"\_\_\_\_" if texts.format == "markdown" else "____"
    space = "" if _PUNCTUATION.match(after) else " "
    return texts.convert(f"{parts.text_before.rstrip()} {blank}{space}{after}")
