"""An exam while it runs, and what is made of it: marks, regrades, certificates, exports."""

from quizzes.audit.codes import AuditCode
from quizzes.bank.models import QuestionVersion
from quizzes.lib import clock
from quizzes.results.checkpoints import make_checkpoint
from quizzes.results.models import Checkpoint
from tests.attempt_helpers import start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import create_quiz, option_ids, publish_change
from tests.quizzes.audit.walks.world import World, walk
from tests.short_text_factory import attempt_with_text, create_short_text


def act_in_room(world: World, action: str, **body: object) -> None:
    world.begin_attempt()
    world.call(world.users.instructor, f"quizzes/{world.quiz.uuid}/progress/{action}", body)


@walk(AuditCode.TIME_GIVEN, "instructor", "deadline_at", "deadline_at reason")
def give_time_to_a_room(world: World) -> None:
    act_in_room(world, "extend", minutes=10, reason="A power cut")


@walk(
    AuditCode.ATTEMPT_PAUSED,
    "instructor",
    "deadline_at paused_until",
    "deadline_at paused_until reason",
)
def pause_a_room(world: World) -> None:
    act_in_room(world, "pause", minutes=30, reason="Fire alarm")


@walk(
    AuditCode.ATTEMPT_RESUMED,
    "instructor",
    "deadline_at paused_until",
    "deadline_at paused_until",
)
def resume_a_room(world: World) -> None:
    act_in_room(world, "pause", minutes=30, reason="Fire alarm")
    act_in_room(world, "resume")


@walk(AuditCode.MESSAGE_SENT, "instructor", "", "text")
def write_to_a_room(world: World) -> None:
    act_in_room(world, "message", text="Question 3 means the second river.")


@walk(AuditCode.GRADED_BY_HAND, "instructor", "total passed", "question purpose total passed")
def mark_an_essay(world: World) -> None:
    quiz = create_quiz(world.users, [create_essay(world.bank)], slug="essay")
    attempt = attempt_with_essay(quiz, world.users.learner)
    body = {"levels": {"idea": "idea-2", "form": "form-1"}}
    world.call(world.users.instructor, f"attempts/{attempt.uuid}/questions/1/mark", body)


@walk(AuditCode.ANSWER_ACCEPTED, "instructor", "", "credit")
def accept_an_answer(world: World) -> None:
    question = create_short_text(world.bank)
    attempt_with_text(
        create_quiz(world.users, [question], slug="text"), world.users.learner, "Lutetia"
    )
    page = f"/admin/results/itemresult/question/{question.pk}/accept/?text=Lutetia"
    world.fill_in(world.users.instructor, page, "credit", credit="1/3", confirmed="1")


@walk(
    AuditCode.REGRADE_COMMITTED,
    "instructor",
    "",
    "rule action question version policy reverts points_numerator points_denominator scoring_method"
    " reason",
)
def regrade(world: World) -> None:
    world.fail_attempt()
    question = world.questions[1]
    publish_change(question, key={"right": option_ids(question, "a")})
    version = QuestionVersion.objects.get(question=question, number=2)
    body = {"version": str(version.uuid), "policy": "by_key", "reason": "The key was wrong."}
    path = f"quizzes/{world.quiz.uuid}/questions/{question.uuid}/regrade"
    world.call(world.users.instructor, path, body)


@walk(AuditCode.CHALLENGE_ANSWERED, "instructor", "verdict", "verdict safe_before_key")
def answer_a_challenge(world: World) -> None:
    path = f"attempts/{world.fail_attempt().uuid}/questions/1/challenge"
    created = world.call(world.users.learner, path, {"reason": "key", "comment": "It says a."})
    body = {"verdict": "accepted", "answer": "It does."}
    world.call(world.users.instructor, f"challenges/{created['id']}/answer", body)


def certificate_path(world: World) -> str:
    quiz = create_quiz(world.users, world.questions, slug="certified", gives_certificates=True)
    attempt = take_quiz(quiz, world.users.learner, {0: "abc", 1: "b", 2: "b"}, clock.now())
    return f"attempts/{attempt.uuid}/certificate"


SHOWN = "shows_name shows_score is_public"


@walk(AuditCode.CERTIFICATE_MADE, "learner", "", SHOWN)
def make_a_certificate(world: World) -> None:
    world.call(world.users.learner, certificate_path(world), {"is_public": True})


@walk(AuditCode.CERTIFICATE_CHANGED, "learner", SHOWN, SHOWN)
def change_a_certificate(world: World) -> None:
    path = certificate_path(world)
    for shows_name in (False, True):
        world.call(world.users.learner, path, {"shows_name": shows_name})


@walk(AuditCode.CERTIFICATE_WITHDRAWN, "learner", SHOWN, "")
def withdraw_a_certificate(world: World) -> None:
    path = certificate_path(world)
    world.call(world.users.learner, path, {})
    world.call(world.users.learner, path, method="delete")


@walk(AuditCode.ATTEMPTS_GIVEN_UP, "learner", "", "gave_up_at")
def give_up(world: World) -> None:
    world.call(world.users.learner, f"attempts/{world.fail_attempt().uuid}/give-up")


@walk(AuditCode.ATTEMPT_MOVED, "learner", "device_changes", "device_changes")
def go_on_with_another_device(world: World) -> None:
    quiz = create_quiz(world.users, world.questions, slug="one-device", one_device=True)
    attempt = start(quiz, world.users.learner, clock.now())
    for number in range(2):
        client = world.browser(world.users.learner)
        client.get(f"/attempts/{attempt.uuid}/")
        if number:
            client.post(f"/attempts/{attempt.uuid}/", {"take_over": "1"})


@walk(AuditCode.ATTEMPT_REOPENED, "instructor", "attempt number", "number deadline_at reason")
def reopen_an_attempt(world: World) -> None:
    body = {"minutes": 10, "reason": "A power cut"}
    world.call(world.users.instructor, f"attempts/{world.fail_attempt().uuid}/reopen", body)


@walk(AuditCode.ATTEMPT_VOIDED, "instructor", "state", "state reason")
def void_an_attempt(world: World) -> None:
    page = f"/admin/attempts/attempt/{world.begin_attempt().pk}/void/"
    world.press(world.users.instructor, page, {"reason": "Fire alarm"})


@walk(AuditCode.RESULTS_EXPORTED, "instructor", "", "quiz rows format")
def export_a_gradebook(world: World) -> None:
    world.fail_attempt()
    address = f"/admin/accounts/group/{world.users.group.pk}/gradebook/export/"
    query = {"quiz": "", "rows": "grades", "format": "csv"}
    response = world.browser(world.users.instructor).get(address, query)
    assert response.getvalue()


@walk(AuditCode.CHECKPOINT_EXPORTED, "administrator")
def download_a_checkpoint(world: World) -> None:
    world.fail_attempt()
    make_checkpoint(now=clock.now())
    address = f"/admin/results/checkpoint/{Checkpoint.objects.get().pk}/download/"
    assert world.browser(world.users.administrator).get(address).getvalue()


@walk(AuditCode.AUDIT_EXPORTED, "administrator", "", "filters")
def export_the_log(world: World) -> None:
    address = "/admin/audit/auditevent/export/?code=signed_in"
    assert world.browser(world.users.administrator).get(address).getvalue()
