"""A twin as a page shows it: both questions side by side, option by option, how sure and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grading.schema import PROMPT, FieldType, TextSlot
from quizzes.document import QuestionDocument
from quizzes.imports import report_format
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.models import ImportJob, State
from quizzes.imports.sayings import KEYS, TWINS
from quizzes.instructor.translated_field import language_names, summarize
from quizzes.lib.markup import MAX_CHARACTERS, render
from quizzes.matching import Reason, RowPair
from quizzes.matching.language_match import LanguageMatch

BY: Mapping[str, Promise | str] = {
    "words": gettext_lazy("by their words"),
    "value": gettext_lazy("they say the same"),
    "rest": gettext_lazy("the ones left over"),
    "place": gettext_lazy("by their places alone: compare"),
}
"""What the pair of two options rests on."""

LAST = 50
"""Earlier imports that are looked through."""
DOUBTED = 0.6
"""Below this, a pair of options is marked as one to compare."""


@dataclass(frozen=True, slots=True)
class Side:
    """One option of one of the two: its words as HTML, and whether it is right there."""

    html: str
    right: bool


@dataclass(frozen=True, slots=True)
class Options:
    """Two options held to be one."""

    here: Side
    there: Side
    by: Promise | str
    doubted: bool


@dataclass(frozen=True, slots=True)
class Question:
    """One of the two: its language by code and name, and its prompt as HTML."""

    code: str
    language: str
    prompt: str


@dataclass(frozen=True, slots=True)
class ShownTwin:
    """Two questions side by side; `here` is what is asked about, `there` what the bank has.

    `percent` is how sure it is, None where a person said so. `left` are options of `here` that the
    other does not have.
    """

    name: str
    percent: int | None
    reasons: tuple[str, ...]
    key: str
    here: Question
    there: Question
    options: tuple[Options, ...]
    left: tuple[str, ...]


def of_item(planned: PlannedItem) -> ShownTwin | None:
    """Show the twin of an item of a file; None where it has none."""
    if planned.match is None or planned.match.document is None or planned.document is None:
        return None
    joined = planned.action != ImportAction.NEW and planned.before is not None
    ids = (
        {}
        if joined
        else {pair.right: planned.rows.get(pair.left, "") for pair in planned.match.rows}
    )
    return shown(planned.document, planned.match, ids)


def shown(here: QuestionDocument, twin: LanguageMatch, ids: Mapping[str, str]) -> ShownTwin | None:
    """Lay two questions side by side; `ids` are the other's rows → this one's, if they differ."""
    there = twin.document
    if there is None:
        return None
    code = next(
        (language for language in spoken(there) if language != twin.language), there.source_language
    )
    return ShownTwin(
        name=twin.name,
        percent=None if twin.confirmed else int(twin.confidence * 100),
        reasons=in_words(twin.reasons),
        key=report_format.message_for(twin.key_change, KEYS) if twin.key_change in KEYS else "",
        here=_question(here, twin.language),
        there=_question(there, code),
        options=tuple(_options(here, there, (twin.language, code), twin.rows, ids)),
        left=twin.left_out,
    )


def in_words(reasons: Sequence[Reason]) -> tuple[str, ...]:
    """Say why, a sentence each."""
    return tuple(report_format.reason_message(reason) for reason in reasons)


def spoken(item: QuestionDocument) -> list[str]:
    """Give the languages that a question has a prompt in, the source first."""
    languages = [
        code for code, words in item.words.items() if str(words.get(PROMPT.name) or "").strip()
    ]
    return sorted(languages, key=lambda code: (code != item.source_language, code))


def _question(item: QuestionDocument, code: str) -> Question:
    prompt = str(item.words.get(code, {}).get(PROMPT.name) or "")
    return Question(code, language_names(code)[code], render(prompt[:MAX_CHARACTERS]))


def _options(
    here: QuestionDocument,
    there: QuestionDocument,
    codes: tuple[str, str],
    rows: Sequence[RowPair],
    ids: Mapping[str, str],
) -> Iterator[Options]:
    """Give the options that a taker reads, pair by pair."""
    public = {slot.id: slot for slot in there.text_slots if slot.id and not slot.is_feedback}
    mine = {slot.id: slot for slot in here.text_slots if slot.id and not slot.is_feedback}
    rights = rights_of(here), rights_of(there)
    for pair in rows:
        own = ids.get(pair.right) or pair.right
        if pair.right in public and own in mine:
            yield Options(
                _side(here, codes[0], mine[own], rights[0]),
                _side(there, codes[1], public[pair.right], rights[1]),
                BY.get(pair.basis, pair.basis),
                pair.confidence < DOUBTED,
            )


def _side(item: QuestionDocument, code: str, slot: TextSlot, rights: frozenset[str]) -> Side:
    text = item.text_at(code, slot)[:MAX_CHARACTERS]
    return Side(render(text, inline="\n" not in text), slot.id in rights)


def rights_of(item: QuestionDocument) -> frozenset[str]:
    """Give the rows that are right, where that is a tick."""
    schema = item.schema
    loaded = schema.load(item.content, item.key)
    flags = [
        (table, table_field.name)
        for table in schema.tables
        for table_field in table.fields
        if table_field.secret and table_field.type == FieldType.FLAG
    ]
    return frozenset(
        row.id for table, name in flags for row in loaded.tables[table.name] if row.values.get(name)
    )


def answer(job: ImportJob, planned: PlannedItem) -> str:
    """Tell what was said of the twin of an item."""
    if planned.match is None or planned.match.confirmed:
        return "known" if planned.match else ""
    answers = MatchAnswers.from_json(job.match_answers or {})
    if planned.number in answers.accepted:
        return "taken"
    return "refused" if planned.number in answers.rejected else ""


def alike(planned: PlannedItem) -> str:
    """Say which question of the bank an item resembles in its own language; "" if none."""
    if planned.duplicate_of is None:
        return ""
    sure = {
        "question": planned.duplicate_of.name,
        "percent": int(planned.duplicate_of.confidence * 100),
    }
    return " ".join(
        [report_format.message_for("alike", TWINS, sure), *in_words(planned.duplicate_of.reasons)]
    )


def same_quiz(job: ImportJob) -> str:
    """Say that a file seems to be a quiz that the bank has, and which file that came from."""
    same = job.report.get("same_quiz")
    if not same:
        return ""
    figures = {"n": same["questions"], "of": same["of"], "percent": int(same["confidence"] * 100)}
    begun = _("It seems to be a quiz that the bank has: %(n)s of %(of)s questions match.") % figures
    file = earlier(job, same["names"])
    return f"{begun} " + _("They came with %(file)s.") % {"file": file} if file else str(begun)


def earlier(job: ImportJob, names: Sequence[str]) -> str:
    """Give the file that most of these questions came with, of the last ones; "" if none."""
    best, most = "", 0
    done = ImportJob.objects.filter(bank=job.bank, state=State.DONE).exclude(pk=job.pk)
    done = done.filter(total__gt=len(names) // 2).order_by("-pk")
    # One after the other: a report may be of ten thousand items.
    for filename, items in done.values_list("filename", "report__items")[:LAST].iterator(1):
        came = {line.get("name") for line in items or () if line.get("chosen")}
        if (shared := len(came & set(names))) > most:
            best, most = filename, shared
    return best if most * 2 > len(names) else ""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that goes with one of the other question's: `among` are (id, words, is it)."""

    id: str
    text: str
    by: Promise | str
    among: tuple[tuple[str, str, bool], ...]


def choices(
    here: QuestionDocument, there: QuestionDocument, twin: LanguageMatch, code: str
) -> tuple[Choice, ...]:
    """Give each row that may be paired, with the rows of its table that it may go with."""
    paired = {row.left: row for row in twin.rows}
    names = _in_words(there, code)
    tables = _tables(here), _tables(there)
    return tuple(
        Choice(
            id_,
            text,
            BY.get(paired[id_].basis, "") if id_ in paired else "",
            tuple(
                (other, names[other], id_ in paired and paired[id_].right == other)
                for other in names
                if tables[1][other] == tables[0][id_]
            ),
        )
        for id_, text in _in_words(here, twin.language).items()
    )


def _in_words(item: QuestionDocument, code: str) -> dict[str, str]:
    """Give every row by id, with the first words that are said of it."""
    rows = dict.fromkeys(_tables(item), "")
    for slot in item.text_slots:
        if slot.id:
            rows[slot.id] = rows[slot.id] or summarize(item.text_at(code, slot), 60)
    return rows


def _tables(item: QuestionDocument) -> dict[str, str]:
    schema = item.schema
    loaded = schema.load(item.content, item.key)
    return {row.id: table.name for table in schema.tables for row in loaded.tables[table.name]}
