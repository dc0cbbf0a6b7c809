"""Enemies: questions of which an attempt asks at most one, because each gives another away.

The draft names tags; questions that share one of these are enemies. A question is in one set at
most, so that whether all draws can be served stays a matter of counting (ADR 55).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grading.contract import Problem
from quizzes.bank.models import Question
from quizzes.lib.tag_names import parse_tag_names


@dataclass(frozen=True, slots=True)
class Enemies:
    """Which questions are enemies: `tags_by_question` has the tags that make them so, by name."""

    tag_names: tuple[str, ...] = ()
    tags_by_question: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    def find_set(self, question: int) -> str:
        """Return the set that a question is in; empty if none."""
        return next(iter(self.tags_by_question.get(question, ())), "")

    def choose_representatives(self, questions: Iterable[int]) -> dict[int, int]:
        """Return for each question the one that stands for it and all its enemies among them."""
        first: dict[str, int] = {}
        return {
            question: first.setdefault(own, question)
            if (own := self.find_set(question))
            else question
            for question in sorted(questions)
        }

    def list_problems(self, fixed: Sequence[tuple[str, int]]) -> Iterator[Problem]:
        """Name what cannot be: `fixed` are the places and questions that every attempt asks."""
        tags = {tag for own in self.tags_by_question.values() for tag in own}
        for tag in self.tag_names:
            if tag not in tags:
                yield Problem("enemy_tags", "enemy_tag_unused", {"tag": tag})
        for question, own in self.tags_by_question.items():
            if len(own) > 1:
                detail = {"question": self.names[question], "tags": ", ".join(own)}
                yield Problem("enemy_tags", "enemy_tags_overlap", detail)
        different = {question for _, question in fixed}
        counts = Counter(map(self.find_set, different))
        for place, question in fixed:
            tag = self.find_set(question)
            if tag and counts[tag] > 1:
                detail = {"question": self.names[question], "tag": tag}
                yield Problem(place, "enemies_together", detail)


NO_ENEMIES = Enemies()


def load_enemies(enemy_tags: str, questions: Iterable[int]) -> Enemies:
    """Return which of these questions are enemies by the tags of a draft; a query if there are any.

    `enemy_tags`: as the author typed them.
    """
    tag_names = parse_tag_names(enemy_tags)
    if not tag_names:
        return NO_ENEMIES
    tags_by_question: dict[int, tuple[str, ...]] = {}
    names: dict[int, str] = {}
    rows = Question.tags.through.objects.filter(
        tag__name__in=tag_names, question__in=set(questions)
    ).order_by("question", "tag__name")
    for question, name, tag in rows.values_list("question", "question__name", "tag__name"):
        tags_by_question[question] = (*tags_by_question.get(question, ()), tag)
        names[question] = name
    return Enemies(tag_names, tags_by_question, names)
