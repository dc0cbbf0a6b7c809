"""Everything that must stay equal while names and layers change, as one JSON value.

Marks and ledgers of every kind under every scoring method, the reveal decision in every case,
and what readers and writers make of the example files. Names may change in the code that makes
the recording, never the recording itself. Removed at the end of the redesign.
"""

import hashlib
import io
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import chain, combinations, islice, permutations, product
from pathlib import Path
from typing import Any

from grading.contract import InvalidAnswer, ItemScore
from grading.json_types import Content, Json
from grading.kinds import KINDS
from quizzes.formats import FORMATS, WRITERS, detect_format
from quizzes.formats.contract import ParsedFile
from quizzes.formats.ochenta import name as own_format
from quizzes.publishing.policies import RevealPolicy
from quizzes.results.reveal import RevealContext, reveal
from tests.grading.examples import EXAMPLES, load
from tests.quizzes.imports.example_files import own_examples

LANGUAGES = ("en", "es")
ANSWERS_A_QUESTION = 400
MOMENTS = ("never", "after_submit", "after_pass", "after_last_attempt", "after_close", "unknown")
STATES = ("open", "submitted", "graded", "void")
ROLES = ("learner", "overseer", "stranger")


def build_recording() -> dict[str, Any]:
    """Return the whole recording: section -> name of the case -> its digest or value."""
    return {
        "grading": dict(_grading()),
        "reveal": _digest(list(_reveal())),
        "files": dict(_files()),
    }


def _grading() -> Iterator[tuple[str, Any]]:
    """Yield the marks of each question of the examples, for the examples' answers and more."""
    for kind_name, kind in KINDS.items():
        source = load(EXAMPLES / f"{kind_name}.json")
        raws = [example["raw"] for example in source["examples"]]
        for question_name, question in source["questions"].items():
            content, key = question["content"], question["key"]
            answers = [*raws, *islice(_more_answers(content), ANSWERS_A_QUESTION)]
            for method in question["scoring_methods"]:
                marks = [_mark(kind, content, key, raw, method) for raw in answers]
                problems = [asdict(problem) for problem in kind.validate(content, key, method)]
                value = {"marks": marks, "problems": problems}
                yield f"{kind_name}: {question_name}: {method}", _digest(value)
            order = [part for part, _pinned in kind.shufflable_ids(content)]
            views = [asdict(kind.public_view(content, order)), kind.correct_answer(content, key)]
            yield f"{kind_name}: {question_name}: public view and solution", _digest(views)


def _mark(kind: Any, content: Content, key: Any, raw: Json, method: str) -> Any:
    answer = kind.parse(content, raw)
    if isinstance(answer, InvalidAnswer):
        return [answer.code, dict(answer.detail)]
    mark = kind.score(content, key, answer, method)
    return mark.to_json() if isinstance(mark, ItemScore) else mark.reason


def _more_answers(content: Any) -> Iterator[Json]:
    """Yield every subset of the options, and orders and pairs of what there is to place."""
    options = [option["id"] for option in content.get("options", ())]
    sizes = range(len(options) + 1)
    for chosen in chain.from_iterable(combinations(options, size) for size in sizes):
        yield {"chosen": list(chosen)}
        yield {"chosen": list(chosen), "none_apply": True}
    items = [row["id"] for row in content.get("items", ())]
    for order in islice(permutations(items), 150):
        yield {"order": list(order)}
    lefts = [row["id"] for row in content.get("lefts", ())]
    rights = [row["id"] for row in content.get("rights", ())]
    for chosen in islice(product(rights, repeat=len(lefts)), 150):
        yield {"pairs": dict(zip(lefts, chosen, strict=True))}
    for typed in (
        "",
        "0",
        "1",
        "3,5",
        "3.125",
        "-2",
        "1/3",
        "Peru",
        "Perú",
        " a  b ",
        "A b.",
        "x*y",
    ):
        yield {"text": typed}
        yield {"number": typed}
        yield {"gaps": {row["id"]: {"text": typed} for row in content.get("gaps", ())}}


def _reveal() -> Iterator[Any]:
    policies = [RevealPolicy(moment, moment, moment, moment, moment) for moment in MOMENTS]
    policies += [replace(policy, all_options=True) for policy in policies] + [RevealPolicy()]
    for policy, state, role in product(policies, STATES, ROLES):
        for passed, exhausted, closed in product((False, True), repeat=3):
            facts = RevealContext(state, role, passed=passed, exhausted=exhausted, closed=closed)
            visible = asdict(reveal(policy, facts))
            yield [asdict(policy), state, role, passed, exhausted, closed, list(visible.values())]


def _files() -> Iterator[tuple[str, Any]]:
    """Yield what is read of each example file, and what each writer makes of that."""
    for example in own_examples():
        reader = (
            FORMATS[example.format] if example.format else detect_format(example.data, example.name)
        )
        if reader is None:
            continue
        parcel = reader.read(example.data)
        yield f"{example}: read", _read(parcel)
        for format_name, writer in WRITERS.items():
            for language in LANGUAGES:
                written = writer.write(parcel, language=language)
                losses = [[loss.question, loss.code] for loss in written.warnings]
                members = list(_members(written.data, format_name))
                yield f"{example} -> {format_name} ({language})", _digest([members, losses])


def _read(parcel: ParsedFile) -> Any:
    items = [
        [
            item.line,
            item.end_line,
            item.name,
            item.kind,
            item.status,
            [note.code for note in item.notes],
        ]
        for item in parcel.items
    ]
    whole = WRITERS[own_format].write(parcel, language=parcel.metadata.language or "en")
    return _digest([items, whole.data.decode(), sorted(parcel.media)])


def _members(data: bytes, format_name: str) -> Iterator[list[str]]:
    """Yield the members of a package with their digests; of a database its rows that matter."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        yield [format_name, hashlib.sha256(data).hexdigest()]
        return
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for name in sorted(package.namelist()):
            content = package.read(name)
            if content.startswith(b"SQLite format 3"):
                content = _notes(content)
            if name == "docProps/core.xml":  # the moment of writing
                content = b""
            yield [name, hashlib.sha256(content).hexdigest()]


def _notes(database: bytes) -> bytes:
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
        Path(file.name).write_bytes(database)
        with sqlite3.connect(file.name) as connection:
            rows = connection.execute("SELECT guid, tags, flds FROM notes ORDER BY guid").fetchall()
    return repr(rows).encode()


def _digest(value: Any) -> str:
    """Return a short digest of a JSON value."""
    text = json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
