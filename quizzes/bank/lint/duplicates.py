"""Questions that a bank has twice, or nearly: each is held against few others."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from quizzes.bank.lint.findings import Finding
from quizzes.bank.lint.question_view import QuestionView

NGRAM_SIZE: Final = 3
"""Words that follow one another are compared by so many."""
MIN_SIMILARITY: Final = 0.8
MAX_NGRAM_USES: Final = 25
"""A run of words in more questions than this tells none apart."""
MIN_PROMPT_WORDS: Final = 8
"""Words of a prompt; shorter ones ("What is printed?") are asked of many things."""

Ngrams = set[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ComparableTexts:
    """What a question says in its source language, bare of case and marks: prompt, and rows."""

    language: str
    prompt: str
    rows: tuple[str, ...]

    @property
    def runs(self) -> Ngrams:
        """All runs of words, those of the rows apart from one another."""
        return {run for text in (self.prompt, *self.rows) for run in _iter_ngrams(text.split())}


def collect_texts(view: QuestionView) -> ComparableTexts:
    """Return the texts of a question, bare of case and marks."""
    language = view.document.source_language
    rows = sorted(
        _normalize(view.text_at(language, slot)) for slot in view.text_slots[1:] if slot.required
    )
    return ComparableTexts(language, _normalize(view.prompt()), tuple(rows))


def check_duplicates(bank: Mapping[str, ComparableTexts]) -> Iterator[Finding]:
    """Name each question that was there before, with the first, or the one most like it."""
    earlier = EarlierQuestions()
    for name, texts in bank.items():
        yield from earlier.check(name, texts)


class EarlierQuestions:
    """The questions seen so far, against which the next one is held."""

    def __init__(self) -> None:
        self._first_by_texts: dict[ComparableTexts, str] = {}
        self._first_by_prompt: dict[tuple[str, str], str] = {}
        self._nearby = _SimilarityIndex()

    def check(self, name: str, texts: ComparableTexts) -> Iterator[Finding]:
        """Name the earlier question that says the same, or nearly; then remember this one."""
        if not texts.prompt:
            return
        first = self._first_by_texts.setdefault(texts, name)
        if first != name:
            yield _duplicate("duplicate", name, texts, first)
            return
        before = self._first_by_prompt.setdefault((texts.language, texts.prompt), name)
        near = self._nearby.find_most_alike(name, texts)
        if near:
            yield _duplicate("near_duplicate", name, texts, near)
        elif before != name and len(texts.prompt.split()) >= MIN_PROMPT_WORDS:
            yield _duplicate("same_prompt", name, texts, before)


class _SimilarityIndex:
    """Finds among the questions seen so far the one that shares most runs of words."""

    def __init__(self) -> None:
        self._holding: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._sizes: dict[str, int] = {}

    def find_most_alike(self, name: str, texts: ComparableTexts) -> str:
        """Return the name of one that says nearly the same, "" for none; then remember this one."""
        runs = texts.runs
        shared = Counter(other for run in runs for other in self._holding.get(run, ()))
        best = max(shared, key=lambda other: self._likeness(shared[other], runs, other), default="")
        alike = best and self._likeness(shared[best], runs, best) >= MIN_SIMILARITY
        self._sizes[name] = len(runs)
        for run in runs:
            if len(self._holding[run]) < MAX_NGRAM_USES:
                self._holding[run].append(name)
        return best if alike else ""

    def _likeness(self, common: int, runs: Ngrams, other: str) -> float:
        return common / (len(runs) + self._sizes[other] - common)


def _duplicate(code: str, name: str, texts: ComparableTexts, other: str) -> Finding:
    return Finding(code, name, texts.language, figures={"of": other})


def _normalize(text: str) -> str:
    return " ".join(re.findall(r"\w+|[^\w\s.,;:!?¿¡\"'“”‘’]+", text.casefold()))


def _iter_ngrams(words: list[str]) -> Iterator[tuple[str, ...]]:
    for at in range(max(1, len(words) - NGRAM_SIZE + 1) if words else 0):
        yield tuple(words[at : at + NGRAM_SIZE])
