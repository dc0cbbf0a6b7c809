"""Files that a bank's questions show, and files that none of them does."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from quizzes.bank.lint.findings import Finding, FindingDetail
from quizzes.document import QuestionDocument
from quizzes.lib.markup import MAX_CHARACTERS, media_references

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileReference:
    """A file that a text shows: where, in which line, in which language, and its name."""

    path: str
    language: str
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class QuestionFiles:
    """The files of a question: those its languages in use show, and all it names anywhere."""

    references: tuple[FileReference, ...] = ()
    named: frozenset[UUID] = frozenset()


def collect_files(item: QuestionDocument) -> QuestionFiles:
    """Find the files of a question."""
    visible, named = list[FileReference](), set[UUID]()
    used = item.languages
    for language in sorted({*item.words, *item.feedback}):
        for path, text in item.iter_texts(language):
            if "media" in text and len(text) <= MAX_CHARACTERS:
                named.update(UUID(uuid) for uuid in _UUID.findall(text))
                visible += _iter_references(path, language, text) if language in used else ()
    return QuestionFiles(tuple(visible), frozenset(named))


def _iter_references(path: str, language: str, text: str) -> Iterator[FileReference]:
    for reference in media_references(text):
        yield FileReference(
            path, language, reference.line, f"{reference.uuid}.{reference.extension}"
        )


def check_media_files(
    bank: Mapping[str, QuestionFiles], labels: Mapping[str, str], unused: Collection[str]
) -> Iterator[Finding]:
    """Name files that are shown but not there, and those that are there for nobody.

    `labels` are the bank's files, name → label; `unused` those that no published version shows.
    """
    for question, files in bank.items():
        for file in files.references:
            if file.name not in labels:
                figures: FindingDetail = {"line": file.line, "detail": file.name}
                yield Finding("media_unknown", question, file.language, file.path, figures)
    named = frozenset[UUID]().union(*(files.named for files in bank.values()))
    for name in sorted(unused):
        if UUID(name.partition(".")[0]) not in named:
            yield Finding("file_unused", figures={"file": labels.get(name) or name})
