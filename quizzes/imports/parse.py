"""From uploaded bytes to a parsed file: which format it is, and how large it may be."""

from dataclasses import replace
from typing import Final

from quizzes.formats import FORMATS
from quizzes.formats.contract import Format, ParsedFile
from quizzes.formats.detection import Evidence, build_evidence, find_evidence
from quizzes.formats.parsing.failures import read_file
from quizzes.formats.parsing.progress import begin_step
from quizzes.formats.parsing.reading_limits import READING_LIMITS
from quizzes.imports.accounting.remainder import list_remainder
from quizzes.imports.equal_options import note_equal_options
from quizzes.imports.import_steps import ImportStep
from quizzes.imports.language_assignment import assign_languages
from quizzes.imports.other_questions import leave_out_other_questions, name_other_questions
from quizzes.lib.errors import Invalid
from quizzes.source_scoring import compare_file

MAX_UPLOAD_BYTES: Final = READING_LIMITS.file_bytes
"""Bytes; formats have lower bounds of their own for what is inside."""


def check_upload(data: bytes, name: str) -> str:
    """Return the name of the format, which may be ""; an unknown one, or a large file: Invalid."""
    if len(data) > MAX_UPLOAD_BYTES:
        raise Invalid("file_too_large", size=len(data), maximum=MAX_UPLOAD_BYTES)
    if name and name not in FORMATS:
        raise Invalid("format_unknown", format=name, formats=tuple(FORMATS))
    return name


def resolve_format(data: bytes, filename: str, name: str = "") -> Format:
    """Return the format of this name, else that of the file; none or several: Invalid."""
    return _resolve(data, filename, name, "").format_


def _resolve(data: bytes, filename: str, name: str, language: str) -> Evidence:
    if name := check_upload(data, name):
        return build_evidence(name, data, language)
    evidence = find_evidence(data, filename, language)
    if not evidence:
        raise Invalid("format_unknown", format=name, formats=tuple(FORMATS))
    if len(evidence) > 1:
        raise Invalid("format_ambiguous", formats=tuple(each.format_.name for each in evidence))
    return evidence[0]


def parse_upload(
    data: bytes, filename: str, *, format_: str = "", language: str = ""
) -> ParsedFile:
    """Return what a file has, its errors too; a file of no known format is Invalid."""
    return parse_evidence(data, _resolve(data, filename, format_, language), language)


def parse_evidence(data: bytes, evidence: Evidence, language: str = "") -> ParsedFile:
    """Return what a file of this format has; what was read to find the format is not read again.

    Of a table whose cells have text of the format, it is that text.
    """
    file_format, data = evidence.format_, evidence.cell_text or data

    def read() -> ParsedFile:
        parsed_file = evidence.parsed_file or file_format.read(data, language=language)
        if evidence.cell_text:
            notes = (*evidence.cell_notes, *parsed_file.ignored_lines)
            parsed_file = replace(parsed_file, ignored_lines=notes)
        parsed_file = leave_out_other_questions(parsed_file, data, file_format, language)
        parsed_file = name_other_questions(parsed_file, data, file_format, language)
        parsed_file = note_equal_options(parsed_file)
        begin_step(ImportStep.CHECKING, len(parsed_file.items))
        parsed_file = list_remainder(parsed_file, data, file_format.name)
        begin_step(ImportStep.COMPARING, len(parsed_file.items))
        parsed_file = compare_file(data, file_format.name, parsed_file)
        # Without a language, each question says its own by its words.
        if language or parsed_file.slug:
            return parsed_file
        begin_step(ImportStep.LANGUAGES, len(parsed_file.items))
        return assign_languages(parsed_file)

    return read_file(read, file_format.name)
