"""A table of what reading a folder of question files gives, a row a format.

    python -m tools.corpora_table fixtures ../shared/corpora

Each file is read as an upload is. `right` are items that are imported, as they are or repaired;
`left over` are lines in no text and no note, within items that are `right` and in all.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.imports.parse import parse_upload, resolve_format
from quizzes.lib.errors import Invalid

COLUMNS = ("files", "found", "right", "in review", "refused", "left over", "of right")
_RIGHT = frozenset({ImportStatus.IMPORTED, ImportStatus.REPAIRED})
_NOT_QUESTIONS = frozenset({".json", ".tsv"})


def list_corpus_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may hold questions, in a stable order."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix.lower() not in _NOT_QUESTIONS
    ]


def count_items(parsed_file: ParsedFile) -> Counter[str]:
    """Return what one file adds to its format's row."""
    counts = parsed_file.counts()
    right = [item for item in parsed_file.items if item.status in _RIGHT]
    return Counter(
        {
            "files": 1,
            "found": len(parsed_file.items),
            "right": len(right),
            "in review": counts[ImportStatus.REVIEW],
            "refused": counts[ImportStatus.REFUSED],
            "left over": len(parsed_file.remainder)
            + sum(len(item.remainder) for item in parsed_file.items),
            "of right": sum(len(item.remainder) for item in right),
        }
    )


def tabulate(files: Iterable[Path]) -> tuple[dict[str, Counter[str]], list[str]]:
    """Return the rows by format, and the files that no format reads or that have errors."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    unread: list[str] = []
    for file in files:
        data = file.read_bytes()
        try:
            name = resolve_format(data, file.name).name
            parsed_file = parse_upload(data, file.name)
        except Invalid as error:
            unread.append(f"{file.name}: {error.code}")
            continue
        if parsed_file.errors:
            unread.append(f"{file.name}: {parsed_file.errors[0]}")
            continue
        rows[name].update(count_items(parsed_file))
    return rows, unread


def format_table(rows: dict[str, Counter[str]]) -> Iterator[str]:
    """Yield the table line by line, with a row of sums."""
    total: Counter[str] = sum(rows.values(), Counter())
    yield "format".ljust(16) + "".join(column.rjust(11) for column in COLUMNS)
    for name, counts in [*sorted(rows.items()), ("all", total)]:
        yield name.ljust(16) + "".join(str(counts[column]).rjust(11) for column in COLUMNS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 where a line of an item that is right is left over, or nothing is read."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folders", nargs="+", type=Path)
    folders = parser.parse_args(arguments).folders
    if missing := [str(folder) for folder in folders if not folder.is_dir()]:
        parser.error(f"no such folder: {', '.join(missing)}")
    rows, unread = tabulate(file for folder in folders for file in list_corpus_files(folder))
    print("\n".join(format_table(rows)))
    if unread:
        print(f"not read: {len(unread)}", *unread, sep="\n  ")
    return int(not rows or any(counts["of right"] for counts in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
