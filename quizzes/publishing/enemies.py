"""Enemies: questions of which an attempt asks at most one, because each gives another away.

The draft names tags; questions that share one of these are enemies. It also has sets of questions
that were picked one by one. A question is in one set at most, so that whether all draws can be
served stays a matter of counting (ADR 55).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grading.contract import Problem
from quizzes.bank.models import Question
from quizzes.lib.tag_names import parse_tag_names

PICKED = "+"
"""With it begins the name of a set that was picked; no tag has it."""


@dataclass(frozen=True, slots=True)
class Enemies:
    """Which questions are enemies: `tags_by_question` has the sets that they are in, by name.

    The name of a set is its tag; of one that was picked, `PICKED` and the least of its ids.
    """

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
                names = [name for name in own if not name.startswith(PICKED)]
                detail = {"question": self.names[question], "tags": ", ".join(names)}
                code = "enemy_tags_overlap" if len(names) == len(own) else "enemies_overlap"
                yield Problem("enemy_tags", code, detail)
        different = {question for _, question in fixed}
        counts = Counter(map(self.find_set, different))
        for place, question in fixed:
            tag = self.find_set(question)
            if not tag or counts[tag] == 1:
                continue
            detail = {"question": self.names[question], "tag": tag}
            if tag.startswith(PICKED):
                others = [pk for pk in different if pk != question and self.find_set(pk) == tag]
                detail["others"] = "\n".join(self.names[other] for other in sorted(others))
                yield Problem(place, "picked_enemies_together", detail)
            else:
                yield Problem(place, "enemies_together", detail)


NO_ENEMIES = Enemies()


def merge_enemies(picked: Iterable[Iterable[int]]) -> list[list[int]]:
    """Return sets of ids as disjoint ones: those that share a question become one set."""
    merged: list[set[int]] = []
    for questions in picked:
        own = set(questions)
        for other in [other for other in merged if other & own]:
            own |= other
            merged.remove(other)
        merged.append(own)
    return [sorted(own) for own in merged if len(own) > 1]


def load_enemies(
    enemy_tags: str, questions: Iterable[int], picked: Iterable[Sequence[int]] = ()
) -> Enemies:
    """Return which of these questions are enemies in a draft: at most two queries.

    `enemy_tags`: as the author typed them. `picked`: disjoint sets of ids.
    """
    tag_names = parse_tag_names(enemy_tags)
    sets = {question: (f"{PICKED}{min(own)}",) for own in picked for question in own}
    if not tag_names and not sets:
        return NO_ENEMIES
    questions = set(questions)
    tags_by_question = {pk: own for pk, own in sets.items() if pk in questions}
    names: dict[int, str] = dict(
        Question.objects.filter(pk__in=tags_by_question).values_list("pk", "name")
    )
    rows = Question.tags.through.objects.filter(tag__name__in=tag_names, question__in=questions)
    for question, name, tag in rows.order_by("question", "tag__name").values_list(
        "question", "question__name", "tag__name"
    ):
        tags_by_question[question] = (*tags_by_question.get(question, ()), tag)
        names[question] = name
    return Enemies(tag_names, tags_by_question, names)
