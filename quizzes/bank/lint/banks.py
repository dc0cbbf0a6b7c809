"""A whole bank: what was found in its questions, and what only shows when they are together."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from quizzes.bank.lint import files, habits, twins
from quizzes.bank.lint.findings import Finding, gravest_first
from quizzes.bank.lint.looking import Looked, named


def gather(
    bank: Mapping[str, Looked], labels: Mapping[str, str] | None = None, free: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return the findings of a bank: those of it all, then question after question.

    `labels` are its files, name → label, and `free` those that no published version shows; without
    `labels` nothing is said of files.
    """
    question_files = {name: question.files for name, question in bank.items()}
    of_files = () if labels is None else tuple(files.check(question_files, labels, free))
    of_all = (
        *habits.check(question.right for question in bank.values()),
        *_untranslated(bank),
        *of_files,
    )
    of_bank = (finding for finding in of_all if not finding.question)
    of_questions = chain(with_twins(bank), (finding for finding in of_all if finding.question))
    return (*of_bank, *_in_order(bank, of_questions))


def with_twins(bank: Mapping[str, Looked]) -> Iterator[Finding]:
    """Return what was found in each question, and which it is a twin of."""
    own = chain.from_iterable(named(question, name) for name, question in bank.items())
    alike = twins.check({name: question.texts for name, question in bank.items()})
    return _in_order(bank, chain(own, alike))


def _in_order(bank: Iterable[str], findings: Iterable[Finding]) -> Iterator[Finding]:
    listed: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        listed[finding.question].append(finding)
    for name in bank:
        yield from sorted(listed[name], key=gravest_first)


def _untranslated(bank: Mapping[str, Looked]) -> Iterator[Finding]:
    """Find questions without a language that more than half of the bank is in."""
    often = Counter(language for question in bank.values() for language in question.languages)
    usual = sorted(language for language, n in often.items() if n * 2 > len(bank))
    for name, question in bank.items():
        for language in usual:
            if language not in question.languages:
                yield Finding("no_translation", name, language, figures={"language": language})
