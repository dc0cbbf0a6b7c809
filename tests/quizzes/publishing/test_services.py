"""Publishing a quiz: what stands in the way, and what is frozen."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from quizzes.bank import services as banks
from quizzes.bank.models import Bank, Question, Tag
from quizzes.document import QuestionDocument
from quizzes.events.models import Event
from quizzes.lib.errors import Invalid
from quizzes.presentation.messages.quiz_problems import list_sentences
from quizzes.publishing import services
from quizzes.publishing.blueprint import draw
from quizzes.publishing.enemies import merge_enemies
from quizzes.publishing.models import (
    PoolCandidate,
    Quiz,
    QuizVersion,
    QuizVersionItem,
    Section,
    Slot,
)
from quizzes.publishing.planned_version import build_draft_policies, plan_quiz_version
from quizzes.publishing.policies import Policies
from quizzes.publishing.selectors import load_quiz_version
from tests.factories import NOW, create_bank, create_question, publish_change

pytestmark = pytest.mark.django_db


@pytest.fixture
def into(users) -> Bank:
    return create_bank(users)


def draft(users, *slots: dict[str, Any], **fields) -> Quiz:
    quiz = Quiz.objects.create(
        **{"slug": "draft", "title": {"en": "A draft"}, "group": users.group, **fields}
    )
    section = Section.objects.create(quiz=quiz)
    for position, slot in enumerate(slots):
        Slot.objects.create(section=section, position=position, **slot)
    return quiz


def found(of: Quiz) -> list[str]:
    return [problem.code for problem in plan_quiz_version(of)[1]]


def test_what_can_be_published_has_no_problems(users, into):
    assert found(draft(users, {"question": create_question(into, "one")})) == []


def test_a_quiz_needs_a_title_in_its_own_language(users, into):
    of = draft(users, {"question": create_question(into, "one")}, title={"es": "Sí", "en": " "})
    assert found(of) == ["missing_text"]


def test_a_quiz_needs_questions(users):
    assert found(draft(users)) == ["no_questions"]


def test_a_quiz_needs_points_to_earn(users, into):
    assert found(draft(users, {"question": create_question(into, "one"), "points": 0})) == [
        "no_points"
    ]


def test_a_question_must_be_published_before_its_quiz(users, into):
    item = QuestionDocument("multiple_choice", "halves")
    question = banks.add_question(bank=into, name="raw", item=item, by=None)
    assert found(draft(users, {"question": question})) == ["question_not_published"]


def test_a_question_stands_once(users, into):
    question = create_question(into, "one")
    assert (
        found(draft(users, {"question": question}, {"question": question}))
        == ["question_twice"] * 2
    )


def test_a_scoring_method_must_exist(users, into):
    of = draft(users, {"question": create_question(into, "one")}, scoring_method="generous")
    assert found(of) == ["unknown_scoring_method"]


def test_weights_for_all_need_weights_in_each_multiple_choice(users, into):
    first, other = (
        create_question(into, "one"),
        create_question(into, "two", right="b", kind="single_choice"),
    )
    of = draft(users, {"question": first}, {"question": other}, scoring_method="option_weights")
    problem = plan_quiz_version(of)[1][0]
    assert (problem.code, problem.detail) == ("weights_missing", {"question": "one"})
    assert found(of) == ["weights_missing"]


# --- Pools -----------------------------------------------------------------------------------
def test_a_pool_must_be_large_enough(users, into):
    for name in "ab":
        create_question(into, name)
    assert found(draft(users, {"pool_bank": into, "draw": 2})) == []
    of = draft(users, {"pool_bank": into, "draw": 3}, slug="more")
    assert plan_quiz_version(of)[1][0].detail == {
        "names": "3 × Bank",
        "needed": 3,
        "available": 2,
    }


def test_a_pool_does_not_count_what_stands_fixed(users, into):
    question, _ = create_question(into, "a"), create_question(into, "b")
    assert found(draft(users, {"question": question}, {"pool_bank": into, "draw": 2})) == [
        "pool_too_small"
    ]


def test_pools_that_overlap_must_serve_each_other_too(users, into):
    for name in "abc":
        create_question(into, name)
    pool = {"pool_bank": into, "draw": 2}
    assert found(draft(users, pool, pool)) == ["pools_too_small"] * 2


# --- Enemies ---------------------------------------------------------------------------------
@pytest.fixture
def enemies(into):
    """Four questions: two tagged `x`, which are enemies where a quiz says so, and two others."""
    questions = [create_question(into, name) for name in "abcd"]
    for question in questions[:2]:
        banks.set_tags(question=question, names=["x"], by=None)
    return questions


def test_of_enemies_a_draw_counts_one(users, into, enemies):
    pool = {"pool_bank": into, "draw": 3}
    assert found(draft(users, pool, enemy_tags="x")) == []
    of = draft(users, {**pool, "draw": 4}, enemy_tags="x", slug="more")
    assert plan_quiz_version(of)[1][0].detail["available"] == 3
    assert found(draft(users, {**pool, "draw": 4}, slug="without")) == []


def test_a_draw_leaves_out_the_enemies_of_what_stands_fixed(users, into, enemies):
    slots = {"question": enemies[0]}, {"pool_bank": into, "draw": 3}
    assert found(draft(users, *slots, enemy_tags="x")) == ["pool_too_small"]
    assert found(draft(users, *slots, slug="without")) == []


def test_enemies_are_not_fixed_side_by_side(users, enemies):
    slots = [{"question": question} for question in enemies]
    of = draft(users, *slots, enemy_tags="x")
    problems = plan_quiz_version(of)[1]
    assert [problem.code for problem in problems] == ["enemies_together"] * 2
    assert [problem.detail["question"] for problem in problems] == ["a", "b"]


def test_a_tag_that_makes_no_enemies_is_named(users, into, enemies):
    of = draft(users, {"pool_bank": into, "draw": 2}, enemy_tags="x, mistyped")
    problem = plan_quiz_version(of)[1][0]
    assert (problem.where, problem.code) == ("enemy_tags", "enemy_tag_unused")
    assert problem.detail == {"tag": "mistyped"}


def test_a_question_is_in_one_set_of_enemies(users, into, enemies):
    banks.set_tags(question=enemies[1], names=["x", "y"], by=None)
    of = draft(users, {"pool_bank": into, "draw": 2}, enemy_tags="x y")
    problem = plan_quiz_version(of)[1][0]
    assert (problem.code, problem.detail) == (
        "enemy_tags_overlap",
        {"question": "b", "tags": "x, y"},
    )


def test_questions_that_were_picked_never_come_together(users, into, enemies):
    picked = [[question.pk for question in enemies[:2]]]
    pool = {"pool_bank": into, "draw": 3}
    assert found(draft(users, {**pool, "draw": 4}, enemies=picked)) == ["pool_too_small"]
    beside = [{"question": enemies[0]}, pool]
    assert found(draft(users, *beside, enemies=picked, slug="beside")) == ["pool_too_small"]
    of = draft(users, pool, enemies=picked, slug="drawn")
    version = services.publish(quiz=of, by=users.instructor, now=NOW, accepted_attempt=1)
    items = load_quiz_version(version).items
    pair = {str(question.pk) for question in enemies[:2]}
    for seed in range(20):
        drawn = {question.candidate.question for question in draw(items, seed=str(seed))}
        assert len(drawn) == 3
        assert not pair <= drawn


def test_questions_that_were_picked_are_not_fixed_side_by_side(users, enemies):
    slots = [{"question": question} for question in enemies]
    of = draft(users, *slots, enemies=[[question.pk for question in enemies[1:3]]])
    problems = plan_quiz_version(of)[1]
    rest = "and of these an attempt asks at most one. Draw one of them, or take one out."
    assert list_sentences(problems) == [
        f"“b” stands fixed beside “c”, {rest}",
        f"“c” stands fixed beside “b”, {rest}",
    ]


def test_a_question_is_not_picked_and_tagged_as_an_enemy(users, into, enemies):
    picked = [[question.pk for question in enemies[1:3]]]
    of = draft(users, {"pool_bank": into, "draw": 2}, enemy_tags="x", enemies=picked)
    problem = plan_quiz_version(of)[1][0]
    assert (problem.code, problem.detail) == ("enemies_overlap", {"question": "b", "tags": "x"})


def test_sets_that_share_a_question_become_one():
    assert merge_enemies([[1, 2], [3, 4], [5], [4, 2], [7, 6]]) == [[1, 2, 3, 4], [6, 7]]


def test_enemies_are_frozen_with_the_version(users, into, enemies):
    of = draft(users, {"pool_bank": into, "draw": 3}, enemy_tags="x")
    first = services.publish(quiz=of, by=users.instructor, now=NOW, accepted_attempt=1)
    banks.set_tags(question=enemies[2], names=["x"], by=None)
    items = load_quiz_version(first).items
    assert [candidate.enemy_set for candidate in items[0].candidates] == ["x", "x", "", ""]
    assert len(draw(items, seed="1")) == 3
    of.enemy_tags = ""
    of.save()
    assert services.publish(quiz=of, by=users.instructor, now=NOW, accepted_attempt=1) != first


def test_draws_that_overlap_in_part_are_published_and_always_drawn_in_full(users, into):
    tags = {"a": ["x"], "b": ["x", "y"], "c": ["x", "y"], "d": ["y"]}
    for name, names in tags.items():
        question = create_question(into, name)
        banks.set_tags(question=question, names=names, by=None)
    pools = ({"pool_bank": into, "pool_tag": Tag.objects.get(name=tag), "draw": 2} for tag in "xy")
    of = draft(users, *pools)
    assert found(of) == []
    quiz_version = services.publish(quiz=of, by=users.instructor, now=NOW, accepted_attempt=1)
    items = load_quiz_version(quiz_version).items
    for seed in range(20):
        drawn = [picked.candidate.question for picked in draw(items, seed=str(seed))]
        assert len(drawn) == len(set(drawn)) == 4


def test_pools_of_different_banks_do_not_meet(users, into):
    other = create_bank(users, "other")
    create_question(into, "a")
    create_question(other, "a")
    assert found(draft(users, {"pool_bank": into}, {"pool_bank": other})) == []


def test_a_pool_holds_what_is_published_not_retired_and_has_the_tag(users, into):
    question_by_name = {name: create_question(into, name) for name in "abcd"}
    for name in "abc":
        banks.set_tags(question=question_by_name[name], names=["gpu", "cost"], by=None)
    banks.retire(question=question_by_name["c"], by=None, now=NOW)
    of = draft(users, {"pool_bank": into, "pool_tag": question_by_name["a"].tags.get(name="gpu")})
    quiz_version = services.publish(quiz=of, by=None, now=NOW)
    pool = PoolCandidate.objects.filter(item__quiz_version=quiz_version)
    assert [candidate.version.question.name for candidate in pool] == ["a", "b"]


# --- Freezing --------------------------------------------------------------------------------
def card(into: Bank) -> Question:
    """Publish a card for study."""
    item = QuestionDocument(
        "flashcard",
        "study",
        words={"en": {"prompt": "Front"}},
        feedback={"en": {"back": "Back"}},
    )
    question = banks.add_question(bank=into, name="card", item=item, by=None)
    banks.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def test_a_card_for_study_is_worth_nothing_whatever_its_slot_says(users, into):
    of = draft(
        users,
        {"question": card(into), "points": 5},
        {"question": create_question(into, "one"), "points": 2},
    )
    quiz_version = services.publish(quiz=of, by=users.instructor, now=NOW, accepted_attempt=1)
    assert quiz_version.maximum == 2
    assert [item.points_numerator for item in quiz_version.items.order_by("position")] == [0, 2]


def test_a_quiz_of_cards_alone_cannot_be_passed_and_so_not_published(users, into):
    assert found(draft(users, {"question": card(into)})) == ["no_points"]


def test_a_pool_does_not_mix_cards_with_what_is_graded(users, into):
    card(into)
    create_question(into, "one")
    fixed = create_question(create_bank(users, "other"), "two")
    assert found(draft(users, {"pool_bank": into, "draw": 1}, {"question": fixed})) == [
        "pool_mixes_graded"
    ]


def test_an_quiz_version_freezes_policies_points_and_pass_mark(users, into):
    of = draft(
        users,
        {"question": create_question(into, "one"), "points": Decimal("0.3333")},
        {"pool_bank": into, "draw": 1, "points": 2},
        pass_percent=Decimal("33.3333"),
        max_attempts=4,
        reveal_key="never",
    )
    create_question(into, "two")
    quiz_version = services.publish(quiz=of, by=users.instructor, now=NOW, accepted_attempt=1)
    assert quiz_version.threshold == Fraction(333333, 1000000)
    assert quiz_version.maximum == Fraction(23333, 10000)
    assert quiz_version.question_count == 2
    assert quiz_version.published_by == users.instructor
    frozen = Policies.from_json(quiz_version.policies)
    assert frozen == build_draft_policies(of)
    assert (frozen.max_attempts, frozen.reveal.key) == (4, "never")


def test_the_pass_mark_is_eighty_per_cent_unless_said_otherwise(users, into):
    quiz_version = services.publish(
        quiz=draft(users, {"question": create_question(into, "one")}), by=None, now=NOW
    )
    assert quiz_version.threshold == Fraction(4, 5)


def test_problems_are_told_together_and_nothing_is_written(users):
    with pytest.raises(Invalid) as raised:
        services.publish(quiz=draft(users, title={}, scoring_method="generous"), by=None, now=NOW)
    assert raised.value.code == "draft_has_problems"
    assert len(raised.value.detail["problems"]) == 3
    assert not QuizVersion.objects.exists()
    assert not QuizVersionItem.objects.exists()


def test_publishing_the_same_twice_gives_the_same_quiz_version(users, a_quiz):
    again = services.publish(quiz=a_quiz, by=None, now=NOW)
    assert again == a_quiz.current
    assert QuizVersion.objects.count() == 1
    assert Event.objects.filter(kind="quiz.published").count() == 1


def test_a_change_makes_the_next_quiz_version_and_leaves_the_last_one(users, a_quiz):
    before = a_quiz.current
    a_quiz.pass_percent = 50
    a_quiz.save()
    after = services.publish(quiz=a_quiz, by=None, now=NOW)
    assert (before.number, after.number) == (1, 2)
    before.refresh_from_db()
    assert before.threshold == Fraction(4, 5)
    assert after.threshold == Fraction(1, 2)


def test_a_new_version_of_a_question_makes_a_new_quiz_version(users, a_quiz, questions):
    publish_change(questions[0], shuffle=False)
    assert services.publish(quiz=a_quiz, by=None, now=NOW).number == 2


def test_an_author_with_an_old_page_cannot_make_a_number_twice(users, a_quiz):
    stale = Quiz.objects.get(pk=a_quiz.pk)
    a_quiz.pass_percent = 50
    a_quiz.save()
    services.publish(quiz=a_quiz, by=None, now=NOW)
    stale.pass_percent = 60
    stale.save()  # takes `current` back to the first quiz version
    assert services.publish(quiz=stale, by=None, now=NOW).number == 3


def test_a_retired_quiz_is_back_when_published_again(users, a_quiz):
    services.retire(quiz=a_quiz, by=None, now=NOW)
    a_quiz.refresh_from_db()
    assert a_quiz.retired_at == NOW
    services.publish(quiz=a_quiz, by=None, now=NOW)
    a_quiz.refresh_from_db()
    assert a_quiz.retired_at is None


def test_weights_too_fine_to_be_added_up_are_refused_before_anyone_is_graded(users, into):
    question = create_question(into, "fine", right="a", options="ab", kind="single_choice")
    key = question.draft.data["key"]
    first, second = (option["id"] for option in question.draft.data["content"]["options"])
    for power, codes in ((500, []), (501, ["denominator_too_large"])):
        weights = {first: [1, 1], second: [1, 10**power]}
        item = replace(
            QuestionDocument.from_json(question.draft.data),
            scoring_method="option_weights",
            key={**key, "weights": weights},
        )
        banks.save_draft(question=question, item=item, revision=None, by=None)
        banks.publish(question=question, by=None, now=NOW)
        question.refresh_from_db()
        of = draft(users, {"question": question}, slug=f"draft-{power}")
        assert found(of) == codes
