"""A whole bank: what was found in its questions, and what only shows when they are together."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from quizzes.bank.lint import files, habits, twins
from quizzes.bank.lint.findings import Finding, gravest_first
from quizzes.bank.lint.looking import Looked, named


def gather(
    bank: Mapping[str, Looked], kept: Mapping[str, str] | None = None, free: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Give the findings of a bank: those of it all, then question after question.

    `kept` are its files, name → label, and `free` those that no published version shows; without
    `kept` nothing is said of files.
    """
    shown = {name: one.files for name, one in bank.items()}
    of_files = () if kept is None else tuple(files.check(shown, kept, free))
    of_all = (*habits.check(one.right for one in bank.values()), *_untranslated(bank), *of_files)
    of_bank = (found for found in of_all if not found.question)
    of_questions = chain(with_twins(bank), (found for found in of_all if found.question))
    return (*of_bank, *_in_order(bank, of_questions))


def with_twins(bank: Mapping[str, Looked]) -> Iterator[Finding]:
    """Give what was found in each question, and which it is a twin of."""
    own = chain.from_iterable(named(one, name) for name, one in bank.items())
    alike = twins.check({name: one.said for name, one in bank.items()})
    return _in_order(bank, chain(own, alike))


def _in_order(bank: Iterable[str], found: Iterable[Finding]) -> Iterator[Finding]:
    listed: dict[str, list[Finding]] = defaultdict(list)
    for one in found:
        listed[one.question].append(one)
    for name in bank:
        yield from sorted(listed[name], key=gravest_first)


def _untranslated(bank: Mapping[str, Looked]) -> Iterator[Finding]:
    """Find questions without a language that more than half of the bank is in."""
    often = Counter(language for one in bank.values() for language in one.languages)
    usual = sorted(language for language, n in often.items() if n * 2 > len(bank))
    for name, one in bank.items():
        for language in usual:
            if language not in one.languages:
                yield Finding("no_translation", name, language, figures={"language": language})
