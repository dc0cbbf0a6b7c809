"""Looking at a bank: its drafts once a revision, its files, and what was let stand."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from uuid import UUID

from django.db.models import Exists, OuterRef

from quizzes.bank.checks.values import Checks, Meant, Of, Score, Told
from quizzes.bank.item import Item
from quizzes.bank.lint import Finding, Looked, gather, look
from quizzes.bank.models import Bank, Draft, Media, Option, Question, VersionMedia, Waiver
from quizzes.lib.memory import Memory

Waived = tuple[str, str, str, str]
"""The name of a question, the code of a finding, the other question, the digest of the state."""

_looked: Memory[tuple[UUID, int], Looked] = Memory(10_000)
"""A revision never changes, so what was found in it stays true."""


def checks(bank: Bank) -> Checks:
    """Look at the questions in use; in five queries, four where every draft was seen."""
    questions = {
        row.name: row
        for row in Question.objects.filter(bank=bank, retired_at=None, draft__isnull=False)
        .select_related("draft")
        .defer("draft__data")
        .order_by("pk")
    }
    seen = _seen(questions.values())
    looked = {name: seen[row.uuid] for name, row in questions.items()}
    kept, free = _files(bank)
    found = gather(looked, kept, free)
    waived, rows = _waivers(bank), _row_names(found)
    of = {
        name: Of(row.pk, row.uuid, name, looked[name].prompt, looked[name].digest)
        for name, row in questions.items()
    }
    told = tuple(_told(one, of.get(one.question), rows, waived) for one in found)
    return Checks(
        len(questions),
        told,
        _score(one.blind.everything for one in looked.values()),
        _score(one.blind.lot for one in looked.values()),
    )


def _seen(questions: Iterable[Question]) -> Mapping[UUID, Looked]:
    known = _looked.get_many(((row.uuid, row.draft.revision) for row in questions), _look)
    return {uuid: one for (uuid, _), one in known.items()}


def _look(wanted: list[tuple[UUID, int]]) -> dict[tuple[UUID, int], Looked]:
    rows = Draft.objects.filter(question__uuid__in=[uuid for uuid, _ in wanted])
    return {
        (uuid, revision): look(Item.from_json(data))
        for uuid, revision, data in rows.values_list("question__uuid", "revision", "data")
    }


def _files(bank: Bank) -> tuple[dict[str, str], list[str]]:
    """Give the bank's files, name → label, and those that no published version shows."""
    shown = VersionMedia.objects.filter(media=OuterRef("pk"))
    rows = Media.objects.filter(bank=bank).annotate(is_shown=Exists(shown)).order_by("pk")
    kept, free = dict[str, str](), list[str]()
    for row in rows:
        name = f"{row.uuid}.{row.extension}"
        kept[name] = row.name
        free += () if row.is_shown else (name,)
    return kept, free


def _waivers(bank: Bank) -> dict[Waived, Meant]:
    rows = Waiver.objects.filter(question__bank=bank).select_related("question", "by")
    return {
        (row.question.name, row.code, row.about, row.digest): Meant(
            str(row.by) if row.by else "", row.created_at
        )
        for row in rows
    }


def _row_names(found: Iterable[Finding]) -> dict[str, str]:
    """Give the short names of the rows that findings are about, by their ids."""
    ids = {id_ for one in found if (id_ := one.row)}
    rows = Option.objects.filter(uuid__in=list(_uuids(ids)))
    return {str(uuid): name for uuid, name in rows.values_list("uuid", "name")}


def _uuids(ids: Iterable[str]) -> Iterator[UUID]:
    for id_ in ids:
        try:
            yield UUID(id_)
        except ValueError:
            continue  # a draft may name anything


def _told(
    found: Finding, of: Of | None, rows: Mapping[str, str], waived: Mapping[Waived, Meant]
) -> Told:
    meant = waived.get((of.name, found.code, found.about, of.digest)) if of else None
    return Told(found, of, rows.get(found.row, found.row), meant)


def _score(credits_: Iterable[Fraction | None]) -> Score | None:
    known = [credit for credit in credits_ if credit is not None]
    return Score(sum(known, Fraction(0)) / len(known), len(known)) if known else None
