"""Everything that is stored of a person, as a ZIP of JSON and CSV, in constant memory (ADR 31).

Results are what the person's own pages show: from the same reports, so a key that is not revealed
there is not here.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from io import TextIOWrapper
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db import transaction
from django.db.models import Q
from django.utils import translation

from accounts.access import check_self_or_administrator
from accounts.models import User
from quizzes.attempts.models import Accommodation, Attempt, StandingAccommodation
from quizzes.attempts.receipt_file import load_receipt_file
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.services import record
from quizzes.challenges.models import Challenge, ChallengeVerdict
from quizzes.challenges.selectors import build_report
from quizzes.lib.formula_injection import escape_formula
from quizzes.lib.hash_chain import format_time
from quizzes.presentation.kinds import answer_text
from quizzes.presentation.messages.audit import AUDIT_LABELS
from quizzes.presentation.messages.privacy import render_export_readme
from quizzes.privacy.person_rows import list_identities, list_rows
from quizzes.privacy.personal_tables import PERSONAL_COLUMNS, PERSONAL_TABLES, PersonalTable
from quizzes.results.attempt_report import Score
from quizzes.results.selectors import (
    list_own_attempts,
    load_quiz_grades,
    load_report,
    load_summaries,
)

SCHEMA = 1
"""The version of the form of `data.json`, which docs/operations.md describes."""
CHUNK_SIZE = 500
SCORE_COLUMNS = ("total", "maximum", "percent", "passed", "provisional")


@dataclass(frozen=True, slots=True)
class ExportedTable:
    """A table of an export: its file without the ending, its columns, and its rows."""

    name: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]


def export_person(*, person: User, by: User | None, file: BinaryIO, now: datetime) -> None:
    """Write a person's export into a file, and record it.

    By the person, an administrator, or the site itself (None); others: NotFound.
    """
    check_self_or_administrator(by, person)
    with transaction.atomic():
        record(AuditCode.PERSON_EXPORTED, about=person, by=by)
    write_export(person=person, file=file, now=now)


def write_export(*, person: User, file: BinaryIO, now: datetime) -> None:
    """Write the ZIP: equal rows and times give equal bytes."""
    language = person.language or "en"
    with (
        translation.override(language),
        ZipFile(file, "w", ZIP_DEFLATED) as archive,
        TemporaryFile() as json_file,
    ):
        readme = render_export_readme([table.name for table in _list_tables(person, now)])
        _add(archive, "README.txt", now, [readme.encode()])
        head = {"schema": SCHEMA, "person": str(person.uuid), "made_at": format_time(now)}
        json_file.write(f'{json.dumps(head)[:-1]}, "tables": {{'.encode())
        for number, table in enumerate(_list_tables(person, now)):
            json_file.write((",\n" if number else "\n").encode())
            _add_table(archive, table, json_file, now)
        json_file.write(b"\n}}\n")
        json_file.seek(0)
        with archive.open(_describe_entry("data.json", now), "w") as entry:
            copyfileobj(json_file, entry)
        for learner in list_identities(person):
            _add_receipts(archive, learner, now)


def _add_receipts(archive: ZipFile, learner: User, now: datetime) -> None:
    for attempt in _list_attempts(learner).exclude(receipt=None).iterator(CHUNK_SIZE):
        receipt = load_receipt_file(attempt=attempt.uuid, viewer=learner)
        content = json.dumps(receipt, ensure_ascii=False, indent=2)
        _add(archive, f"receipts/{attempt.uuid}.json", now, [content.encode()])


def _list_tables(person: User, now: datetime) -> Iterator[ExportedTable]:
    """Yield the tables in their order; rows are read when they are asked for."""
    columns = [*PERSONAL_COLUMNS]
    yield ExportedTable("account", columns, [[getattr(person, name) for name in columns]])
    for table in PERSONAL_TABLES:
        if table.file:
            yield _build_table(table, person)
    yield ExportedTable(
        "results",
        ("attempt", "quiz", "number", "state", *SCORE_COLUMNS, "receipt_digest"),
        _chain(_generate_results, person, now),
    )
    yield ExportedTable(
        "answers",
        ("attempt", "slot", "kind", "answer", "outcome", "credit", "points", "comments"),
        _chain(_generate_answers, person, now),
    )
    yield ExportedTable(
        "challenge_answers",
        ("attempt", "slot", "verdict", "answer", "answered_at"),
        _generate_challenge_answers(person, now),
    )
    yield ExportedTable(
        "quiz_grades",
        ("quiz", "policy", "attempts_graded", *SCORE_COLUMNS, "updated_at"),
        _chain(_generate_quiz_grades, person, now),
    )
    yield ExportedTable(
        "audit_events",
        (
            *("time", "code", "event", "by", "address", "browser"),
            *("subject_type", "subject_id", "before", "after"),
        ),
        _generate_audit_events(person),
    )


def _build_table(table: PersonalTable, person: User) -> ExportedTable:
    cells = list_rows(table, person).order_by("pk").values_list(*table.columns)
    names = [name.replace("__", "_") for name in table.columns]
    return ExportedTable(table.file, names, cells.iterator(CHUNK_SIZE))


def _chain(
    generate: Callable[[User, datetime], Iterator[Sequence[Any]]], person: User, now: datetime
) -> Iterator[Sequence[Any]]:
    """Yield the rows of a person, then of each guest whom they keep, as far as that one may see."""
    for learner in list_identities(person):
        yield from generate(learner, now)


def _list_attempts(learner: User) -> Any:
    return list_own_attempts(learner).order_by("pk")


def _generate_results(learner: User, now: datetime) -> Iterator[Sequence[Any]]:
    for attempt in _list_attempts(learner).iterator(CHUNK_SIZE):
        (summary,) = load_summaries([attempt], learner, now)
        names = (summary.attempt, summary.slug, summary.number, summary.state)
        yield (*names, *_list_score(summary.score), summary.receipt_digest)


def _list_score(score: Score | None) -> Sequence[Any]:
    """Return the cells of SCORE_COLUMNS; empty where nothing may be shown."""
    return [None if score is None else getattr(score, name) for name in SCORE_COLUMNS]


def _generate_answers(learner: User, now: datetime) -> Iterator[Sequence[Any]]:
    language = translation.get_language() or "en"
    attempts = Attempt.objects.filter(learner=learner).exclude(state="open").order_by("pk")
    for uuid in attempts.values_list("uuid", flat=True).iterator(CHUNK_SIZE):
        report = load_report(attempt=uuid, viewer=learner, language=language, now=now)
        if report.total_reason:
            yield (uuid, *[None] * 6, report.total_reason)
        for item in report.questions:
            text = answer_text(item.public_version, item.answer, language) if item.answer else ""
            kind, points = item.manifest_slot.kind, item.manifest_slot.points
            comments = "\n".join(item.comments)
            yield (uuid, item.slot, kind, text, item.outcome, item.credit, points, comments)


def _generate_challenge_answers(person: User, now: datetime) -> Iterator[Sequence[Any]]:
    """Yield what came of each challenge, as far as the page of the result shows it."""
    challenges = Challenge.objects.filter(learner=person).exclude(verdict=ChallengeVerdict.OPEN)
    rows = challenges.select_related("attempt").order_by("pk")
    for row in rows.iterator(CHUNK_SIZE):
        attempt = list_own_attempts(person).get(pk=row.attempt_id)
        (summary,) = load_summaries([attempt], person, now)
        report = build_report(row, summary.visibility)
        yield (attempt.uuid, row.slot, report.verdict, report.answer, row.answered_at)


def _generate_quiz_grades(learner: User, now: datetime) -> Iterator[Sequence[Any]]:
    for grade in load_quiz_grades(learner=learner, now=now):
        names = (grade.slug, grade.policy, grade.attempts_graded)
        yield (*names, *_list_score(grade.score), grade.updated_at)


def _generate_audit_events(person: User) -> Iterator[Sequence[Any]]:
    """Yield events by and about a person; nothing of them that names others."""
    identities = list_identities(person)
    own = {identity.uuid for identity in identities}
    about = own | _list_accommodations(identities)
    attempts = Attempt.objects.filter(learner__in=identities).values("uuid")
    concerns = Q(actor__in=own) | Q(subject__in=about) | Q(subject__in=attempts)
    for event in AuditEvent.objects.filter(concerns).order_by("pk").iterator(CHUNK_SIZE):
        is_own, is_about = event.actor in own, event.subject in about
        shows_origin = is_own or event.actor is None
        yield (
            *(event.created_at, event.code, str(AUDIT_LABELS[AuditCode(event.code)])),
            "self" if is_own else "another" if event.actor else "site",
            *((event.address, event.user_agent) if shows_origin else ("", "")),
            *(event.subject_type, event.subject),
            *((event.before, event.after) if is_about else (None, None)),
        )


def _list_accommodations(identities: list[User]) -> set[UUID]:
    rows = (
        model._base_manager.filter(learner__in=identities).values_list("uuid", flat=True)
        for model in (Accommodation, StandingAccommodation)
    )
    return {uuid for uuids in rows for uuid in uuids}


def _add_table(archive: ZipFile, table: ExportedTable, json_file: IO[bytes], now: datetime) -> None:
    """Write a table as CSV into the archive and as JSON into the other file, row by row."""
    json_file.write(f"{json.dumps(table.name)}: [".encode())
    with (
        archive.open(_describe_entry(f"{table.name}.csv", now), "w") as entry,
        TextIOWrapper(entry, "utf-8", newline="") as text,
    ):
        writer = csv.writer(text)
        writer.writerow(table.columns)
        for number, row in enumerate(table.rows):
            writer.writerow([_format_cell(cell) for cell in row])
            fields = dict(zip(table.columns, map(_as_json, row), strict=True))
            line = (",\n  " if number else "\n  ") + json.dumps(fields, ensure_ascii=False)
            json_file.write(line.encode())
    json_file.write(b"]")


def _as_json(cell: Any) -> Any:
    """Return a cell as JSON has it: times in UTC, fractions as "1/3"."""
    if isinstance(cell, datetime):
        return format_time(cell)
    return str(cell) if isinstance(cell, UUID | Fraction) else cell


def _format_cell(cell: Any) -> str:
    """Return a cell as text that no spreadsheet takes for a formula."""
    plain = _as_json(cell)
    if plain is None:
        return ""
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if isinstance(plain, Mapping | list):
        return escape_formula(json.dumps(plain, ensure_ascii=False))
    return escape_formula(str(plain))


def _add(archive: ZipFile, name: str, now: datetime, chunks: Iterable[bytes]) -> None:
    with archive.open(_describe_entry(name, now), "w") as entry:
        for chunk in chunks:
            entry.write(chunk)


def _describe_entry(name: str, now: datetime) -> ZipInfo:
    """Return the head of a file in the archive: its time is that of the export."""
    entry = ZipInfo(name, now.timetuple()[:6])
    entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o600 << 16
    return entry
