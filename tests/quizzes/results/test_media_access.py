"""Who may see a file: authors of its bank, who was asked its words, who was told its feedback."""

from dataclasses import replace
from uuid import uuid4

import pytest

from accounts.models import User
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt
from quizzes.bank import services
from quizzes.bank.models import Draft
from quizzes.document import QuestionDocument
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import QuizVersion
from quizzes.results import media_access
from tests import media_files
from tests.attempt_helpers import finish, later, save_choice, start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz, option_ids
from tests.forged_rows import overwrite, without_triggers
from tests.media_files import media_markdown, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]

EVERYBODY = ("learner", "other_learner", "instructor", "outsider", "administrator", "stranger")
AUTHORS = {"instructor", "administrator"}


@pytest.fixture
def into(users):
    return create_bank(users)


def with_texts(question, *, prompt="", explanation="", feedback=None, options=None):
    """Publish with these texts, in Spanish as well."""
    item = QuestionDocument.from_json(Draft.objects.get(question=question).data)
    words = {
        code: {
            **texts,
            "prompt": prompt or texts["prompt"],
            "options": {**texts["options"], **(options or {})},
        }
        for code, texts in item.words.items()
    }
    texts = {
        code: {
            "options": {**texts["options"], **(feedback or {})},
            "explanation": explanation or texts["explanation"],
        }
        for code, texts in item.feedback.items()
    }
    item = replace(item, words=words, feedback=texts)
    services.save_draft(question=question, item=item, revision=None, by=None)
    services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def sees(viewer, media, extension="", now=NOW) -> bool:
    try:
        media_file = media_access.load_media_file(
            uuid=media.uuid, extension=extension or media.extension, viewer=viewer, now=now
        )
    except NotFound:
        return False
    assert (media_file.digest, media_file.media_type) == (media.sha256, media.media_type)
    assert media_file.name == f"{media.uuid}.{media.extension}"
    return True


def viewers(users, media) -> set[str]:
    return {who for who in EVERYBODY if sees(getattr(users, who), media)}


def test_a_file_that_nothing_shows_is_its_authors_alone(users, into):
    assert viewers(users, upload(into, media_files.png())) == AUTHORS


def test_a_file_that_is_not_there_is_nobodys(users, into):
    for who in EVERYBODY:
        with pytest.raises(NotFound):
            media_access.load_media_file(
                uuid=uuid4(), extension="png", viewer=getattr(users, who), now=NOW
            )


def test_a_file_under_another_extension_is_not_there(users, into):
    media = upload(into, media_files.png())
    assert not sees(users.administrator, media, extension="svg")


def test_words_show_their_file_to_who_is_asked_them_and_to_nobody_else(users, into):
    media = upload(into, media_files.png())
    quiz = create_quiz(
        users, [with_texts(create_question(into, "many"), prompt=media_markdown(media))]
    )
    assert viewers(users, media) == AUTHORS
    attempt = start(quiz, users.learner)
    assert viewers(users, media) == AUTHORS | {"learner"}
    assert not sees(users.learner, media, extension="gif")
    for state in ("submitted", "graded", "void"):
        void = {"void_reason": "ill"} if state == "void" else {}
        overwrite(
            type(attempt).objects.filter(pk=attempt.pk),
            **{"state": state, "submitted_at": NOW, "submission_reason": "submitted", **void},
        )
        assert sees(users.learner, media), state


def test_a_file_of_a_question_that_was_not_drawn_is_not_shown(users, into):
    questions = [
        with_texts(
            create_question(into, f"q{n}"),
            prompt=media_markdown(upload(into, media_files.png(2, n))),
        )
        for n in (1, 2)
    ]
    quiz = create_quiz(users, [questions[0]])
    # A quiz version whose pool holds both, of which one was drawn.
    with without_triggers():
        QuizVersion.objects.get().items.get().candidates.create(version=questions[1].current)
    start(quiz, users.learner)
    drawn = Manifest.from_json(Attempt.objects.get().manifest).slots[0].version
    for question in questions:
        assert sees(users.learner, question.current.files.get().media) == (
            question.current.uuid == drawn
        )


def test_an_older_version_keeps_showing_its_file(users, into):
    media = upload(into, media_files.png())
    question = with_texts(create_question(into, "many"), prompt=media_markdown(media))
    start(create_quiz(users, [question]), users.learner)
    with_texts(question, prompt="Without")
    services.retire(question=question, by=None, now=NOW)
    assert sees(users.learner, media)


def test_who_oversees_an_attempt_sees_what_was_asked_also_from_a_foreign_bank(users, into):
    media = upload(into, media_files.png())
    question = with_texts(create_question(into, "many"), prompt=media_markdown(media))
    elsewhere = create_quiz(users, [question])
    start(elsewhere, users.learner)
    type(into).objects.filter(pk=into.pk).update(group=users.other_group)
    assert viewers(users, media) == {"learner", "instructor", "outsider", "administrator"}


@pytest.mark.parametrize(
    ("moment", "answer", "after"),
    [
        ("after_submit", "a", True),
        ("never", "abc", False),
        ("after_pass", "a", False),
        ("after_pass", "abc", True),
    ],
)
def test_the_file_of_an_explanation_waits_for_its_moment(users, into, moment, answer, after):
    media = upload(into, media_files.png())
    question = with_texts(
        create_question(into, "many", right="abc"), explanation=media_markdown(media)
    )
    quiz = create_quiz(users, [question], reveal_explanation=moment)
    attempt = start(quiz, users.learner)
    assert viewers(users, media) == AUTHORS
    save_choice(attempt, 0, answer)
    finish(attempt)
    assert sees(users.learner, media) == after
    assert not sees(users.other_learner, media)


def test_while_the_last_attempt_is_open_the_file_of_the_key_stays_hidden(users, into):
    media = upload(into, media_files.png())
    question = with_texts(
        create_question(into, "many", right="abc"), explanation=media_markdown(media)
    )
    quiz = create_quiz(users, [question], max_attempts=2)
    take_quiz(quiz, users.learner, {0: "a"})
    assert not sees(users.learner, media)
    start(quiz, users.learner, later(minutes=1))
    assert not sees(users.learner, media)


def test_feedback_shows_its_file_to_who_chose_the_option(users, into):
    media, question = upload(into, media_files.png()), create_question(into, "many", right="ab")
    (b,) = option_ids(question, "b")
    quiz = create_quiz(users, [with_texts(question, feedback={b: media_markdown(media)})])
    take_quiz(quiz, users.learner, {0: "a"})
    assert not sees(users.learner, media)
    take_quiz(quiz, users.learner, {0: "b"}, later(minutes=1))
    assert sees(users.learner, media, now=later(minutes=2))


def test_feedback_in_one_language_alone_shows_its_file(users, into):
    media, question = upload(into, media_files.mp3()), create_question(into, "many")
    item = QuestionDocument.from_json(Draft.objects.get(question=question).data)
    spanish = {**item.feedback["es"], "explanation": media_markdown(media)}
    item = replace(item, feedback={**item.feedback, "es": spanish})
    services.save_draft(question=question, item=item, revision=None, by=None)
    services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    take_quiz(create_quiz(users, [question], reveal_explanation="after_submit"), users.learner)
    assert sees(users.learner, media)


def test_a_file_in_words_and_feedback_is_no_secret(users, into):
    media = upload(into, media_files.png())
    question = with_texts(
        create_question(into, "many"),
        prompt=media_markdown(media),
        explanation=media_markdown(media),
    )
    start(create_quiz(users, [question], reveal_explanation="never"), users.learner)
    assert sees(users.learner, media)


def test_who_is_asked_costs_one_query_whatever_the_number_of_attempts(users, into, counted):
    media = upload(into, media_files.png())
    quiz = create_quiz(
        users,
        [with_texts(create_question(into, "many"), prompt=media_markdown(media))],
        window_attempts=None,
    )
    for n in range(4):
        take_quiz(quiz, users.learner, {}, later(minutes=n))
        with counted() as queries:
            assert sees(users.learner, media)
        assert len(queries) == 1 + (users.learner.teaches is None)


def test_attempts_of_guests_that_one_keeps_crowd_out_none_of_ones_own(users, into, monkeypatch):
    monkeypatch.setattr(media_access, "REPORTS", 1)
    media = upload(into, media_files.png())
    pictured = with_texts(create_question(into, "one"), prompt=media_markdown(media))
    start(create_quiz(users, [pictured]), users.learner)
    other = create_question(into, "two")
    quiz = create_quiz(users, [other], slug="other", window_attempts=None)
    for minutes in range(1, 4):
        take_quiz(quiz, users.other_learner, {}, later(minutes=minutes))
    guests = User.objects.filter(pk=users.other_learner.pk)
    guests.update(is_active=False, confirmed_email="", guest_since=NOW)
    guests.update(kept_by=users.learner, kept_at=NOW)
    # Its pool has the question with the file, too; none of those attempts has drawn it.
    with without_triggers():
        item = QuizVersion.objects.get(quiz=quiz).items.get()
        item.candidates.create(version=pictured.current)
    assert sees(users.learner, media)
