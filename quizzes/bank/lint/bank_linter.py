"""A whole bank: what was found in its questions, and what only shows when they are together."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from quizzes.bank.lint import duplicates, key_bias, media_files
from quizzes.bank.lint.findings import Finding, by_severity
from quizzes.bank.lint.question_linter import LintResult, name_findings


def combine_findings(
    bank: Mapping[str, LintResult],
    labels: Mapping[str, str] | None = None,
    unused: Collection[str] = (),
) -> tuple[Finding, ...]:
    """Return the findings of a bank: those of it all, then question after question.

    `labels` are its files, name → label, and `unused` those that no published version shows;
    without `labels` nothing is said of files.
    """
    question_files = {name: question.files for name, question in bank.items()}
    of_files = (
        ()
        if labels is None
        else tuple(media_files.check_media_files(question_files, labels, unused))
    )
    of_all = (
        *key_bias.check_key_bias(question.right for question in bank.values()),
        *_find_untranslated(bank),
        *of_files,
    )
    of_bank = (finding for finding in of_all if not finding.question)
    of_questions = chain(
        _iter_question_findings(bank), (finding for finding in of_all if finding.question)
    )
    return (*of_bank, *_sort_by_question(bank, of_questions))


def _iter_question_findings(bank: Mapping[str, LintResult]) -> Iterator[Finding]:
    """Return what was found in each question, and which it is a twin of."""
    own = chain.from_iterable(name_findings(question, name) for name, question in bank.items())
    alike = duplicates.check_duplicates({name: question.texts for name, question in bank.items()})
    return _sort_by_question(bank, chain(own, alike))


def _sort_by_question(bank: Iterable[str], findings: Iterable[Finding]) -> Iterator[Finding]:
    listed: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        listed[finding.question].append(finding)
    for name in bank:
        yield from sorted(listed[name], key=by_severity)


def _find_untranslated(bank: Mapping[str, LintResult]) -> Iterator[Finding]:
    """Find questions without a language that more than half of the bank is in."""
    often = Counter(language for question in bank.values() for language in question.languages)
    usual = sorted(language for language, n in often.items() if n * 2 > len(bank))
    for name, question in bank.items():
        for language in usual:
            if language not in question.languages:
                yield Finding("no_translation", name, language, figures={"language": language})
