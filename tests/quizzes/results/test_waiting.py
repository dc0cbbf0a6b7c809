"""The queue without a door: what waits for whom, and what a marker may know of an answer."""

import pytest

from quizzes.lib.errors import NotFound
from quizzes.results.waiting import answers, paper_of, queue, reading, token_of
from tests.content import bank, quiz
from tests.essays import TEXT, by_hand, essay, hand_in, levels

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(cast):
    return essay(bank(cast), markers=2)


@pytest.fixture
def of(cast, asked):
    return quiz(cast, [asked], points=5)


@pytest.fixture
def written(cast, of):
    return hand_in(of, cast.learner)


def states(marker, of, asked) -> list[str]:
    return [one.state for one in answers(marker=marker, quiz=of.uuid, question=asked.uuid)]


def opened(marker, of, asked):
    [answer] = answers(marker=marker, quiz=of.uuid, question=asked.uuid)
    return reading(marker=marker, answer=answer)


def test_how_an_answer_stands_depends_on_who_looks(cast, of, asked, written):
    first, second, third = cast.instructor, cast.administrator, cast.instructor
    assert (states(first, of, asked), states(second, of, asked)) == (["to_mark"], ["to_mark"])
    by_hand(written, first, levels(2, 1))
    assert (states(first, of, asked), states(second, of, asked)) == (["elsewhere"], ["to_mark"])
    by_hand(written, second, levels(0, 0))
    assert (states(third, of, asked), states(second, of, asked)) == (["differing"], ["differing"])
    by_hand(written, second, levels(2, 1))
    assert states(first, of, asked) == states(second, of, asked) == ["done"]
    assert queue(first) == queue(second) == []


def test_a_marker_knows_of_others_only_after_their_own_mark(cast, of, asked, written):
    by_hand(written, cast.instructor, levels(2, 1), comment="Splendid")
    blind = opened(cast.administrator, of, asked)
    assert (blind.text, blind.own, blind.others) == (TEXT, None, ())
    mine = opened(cast.instructor, of, asked)
    assert mine.own is not None
    assert (mine.own.comment, mine.others) == ("Splendid", ())
    by_hand(written, cast.administrator, levels(0, 0))
    both = opened(cast.administrator, of, asked)
    assert [(name, one.comment) for name, one in both.others] == [("Instructor", "Splendid")]
    assert both.seen == 2


def test_a_pile_is_the_question_in_its_newest_words_with_all_its_counts(cast, of, asked, written):
    hand_in(of, cast.other_learner)
    by_hand(written, cast.instructor)
    [pile] = queue(cast.instructor)
    assert (pile.quiz, pile.question, pile.title) == (of.uuid, asked.uuid, of.title)
    assert (pile.to_mark, pile.elsewhere, pile.differing) == (1, 1, 0)
    [one, _] = answers(marker=cast.instructor, quiz=of.uuid, question=asked.uuid)
    assert paper_of(one) == pile.paper
    assert one.points == 5


@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_there_is_nothing_for_those_who_do_not_oversee_it(cast, of, asked, written, who):
    marker = getattr(cast, who)
    assert queue(marker) == []
    with pytest.raises(NotFound):
        answers(marker=marker, quiz=of.uuid, question=asked.uuid)


def test_an_answers_name_changes_with_the_sites_secret_and_with_nothing_else(settings, written):
    name = token_of(written.uuid)
    assert name == token_of(written.uuid)
    assert str(written.uuid).replace("-", "")[:8] not in name
    settings.SECRET_KEY = "another"
    assert token_of(written.uuid) != name


def test_reading_asks_as_often_however_many_marks_there_are(cast, of, asked, written, counted):
    [answer] = answers(marker=cast.instructor, quiz=of.uuid, question=asked.uuid)
    by_hand(written, cast.instructor, levels(2, 1))
    by_hand(written, cast.administrator, levels(0, 0))
    reading(marker=cast.instructor, answer=answer)
    with counted() as few:
        reading(marker=cast.instructor, answer=answer)
    for idea in (0, 1, 2):
        by_hand(written, cast.administrator, levels(idea, 0))
    with counted() as many:
        reading(marker=cast.instructor, answer=answer)
    assert len(few) == len(many) == 3
