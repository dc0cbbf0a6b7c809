"""Questions that a bank has twice, or nearly: each is held against few others."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from quizzes.bank.lint.findings import Finding
from quizzes.bank.lint.parts import Parts

RUN: Final = 3
"""Words that follow one another are compared by so many."""
ALIKE: Final = 0.8
COMMON: Final = 25
"""A run of words in more questions than this tells none apart."""
TELLING: Final = 8
"""Words of a prompt; shorter ones ("What is printed?") are asked of many things."""

Runs = set[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Said:
    """What a question says in its source language, bare of case and marks: prompt, and rows."""

    language: str
    prompt: str
    rows: tuple[str, ...]

    @property
    def runs(self) -> Runs:
        """All runs of words, those of the rows apart from one another."""
        return {run for text in (self.prompt, *self.rows) for run in _runs(text.split())}


def said_in(parts: Parts) -> Said:
    """Return the texts of a question, bare of case and marks."""
    language = parts.item.source_language
    rows = sorted(_bare(parts.said(language, slot)) for slot in parts.places[1:] if slot.required)
    return Said(language, _bare(parts.prompt()), tuple(rows))


def check(bank: Mapping[str, Said]) -> Iterator[Finding]:
    """Name each question that was there before, with the first, or the one most like it."""
    first_by_texts: dict[Said, str] = {}
    first_by_prompt: dict[tuple[str, str], str] = {}
    nearby = _Nearby()
    for name, texts in bank.items():
        if not texts.prompt:
            continue
        first = first_by_texts.setdefault(texts, name)
        if first != name:
            yield _twin("duplicate", name, texts, first)
            continue
        before = first_by_prompt.setdefault((texts.language, texts.prompt), name)
        near = nearby.most_alike(name, texts)
        if near:
            yield _twin("near_duplicate", name, texts, near)
        elif before != name and len(texts.prompt.split()) >= TELLING:
            yield _twin("same_prompt", name, texts, before)


class _Nearby:
    """Finds among the questions seen so far the one that shares most runs of words."""

    def __init__(self) -> None:
        self._holding: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._sizes: dict[str, int] = {}

    def most_alike(self, name: str, texts: Said) -> str:
        """Return the name of one that says nearly the same, "" for none; then remember this one."""
        runs = texts.runs
        shared = Counter(other for run in runs for other in self._holding.get(run, ()))
        best = max(shared, key=lambda other: self._likeness(shared[other], runs, other), default="")
        alike = best and self._likeness(shared[best], runs, best) >= ALIKE
        self._sizes[name] = len(runs)
        for run in runs:
            if len(self._holding[run]) < COMMON:
                self._holding[run].append(name)
        return best if alike else ""

    def _likeness(self, common: int, runs: Runs, other: str) -> float:
        return common / (len(runs) + self._sizes[other] - common)


def _twin(code: str, name: str, texts: Said, of: str) -> Finding:
    return Finding(code, name, texts.language, figures={"of": of})


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+|[^\w\s.,;:!?¿¡\"'“”‘’]+", text.casefold()))


def _runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    for at in range(max(1, len(words) - RUN + 1) if words else 0):
        yield tuple(words[at : at + RUN])
