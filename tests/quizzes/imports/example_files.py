"""Example files of every format: ours, those that our writers make, and other people's."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from quizzes.formats import FORMATS, WRITERS
from tests.grading.examples import PROJECT
from tests.quizzes.formats.apkg.packages import old_package, quirks
from tests.quizzes.formats.h5p import packages as h5p

FIXTURES: Final = PROJECT / "fixtures"
CORPORA: Final = PROJECT.parent / "shared" / "corpora"
_FOLDERS: Final = {
    "aiken": "aiken",
    "anki": "anki-tsv",
    "checklist": "checklist",
    "flashcards": "flashcards",
    "gift": "gift",
    "kahoot": "kahoot",
    "letter_key": "letter_key",
    "moodle": "moodle-xml",
    "olx": "olx",
    "qti12": "qti-1.2",
    "qti2": "qti-2",
    "qti3": "qti-3",
    "text2qti": "text2qti",
    "transcript": "transcript",
}
_BANK: Final = "ochenta-bank/1"


@dataclass(frozen=True, slots=True)
class Example:
    """One file, and the format that it is of ("": whatever claims it)."""

    name: str
    data: bytes
    format: str

    def __str__(self) -> str:
        return f"{self.format}:{self.name}"


def own_examples() -> list[Example]:
    """Return the example files of the project: at least one of each format."""
    return [*_fixtures(), *_packed(), *_written()]


def _fixtures() -> Iterator[Example]:
    for folder, format_ in _FOLDERS.items():
        for path in sorted((FIXTURES / "formats" / folder).iterdir()):
            yield Example(path.name, path.read_bytes(), format_)
    for path in sorted((FIXTURES / "formats/sheet").iterdir()):
        yield Example(path.name, path.read_bytes(), "xlsx" if path.suffix == ".xlsx" else "csv")
    for path in sorted((FIXTURES / "banks").glob("*.yaml")):
        yield Example(path.name, path.read_bytes(), _BANK)


def _packed() -> Iterator[Example]:
    """Pack what the fixtures have as folders and as YAML."""
    yield Example("quirks.apkg", old_package(quirks()), "anki-apkg")
    for name in ("column", "set"):
        yield Example(f"{name}.h5p", h5p.fixture(name), "h5p")


def _written() -> Iterator[Example]:
    """Write a bank with every kind in every format that can be written."""
    data = (FIXTURES / "banks/every-kind-once.yaml").read_bytes()
    parcel = FORMATS[_BANK].read(data)
    for name, writer in WRITERS.items():
        ending = FORMATS[name].extensions[0]
        yield Example(f"written.{ending}", writer.write(parcel, language="en").data, name)


def corpus_examples() -> list[Example]:
    """Return other people's files, where they stand beside the project."""
    endings = {".gift", ".md", ".txt", ".xml", ".zip"}
    paths = (path for path in sorted(CORPORA.rglob("*")) if path.suffix in endings)
    return [Example(str(path.relative_to(CORPORA)), path.read_bytes(), "") for path in paths]
