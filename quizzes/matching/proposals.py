"""Seeking the twins of a file's questions in a bank, and those of the same language."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quizzes.bank.models import Bank, Question
from quizzes.formats.contract import ParsedQuestion
from quizzes.lib.errors import Conflict
from quizzes.matching import MOST, Pair, align, pair_rows
from quizzes.matching.bank_questions import Kept, kept, only_language, told_item, told_side
from quizzes.matching.decisions import decided, refused
from quizzes.matching.fingerprints import told_fingerprints
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge_translation import join

Numbered = Sequence[tuple[int, ParsedQuestion]]
"""Questions of a file, each with its number there."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """By number of the item: its twin in another language, and its like in the same one.

    `known` are twins that a person confirmed before. Not `searched`: there was too much to do.
    """

    twins: Mapping[int, LanguageMatch] = field(default_factory=dict)
    alike: Mapping[int, LanguageMatch] = field(default_factory=dict)
    known: Mapping[int, LanguageMatch] = field(default_factory=dict)
    searched: bool = True


def propose(bank: Bank, told: Numbered, fresh: Numbered) -> Proposals:
    """Seek the twins of a file's questions, of those (`fresh`) that the bank does not know."""
    known = dict(_known(bank, told))
    alone = [(n, one) for n, one in fresh if n not in known and only_language(one)]
    in_use = Question.objects.filter(bank=bank, retired_at=None)
    if not alone:
        return Proposals(known=known)
    if max(len(alone), in_use.count()) > MOST:
        return Proposals(known=known, searched=False)
    there, never = kept(bank), refused(bank)
    questions = dict(alone)
    by_language: dict[str, list[int]] = defaultdict(list)
    for number, one in alone:
        by_language[only_language(one)].append(number)
    twins: dict[int, LanguageMatch] = {}
    alike: dict[int, LanguageMatch] = {}
    for language, numbers in by_language.items():
        mine = [(number, questions[number]) for number in numbers]
        twins.update(_aligned(mine, language, [one for one in there if not one.speaks(language)]))
        alike.update(_aligned(mine, language, [one for one in there if one.speaks(language)]))
    allowed = {
        number: twin
        for number, twin in twins.items()
        if not any((twin.name, made) in never for made in told_fingerprints(questions[number]))
    }
    return Proposals(allowed, alike, known)


def confirmed(bank: Bank, number: int, question: ParsedQuestion, name: str) -> LanguageMatch:
    """Give the twin that a person confirmed, whether it was proposed or not.

    One that is gone, of another kind, or that has the language by now: Conflict.
    """
    language, found = only_language(question), next(iter(kept(bank, [name])), None)
    if found is None or not language or _differs(found, question) or found.speaks(language):
        raise Conflict("twin_gone", question=name, number=number)
    here, there = told_side(question, language), found.side()
    pair = next(iter(align([here], [there], least=0)), Pair(0, 0, 0.0))
    return _twin(question, language, found, replace(pair, rows=pair_rows(here, there)))


def _aligned(
    questions: Numbered, language: str, others: Sequence[Kept]
) -> Iterator[tuple[int, LanguageMatch]]:
    mine = [told_side(one, language) for _, one in questions] if others else []
    theirs = [one.side(language if one.speaks(language) else "") for one in others]
    for pair in align(mine, theirs):
        number, question = questions[pair.left]
        yield number, _twin(question, language, others[pair.right], pair)


def _twin(question: ParsedQuestion, language: str, other: Kept, pair: Pair) -> LanguageMatch:
    twin = LanguageMatch(
        other.name, language, pair.confidence, pair.reasons, pair.rows, held=other.item
    )
    if other.speaks(language):
        return twin
    told = told_item(question, language)
    joined = join(other.item, told, language, twin.ids, other.names)
    return replace(twin, key=joined.key, left_out=joined.left_out)


def _known(bank: Bank, told: Numbered) -> Iterator[tuple[int, LanguageMatch]]:
    """Give the twins that persons confirmed before, as far as they still can be."""
    names = decided(bank, told)
    found = {one.name: one for one in kept(bank, names.values())} if names else {}
    for number, one in told:
        other, language = found.get(names.get(number, "")), only_language(one)
        if other and language and not _differs(other, one):
            there = other.side(language if other.speaks(language) else "")
            rows = pair_rows(told_side(one, language), there)
            yield number, LanguageMatch(other.name, language, 1.0, rows=rows, known=True)


def _differs(other: Kept, question: ParsedQuestion) -> bool:
    return other.item.kind != question.kind
