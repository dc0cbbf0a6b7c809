"""What the rows of the composer come to: what each would publish, what is wrong, the totals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from quizzes.attempts.key_access import (
    banks_whose_keys_are_visible_to,
    questions_whose_keys_are_visible_to,
)
from quizzes.bank.models import Bank, Question, Tag
from quizzes.instructor.composer.draft_effects import describe_totals
from quizzes.instructor.composer.question_facts import QuestionFacts, load_question_facts
from quizzes.instructor.composer.rows import (
    Row,
    SectionRow,
    SlotRow,
    build_slot,
    drop_removed,
    find_errors,
    list_sections,
)
from quizzes.instructor.translated_field import language_names
from quizzes.presentation.messages.quiz_problems import describe_quiz_problems, list_sentences
from quizzes.publishing.composition import ComposedSection
from quizzes.publishing.draw_allocation import count_drawable
from quizzes.publishing.models import Quiz, Section, Slot
from quizzes.publishing.planned_version import (
    PlannedVersionItem,
    count_draws,
    list_drawable,
    plan_quiz_version,
)


@dataclass(frozen=True, slots=True)
class EvaluatedRow:
    """A row as the page shows it.

    `number`: which questions of the quiz it makes, "3" or "4-6". `notes` are what it would publish,
    `problems` what is wrong.
    """

    row: Row
    titles: Sequence[tuple[str, str, str]] = ()
    section: str = ""
    number: str = ""
    facts: QuestionFacts | None = None
    source: str = ""
    notes: Sequence[str] = ()
    problems: Sequence[str] = ()
    errors: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EvaluatedRows:
    """All rows, and what they come to together."""

    rows: Sequence[EvaluatedRow]
    totals: Sequence[str]
    problems: Sequence[str]
    planned: int
    askable: frozenset[int]
    """The questions that an attempt may ask, and those that are not published."""


@dataclass(frozen=True, slots=True)
class _Sources:
    """What the rows name, as far as this person may read it or the quiz has it already."""

    facts: Mapping[int, QuestionFacts]
    banks: Mapping[int, Bank]
    tags: Mapping[int, Tag]

    def has(self, row: Row) -> bool:
        """Return whether what a row names is there."""
        if isinstance(row, SectionRow):
            return True
        return row.question in self.facts if row.question else row.bank in self.banks

    def build_slot(self, row: SlotRow, pk: int) -> Slot:
        """Return the slot of a row, which is not to be stored; `pk` is for problems to name it."""
        composed = build_slot(row)
        facts = self.facts.get(row.question)
        return Slot(
            pk=pk,
            section=Section(),
            question=facts.question if facts else None,
            pool_bank=self.banks.get(row.bank),
            pool_tag=self.tags.get(row.tag),
            draw=composed.draw,
            points=composed.points,
        )


def _load_sources(rows: Sequence[Row], stored: Sequence[ComposedSection], person: User) -> _Sources:
    before = [slot for section in stored for slot in section.slots]
    slots = [row for row in rows if isinstance(row, SlotRow)]
    visible_questions = questions_whose_keys_are_visible_to(person)
    questions = Question.objects.filter(
        Q(pk__in=visible_questions.values("pk"))
        | Q(pk__in=[slot.question for slot in before if slot.question]),
        pk__in={row.question for row in slots},
    )
    banks = Bank.objects.filter(
        Q(pk__in=banks_whose_keys_are_visible_to(person).values("pk"))
        | Q(pk__in=[slot.bank for slot in before if slot.bank]),
        pk__in={row.bank for row in slots},
    )
    return _Sources(
        load_question_facts(questions, visible_questions),
        {bank.pk: bank for bank in banks},
        Tag.objects.in_bulk({row.tag for row in slots}),
    )


def evaluate_rows(
    quiz: Quiz, rows: Sequence[Row], stored: Sequence[ComposedSection], *, person: User
) -> EvaluatedRows:
    """Return what rows come to. Those whose question or bank this person may not name are left out.

    The number of queries grows with the draws, not with the questions.
    """
    sources = _load_sources(rows, stored, person)
    rows = [row for row in rows if sources.has(row)]
    slots = {pk: row for pk, row in enumerate(drop_removed(rows), 1) if isinstance(row, SlotRow)}
    planned, problems = plan_quiz_version(
        quiz, [sources.build_slot(row, pk) for pk, row in slots.items()]
    )
    by_key = {slots[item.slot.pk].key: item for item in planned}
    drawable = [frozenset(own.values()) for own in list_drawable(planned)]
    most = dict(zip(by_key, count_drawable(count_draws(planned), drawable), strict=True))
    sentences: dict[str, list[str]] = {}
    for problem in describe_quiz_problems(problems, {pk: row.key for pk, row in slots.items()}):
        sentences.setdefault(problem.place, []).append(problem.sentence)
    return EvaluatedRows(
        _list_evaluated(rows, sources, by_key, most, sentences),
        describe_totals(quiz, planned),
        list_sentences(problems),
        sum(item.draw for item in planned),
        frozenset(sources.facts).union(v.question_id for item in planned for v in item.versions),
    )


def _list_evaluated(
    rows: Sequence[Row],
    sources: _Sources,
    by_key: Mapping[str, PlannedVersionItem],
    most: Mapping[str, int],
    sentences: Mapping[str, Sequence[str]],
) -> list[EvaluatedRow]:
    errors = find_errors(rows)
    evaluated, section, count = [], "", 0
    headings = {row.key for row in list_sections(rows)}
    for row in rows:
        if isinstance(row, SectionRow):
            section = row.key if row.key in headings else section
            titles = [
                (code, name, row.title.get(code, "")) for code, name in language_names().items()
            ]
            evaluated.append(EvaluatedRow(row, titles))
            continue
        item = by_key.get(row.key)
        first, count = count + 1, count + (item.draw if item else 0)
        evaluated.append(
            EvaluatedRow(
                row,
                section=section,
                number="" if item is None else f"{first}" if first == count else f"{first}–{count}",
                facts=sources.facts.get(row.question),
                source=_name_source(row, sources),
                notes=[describe_draw(item, most[row.key])] if item and row.bank else [],
                problems=sentences.get(row.key, ()),
                errors=errors.get(row.key, frozenset()),
            )
        )
    return evaluated


def _name_source(row: SlotRow, sources: _Sources) -> str:
    """Return where a row's questions are from: a bank, and the tag they must have."""
    facts, bank = sources.facts.get(row.question), sources.banks.get(row.bank)
    if facts is not None:
        return str(facts.question.bank)
    return f"{bank} · {sources.tags[row.tag]}" if row.tag in sources.tags else str(bank)


def describe_draw(planned_item: PlannedVersionItem, most: int) -> str:
    """Return what a draw takes and, where the rest of the quiz leaves it less, how much that is."""
    count, tag = len(planned_item.versions), planned_item.slot.pool_tag
    numbers = {"draw": planned_item.draw, "count": count, "tag": tag}
    sentence = (
        _("draws %(draw)s of the %(count)s tagged %(tag)s")
        if tag
        else _("draws %(draw)s of %(count)s")
    )
    sentences = [sentence % numbers]
    if most < count:
        sentences.append(_("%(most)s remain for it beside the rest of the quiz") % {"most": most})
    return "; ".join(sentences)
