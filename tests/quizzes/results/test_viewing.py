"""Who may see a file: authors of its bank, who was asked its words, who was told its feedback."""

from dataclasses import replace
from uuid import uuid4

import pytest

from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt
from quizzes.bank import services
from quizzes.bank.models import Draft
from quizzes.document import QuestionDocument
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Edition
from quizzes.results import viewing
from tests import files
from tests.content import NOW, bank, option, question, quiz
from tests.files import shown, upload
from tests.taking import later, start, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]

EVERYBODY = ("learner", "other_learner", "instructor", "outsider", "administrator", "stranger")
AUTHORS = {"instructor", "administrator"}


@pytest.fixture
def into(cast):
    return bank(cast)


def with_texts(made, *, prompt="", explanation="", feedback=None):
    """Publish with these texts, in Spanish as well."""
    item = QuestionDocument.from_json(Draft.objects.get(question=made).data)
    words = {
        code: {**texts, "prompt": prompt or texts["prompt"]} for code, texts in item.words.items()
    }
    told = {
        code: {
            "options": {**texts["options"], **(feedback or {})},
            "explanation": explanation or texts["explanation"],
        }
        for code, texts in item.feedback.items()
    }
    item = replace(item, words=words, feedback=told)
    services.revise(question=made, item=item, revision=None, by=None)
    services.publish(question=made, by=None, now=NOW)
    made.refresh_from_db()
    return made


def sees(viewer, media, extension="", now=NOW) -> bool:
    try:
        found = viewing.file(
            uuid=media.uuid, extension=extension or media.extension, viewer=viewer, now=now
        )
    except NotFound:
        return False
    assert (found.digest, found.media_type) == (media.sha256, media.media_type)
    assert found.name == f"{media.uuid}.{media.extension}"
    return True


def viewers(cast, media) -> set[str]:
    return {who for who in EVERYBODY if sees(getattr(cast, who), media)}


def test_a_file_that_nothing_shows_is_its_authors_alone(cast, into):
    assert viewers(cast, upload(into, files.png())) == AUTHORS


def test_a_file_that_is_not_there_is_nobodys(cast, into):
    for who in EVERYBODY:
        with pytest.raises(NotFound):
            viewing.file(uuid=uuid4(), extension="png", viewer=getattr(cast, who), now=NOW)


def test_a_file_under_another_extension_is_not_there(cast, into):
    media = upload(into, files.png())
    assert not sees(cast.administrator, media, extension="svg")


def test_words_show_their_file_to_who_is_asked_them_and_to_nobody_else(cast, into):
    media = upload(into, files.png())
    made = quiz(cast, [with_texts(question(into, "many"), prompt=shown(media))])
    assert viewers(cast, media) == AUTHORS
    attempt = start(made, cast.learner)
    assert viewers(cast, media) == AUTHORS | {"learner"}
    assert not sees(cast.learner, media, extension="gif")
    for state in ("submitted", "graded", "void"):
        type(attempt).objects.filter(pk=attempt.pk).update(
            state=state, submitted_at=NOW, ending="submitted"
        )
        assert sees(cast.learner, media), state


def test_a_file_of_a_question_that_was_not_drawn_is_not_shown(cast, into):
    made = [
        with_texts(question(into, f"q{n}"), prompt=shown(upload(into, files.png(2, n))))
        for n in (1, 2)
    ]
    taken = quiz(cast, [made[0]])
    # An edition whose pool holds both, of which one was drawn.
    Edition.objects.get().items.get().candidates.create(version=made[1].current)
    start(taken, cast.learner)
    drawn = Manifest.from_json(Attempt.objects.get().manifest).slots[0].version
    for one in made:
        assert sees(cast.learner, one.current.files.get().media) == (one.current.uuid == drawn)


def test_an_older_version_keeps_showing_its_file(cast, into):
    media = upload(into, files.png())
    made = with_texts(question(into, "many"), prompt=shown(media))
    start(quiz(cast, [made]), cast.learner)
    with_texts(made, prompt="Without")
    services.retire(question=made, now=NOW)
    assert sees(cast.learner, media)


def test_who_oversees_an_attempt_sees_what_was_asked_also_from_a_foreign_bank(cast, into):
    media = upload(into, files.png())
    made = with_texts(question(into, "many"), prompt=shown(media))
    elsewhere = quiz(cast, [made])
    start(elsewhere, cast.learner)
    type(into).objects.filter(pk=into.pk).update(group=cast.other_group)
    assert viewers(cast, media) == {"learner", "instructor", "outsider", "administrator"}


@pytest.mark.parametrize(
    ("moment", "answer", "after"),
    [
        ("after_submit", "a", True),
        ("never", "abc", False),
        ("after_pass", "a", False),
        ("after_pass", "abc", True),
    ],
)
def test_the_file_of_an_explanation_waits_for_its_moment(cast, into, moment, answer, after):
    media = upload(into, files.png())
    made = with_texts(question(into, "many", right="abc"), explanation=shown(media))
    taken = quiz(cast, [made], reveal_explanation=moment)
    attempt = start(taken, cast.learner)
    assert viewers(cast, media) == AUTHORS
    attempt.delete()
    take(taken, cast.learner, {0: answer})
    assert sees(cast.learner, media) == after
    assert not sees(cast.other_learner, media)


def test_while_the_last_attempt_is_open_the_file_of_the_key_stays_hidden(cast, into):
    media = upload(into, files.png())
    made = with_texts(question(into, "many", right="abc"), explanation=shown(media))
    taken = quiz(cast, [made], max_attempts=2)
    take(taken, cast.learner, {0: "a"})
    assert not sees(cast.learner, media)
    start(taken, cast.learner, later(minutes=1))
    assert not sees(cast.learner, media)


def test_feedback_shows_its_file_to_who_chose_the_option(cast, into):
    media, made = upload(into, files.png()), question(into, "many", right="ab")
    (b,) = option(made, "b")
    taken = quiz(cast, [with_texts(made, feedback={b: shown(media)})])
    take(taken, cast.learner, {0: "a"})
    assert not sees(cast.learner, media)
    take(taken, cast.learner, {0: "b"}, later(minutes=1))
    assert sees(cast.learner, media, now=later(minutes=2))


def test_feedback_in_one_language_alone_shows_its_file(cast, into):
    media, made = upload(into, files.mp3()), question(into, "many")
    item = QuestionDocument.from_json(Draft.objects.get(question=made).data)
    spanish = {**item.feedback["es"], "explanation": shown(media)}
    item = replace(item, feedback={**item.feedback, "es": spanish})
    services.revise(question=made, item=item, revision=None, by=None)
    services.publish(question=made, by=None, now=NOW)
    made.refresh_from_db()
    take(quiz(cast, [made], reveal_explanation="after_submit"), cast.learner)
    assert sees(cast.learner, media)


def test_a_file_in_words_and_feedback_is_no_secret(cast, into):
    media = upload(into, files.png())
    made = with_texts(question(into, "many"), prompt=shown(media), explanation=shown(media))
    start(quiz(cast, [made], reveal_explanation="never"), cast.learner)
    assert sees(cast.learner, media)


def test_who_is_asked_costs_one_query_whatever_the_number_of_attempts(cast, into, counted):
    media = upload(into, files.png())
    made = quiz(
        cast, [with_texts(question(into, "many"), prompt=shown(media))], window_attempts=None
    )
    for n in range(4):
        take(made, cast.learner, {}, later(minutes=n))
        with counted() as asked:
            assert sees(cast.learner, media)
        assert len(asked) == 1 + (cast.learner.teaches is None)
