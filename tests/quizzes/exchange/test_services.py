"""Loading a bank: whole or not at all, and twice is once."""

import pytest

from quizzes.bank.models import Bank, Option, Question, QuestionVersion
from quizzes.exchange.formats.ochenta import read
from quizzes.exchange.services import load
from quizzes.lib.errors import Invalid
from tests.content import NOW
from tests.quizzes.exchange.formats.test_ochenta import GOOD

pytestmark = pytest.mark.django_db


def loaded(text: str = GOOD):
    return load(parcel=read(text.encode()), group=None, by=None, now=NOW)


def test_a_load_publishes_every_question_in_both_languages():
    assert loaded().new == ("danube",)
    question = Question.objects.select_related("current").get(name="danube")
    assert question.current is not None
    assert {r.language for r in question.current.renditions.all()} == {"en", "es"}
    assert [tag.name for tag in question.tags.all()] == ["europe"]


def test_the_same_file_twice_changes_nothing():
    loaded()
    options = set(Option.objects.values_list("uuid", flat=True))
    draft = Question.objects.get().draft.revision
    again = loaded()
    assert (again.new, again.changed, again.unchanged) == ((), (), ("danube",))
    assert QuestionVersion.objects.count() == 1
    assert set(Option.objects.values_list("uuid", flat=True)) == options
    assert Question.objects.get().draft.revision == draft


def test_a_changed_word_makes_a_new_version_with_the_same_options():
    loaded()
    options = set(Option.objects.values_list("uuid", flat=True))
    assert loaded(GOOD.replace("Here", "Right here")).changed == ("danube",)
    assert sorted(QuestionVersion.objects.values_list("number", flat=True)) == [1, 2]
    assert set(Option.objects.values_list("uuid", flat=True)) == options


def test_a_question_that_left_the_file_stays_and_is_told():
    loaded()
    other = GOOD.replace("name: danube", "name: rhine")
    result = loaded(other)
    assert (result.new, result.kept) == (("rhine",), ("danube",))


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("licence: CC-BY-4.0\n", ""),  # the file is wrong
        ("        right: true\n", ""),  # the question is: nothing is right
    ],
)
def test_any_trouble_refuses_the_whole_file_and_writes_nothing(was, becomes):
    second = GOOD[GOOD.index("  - name: danube") :].replace("danube", "rhine")
    with pytest.raises(Invalid) as caught:
        loaded(GOOD + second.replace(was, becomes) if was in second else GOOD.replace(was, becomes))
    assert caught.value.code == "file_has_troubles"
    assert all(trouble.line >= 1 for trouble in caught.value.detail["troubles"])
    assert not Bank.objects.exists()
    assert not Question.objects.exists()
