"""Two questions of a bank that are one in two languages: sought, joined, or kept apart for good.

The one that is kept gets the other's words in a new draft, and a new version where both were
published; the other is retired and says by whom it was taken in. Attempts and quiz versions keep
the versions that they name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from django.db import transaction

from accounts.models import User
from quizzes.bank import services
from quizzes.bank.access import may_edit
from quizzes.bank.models import Bank, Option, Question
from quizzes.document import QuestionDocument
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.matching import MOST, Pair, align
from quizzes.matching.bank_questions import Kept, kept
from quizzes.matching.decisions import Word, refused, remember
from quizzes.matching.fingerprints import fingerprints
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge_translation import join

Ids = Mapping[str, str]
"""Rows of the question that is taken in → those of the one that is kept."""


@dataclass(frozen=True, slots=True)
class Two:
    """Two questions held to be one; `pair.rows` are rows of the first → of the second."""

    first: Kept
    second: Kept
    language: str  # that of the first, in which they were compared
    other: str
    pair: Pair

    def twin(self) -> LanguageMatch:
        """Give the second as the twin of the first, with what joining would do to its key."""
        pair, ids = self.pair, {row.left: row.right for row in self.pair.rows}
        made = join(self.second.item, self.first.item, self.language, ids, self.second.names)
        twin = LanguageMatch(
            self.second.name, self.language, pair.confidence, pair.reasons, pair.rows
        )
        return replace(twin, key=made.key, left_out=made.left_out, held=self.second.item)


def seek(bank: Bank) -> list[Two] | None:
    """Give the pairs of a bank that may be one question each; None where there is too much."""
    there = kept(bank)
    if len(there) > MOST:
        return None
    never, found, used = refused(bank), list[Two](), set[str]()
    spoken = {code for one in there for code in one.spoken}
    order = sorted(spoken, key=lambda code: (code != bank.source_language, code))
    for main, other in combinations(order, 2):
        left = [one for one in there if _is_free(one, other, main, used)]
        right = [one for one in there if _is_free(one, main, other, used)]
        sides = [one.side(other) for one in left], [one.side(main) for one in right]
        for pair in align(*sides):
            two = Two(left[pair.left], right[pair.right], other, main, pair)
            if not _is_refused(two, never):
                found.append(two)
                used |= {two.first.name, two.second.name}
    return sorted(found, key=lambda two: -two.pair.confidence)


def _is_free(one: Kept, speaks: str, lacks: str, used: set[str]) -> bool:
    return one.name not in used and speaks in one.spoken and lacks not in one.spoken


def _is_refused(two: Two, never: frozenset[tuple[str, str]]) -> bool:
    for one, other in ((two.first, two.second), (two.second, two.first)):
        known = {one.name, *fingerprints(one.item)}
        if any((other.name, name) in never for name in known):
            return True
    return False


@transaction.atomic
def unite(  # noqa: PLR0913  each is a part of what a person says
    *,
    bank: Bank,
    keep: str,
    take: str,
    ids: Ids,
    seen: Sequence[int],
    by: User,
    now: datetime,
) -> Question:
    """Make two questions of a bank one: `keep` gets the words of `take`, on rows as `ids` say.

    `seen` are the revisions of both drafts that the person saw. Another by now, or one that is
    gone: Conflict. Rows that are none, or are meant twice: Invalid. Who may not: NotFound.
    """
    kept_, taken = _both(bank, (keep, take), seen, by)
    into, told = (QuestionDocument.from_json(one.draft.data) for one in (kept_, taken))
    _check_rows(ids, told, into)
    names = {row.name: str(row.uuid) for row in kept_.options.all()}
    item, rows = into, dict[str, str]()
    for language in _only(told, into):
        made = join(item, told, language, ids, {**names, **rows})
        item, rows = made.item, {**rows, **made.rows}
    Option.objects.bulk_create(Option(question=kept_, name=n, uuid=id_) for n, id_ in rows.items())
    live = all(_is_live(one, state) for one, state in ((kept_, into), (taken, told)))
    lasting = kept_.loaded_digest == into.digest()
    problems = services.revise(question=kept_, item=item, revision=seen[0], by=by)
    if lasting:
        services.mark_loaded(question=kept_, item=item)
    tags = {tag.name for one in (kept_, taken) for tag in one.tags.all()}
    services.set_tags(question=kept_, names=sorted(tags))
    if live and not problems:
        services.publish(question=kept_, by=by, now=now)
    services.take_in(question=taken, by=kept_, now=now)
    remember(bank=bank, words=list(_words(kept_, taken, told)), by=by)
    return kept_


def keep_apart(*, bank: Bank, first: str, second: str, by: User) -> None:
    """Remember that two questions of a bank are two. Who may not, or one that is none: NotFound."""
    if not may_edit(by, bank):
        raise NotFound
    rows = {one.name: one for one in kept(bank, (first, second))}
    if len(rows) != len({first, second}) or first == second:
        raise NotFound
    other = rows[second]
    prints = next(iter(fingerprints(other.item)), "")
    language = next(iter(other.spoken), "")
    remember(bank=bank, words=[Word(first, language, second, prints, same=False)], by=by)


def _both(
    bank: Bank, names: tuple[str, str], seen: Sequence[int], by: User
) -> tuple[Question, Question]:
    """Hold two questions as they were seen; imports and other joins of the bank wait."""
    if not may_edit(by, bank):
        raise NotFound
    Bank.objects.select_for_update().get(pk=bank.pk)
    rows = Question.objects.select_for_update(of=("self",)).filter(
        bank=bank, name__in=names, retired_at=None, draft__isnull=False
    )
    found = {one.name: one for one in rows.select_related("draft").order_by("pk")}
    if len(found) != len(names):
        raise Conflict("twin_gone")
    both = found[names[0]], found[names[1]]
    items = [QuestionDocument.from_json(one.draft.data) for one in both]
    if [one.draft.revision for one in both] != list(seen):
        raise Conflict("draft_changed")
    if both[0].kind != both[1].kind or not _only(items[1], items[0]):
        raise Conflict("twin_gone")
    return both


def _only(told: QuestionDocument, into: QuestionDocument) -> tuple[str, ...]:
    """Give the languages that the one has words in and the other does not."""
    one, other = (Kept("", item, frozenset(), {}).spoken for item in (told, into))
    return tuple(language for language in one if language not in other)


def _check_rows(ids: Ids, told: QuestionDocument, into: QuestionDocument) -> None:
    real = ids.keys() <= set(told.row_ids) and set(ids.values()) <= set(into.row_ids)
    if not real or len(set(ids.values())) != len(ids):
        raise Invalid("rows_meant_twice")


def _is_live(question: Question, item: QuestionDocument) -> bool:
    current = question.current
    return current is not None and current.digest == item.digest()


def _words(kept_: Question, taken: Question, told: QuestionDocument) -> Iterator[Word]:
    for made in fingerprints(told):
        yield Word(kept_.name, told.source_language, taken.name, made, same=True)
