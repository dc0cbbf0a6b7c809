"""Reading editions: frozen, so read once and kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from uuid import UUID

from django.db.models import CharField

from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.publishing.blueprint import Choice, Place
from quizzes.publishing.models import Candidate, Edition, Quiz
from quizzes.publishing.policies import Policies


@dataclass(frozen=True, slots=True)
class Published:
    """An edition in plain values, with what its places may draw."""

    id: int
    uuid: UUID
    quiz_id: int
    number: int
    title: Mapping[str, str]
    intro: Mapping[str, str]
    source_language: str
    policies: Policies
    threshold: Fraction
    maximum: Fraction
    question_count: int
    places: tuple[Place, ...]

    @property
    def draws(self) -> bool:
        """Whether any place leaves a choice, so that two papers may differ in their questions."""
        return any(place.draw < len(place.choices) for place in self.places)

    @property
    def scoring_methods(self) -> tuple[str, ...]:
        """The scoring methods of its questions, each once, in order of appearance."""
        scoring_methods = (
            effective_scoring_method(choice, self.policies)
            for place in self.places
            for choice in place.choices
        )
        return tuple(dict.fromkeys(scoring_methods))


def effective_scoring_method(choice: Choice, policies: Policies) -> str:
    """Return how this question is scored: the quiz's way for multiple choice if it has one."""
    if choice.kind == "multiple_choice" and policies.scoring_method:
        return policies.scoring_method
    return choice.scoring_method


_editions: FrozenCache[UUID, Published] = FrozenCache(500)


def published(edition: Edition) -> Published:
    """Return the edition in plain values; two queries the first time, then none."""
    return _editions.get_many([edition.uuid], lambda _: {edition.uuid: _load(edition)})[
        edition.uuid
    ]


def _load(edition: Edition) -> Published:
    return Published(
        id=edition.pk,
        uuid=edition.uuid,
        quiz_id=edition.quiz_id,
        number=edition.number,
        title=edition.title,
        intro=edition.intro,
        source_language=edition.source_language,
        policies=Policies.from_json(edition.policies),
        threshold=edition.threshold,
        maximum=edition.maximum,
        question_count=edition.question_count,
        places=_places(edition),
    )


def _places(edition: Edition) -> tuple[Place, ...]:
    choices: dict[int, list[Choice]] = {}
    rows = Candidate.objects.filter(item__edition=edition).select_related("version__question")
    for row in rows.order_by("pk"):
        version = row.version
        choices.setdefault(row.item_id, []).append(
            Choice(
                str(version.uuid),
                str(version.question.uuid),
                version.kind,
                version.scoring_method,
                version.content,
            )
        )
    return tuple(
        Place(
            item.section,
            item.draw,
            Fraction(item.points_numerator, item.points_denominator),
            tuple(choices.get(item.pk, ())),
        )
        for item in edition.items.order_by("position")
    )


def uuid_of(slug: str) -> UUID | None:
    """Return the id of the quiz with this short name; who may take it is decided elsewhere."""
    return _UUIDS.first(slug)


_UUIDS: PreparedQuery[UUID] = PreparedQuery(
    lambda slug: Quiz.objects.filter(slug=slug).values_list("uuid", flat=True), CharField()
)
