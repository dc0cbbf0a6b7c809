"""Sets of questions that never come together, as the composer's form has them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from accounts.models import User
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.bank.models import Question
from quizzes.lib.number_parsing import parse_count
from quizzes.publishing.composition import MAX_SLOTS
from quizzes.publishing.enemies import merge_enemies


@dataclass(frozen=True, slots=True)
class EnemyRow:
    """A set: `value` is what the form sends, `names` are its questions, each with whether asked."""

    value: str
    names: Sequence[tuple[str, bool]]
    is_removed: bool


def write_enemies(questions: Sequence[int]) -> str:
    """Return a set as its control has it: "3,8"."""
    return ",".join(map(str, questions))


def read_enemies(values: Sequence[str]) -> list[list[int]]:
    """Return the sets of a form; what is no id is left out."""
    sets = [
        [parse_count(pk, maximum=2**31) for pk in value.split(",")[:MAX_SLOTS]]
        for value in values[:MAX_SLOTS]
    ]
    return merge_enemies([pk for pk in own if pk] for own in sets)


def drop_unusable(
    enemies: Sequence[Sequence[int]], before: Collection[int], *, person: User
) -> list[list[int]]:
    """Return the sets without what is new in the quiz and not open to this person, or retired.

    `before`: the questions that the quiz names as it is stored. A query if there are others.
    """
    pks = {pk for enemy_set in enemies for pk in enemy_set}
    usable = set(before)
    if fresh := pks.difference(before):
        visible = questions_whose_keys_are_visible_to(person)
        usable.update(visible.filter(pk__in=fresh, retired_at=None).values_list("pk", flat=True))
    return merge_enemies([pk for pk in enemy_set if pk in usable] for enemy_set in enemies)


def list_remaining(enemies: Sequence[Sequence[int]], post: QueryDict) -> list[list[int]]:
    """Return the sets that are not to be removed."""
    removed = post.getlist("enemies-removed")
    return [list(own) for own in enemies if write_enemies(own) not in removed]


def load_enemy_rows(
    enemies: Sequence[Sequence[int]], post: QueryDict, askable: Collection[int]
) -> list[EnemyRow]:
    """Return the sets with the names of their questions; a query if there are any."""
    pks = {pk for own in enemies for pk in own}
    names = dict(Question.objects.filter(pk__in=pks).values_list("pk", "name")) if pks else {}
    return [
        EnemyRow(
            value := write_enemies(own),
            [(names[pk], pk in askable) for pk in own if pk in names],
            value in post.getlist("enemies-removed"),
        )
        for own in enemies
    ]
