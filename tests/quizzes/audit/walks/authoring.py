"""Banks, questions, imports, quizzes, and whoever looks at keys."""

from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.audit.codes import AuditCode
from tests.quizzes.api.import_helpers import GIFT
from tests.quizzes.api.programs import ROOT
from tests.quizzes.audit.walks.world import World, walk


@walk(AuditCode.KEYS_VIEWED, "instructor")
def look_at_a_question(world: World) -> None:
    client = world.browser(world.users.instructor)
    for _ in range(2):
        client.get(f"/admin/bank/question/{world.questions[0].pk}/change/")


@walk(AuditCode.BANK_EXPORTED, "instructor", "", "format language")
def export_a_bank(world: World) -> None:
    query = {"format": "aiken", "language": "en", "download": ""}
    address = f"/admin/bank/bank/{world.bank.pk}/export/"
    world.browser(world.users.instructor).get(address, query)


@walk(AuditCode.BANK_CHANGED, "instructor", "licence", "licence")
def change_a_bank(world: World) -> None:
    page = f"/admin/bank/bank/{world.bank.pk}/change/"
    world.fill_in(world.users.instructor, page, "licence", licence="CC BY 4.0")


def share(world: World) -> None:
    form = {"audience": "person", "email": world.users.outsider.email, "right": "use"}
    world.press(world.users.instructor, f"/admin/bank/bank/{world.bank.pk}/sharing/", form)


@walk(AuditCode.BANK_SHARED, "instructor", "", "right shared_with")
def share_a_bank(world: World) -> None:
    share(world)


@walk(AuditCode.BANK_UNSHARED, "instructor", "right shared_with", "")
def stop_sharing_a_bank(world: World) -> None:
    share(world)
    form = {"remove": str(world.bank.shares.get().uuid)}
    world.press(world.users.instructor, f"/admin/bank/bank/{world.bank.pk}/sharing/", form)


def offer_cards(world: World) -> None:
    page = f"/admin/bank/bank/{world.bank.pk}/study/"
    world.press(world.users.instructor, page, {"audience": world.users.group.pk})


@walk(AuditCode.STUDY_OFFERED, "instructor", "", "audience")
def offer_cards_for_study(world: World) -> None:
    offer_cards(world)


@walk(AuditCode.STUDY_OFFER_WITHDRAWN, "instructor", "audience", "")
def withdraw_an_offer_of_cards(world: World) -> None:
    offer_cards(world)
    form = {"remove": str(world.bank.study_offers.get().uuid)}
    world.press(world.users.instructor, f"/admin/bank/bank/{world.bank.pk}/study/", form)


def import_file(world: World) -> None:
    client = world.browser(world.users.instructor)
    file = SimpleUploadedFile("rivers.gift", GIFT.encode())
    response = client.post(f"{ROOT}imports", {"file": file, "bank": world.bank.uuid})
    assert response.status_code == 202, response.content
    world.call(world.users.instructor, f"imports/{response.json()['id']}/commit", {})


@walk(AuditCode.IMPORT_CONFIRMED, "instructor", "", "file format")
def confirm_an_import(world: World) -> None:
    import_file(world)


@walk(AuditCode.BANK_IMPORTED, "instructor", "", "new")
def write_an_import(world: World) -> None:
    import_file(world)


@walk(AuditCode.QUESTION_PUBLISHED, "instructor", "version", "version note")
def publish_a_question(world: World) -> None:
    page = f"/admin/bank/question/{world.questions[0].pk}/change/"
    changes = {"q-words_prompt_en": "Which of these?", "_publish": "1"}
    world.begin()
    world.fill_in(world.users.instructor, page, "q-note", **changes)


@walk(AuditCode.QUESTION_RENAMED, "instructor", "name", "name")
def rename_a_question(world: World) -> None:
    page = f"/admin/bank/question/{world.questions[0].pk}/rename/"
    world.fill_in(world.users.instructor, page, "name", name="renamed")


@walk(AuditCode.QUESTION_RETIRED, "instructor")
def retire_a_question(world: World) -> None:
    page = f"/admin/bank/question/{world.questions[0].pk}/retire/"
    world.press(world.users.instructor, page)


@walk(AuditCode.QUIZ_PUBLISHED, "instructor", "version", "version")
def publish_a_quiz(world: World) -> None:
    page = f"/admin/publishing/quiz/{world.quiz.pk}/change/"
    world.begin()
    world.fill_in(world.users.instructor, page, "title_en", _publish="1", max_attempts="1")


@walk(AuditCode.QUIZ_RETIRED, "instructor")
def retire_a_quiz(world: World) -> None:
    world.press(world.users.instructor, f"/admin/publishing/quiz/{world.quiz.pk}/retire/")


@walk(AuditCode.QUIZ_COPIED, "instructor", "", "from days")
def copy_a_quiz(world: World) -> None:
    path = f"quizzes/{world.quiz.uuid}/copies"
    world.call(world.users.instructor, path, {"slug": "copy", "days": 7})


@walk(
    AuditCode.QUIZ_CHANGED,
    "instructor",
    "cooldown_minutes",
    "cooldown_minutes open_attempts",
)
def change_a_quiz_while_it_runs(world: World) -> None:
    world.begin_attempt()
    page = f"/admin/publishing/quiz/{world.quiz.pk}/change/"
    world.fill_in(world.users.instructor, page, "title_en", cooldown_minutes=45)


@walk(AuditCode.QUIZ_SLOTS_CHANGED, "instructor", "slots", "slots")
def change_what_a_quiz_contains(world: World) -> None:
    slots = [{"question": str(question.uuid), "points": "7"} for question in world.questions]
    path = f"quizzes/{world.quiz.uuid}/composition"
    world.call(world.users.instructor, path, {"sections": [{"slots": slots}]})


@walk(AuditCode.ASSIGNMENT_CHANGED, "instructor", "closes_at", "closes_at")
def change_when_a_quiz_closes(world: World) -> None:
    page = f"/admin/attempts/assignment/{world.quiz.assignments.get().pk}/change/"
    times = {"closes_at_0": "2031-01-02", "closes_at_1": "9:00"}
    world.fill_in(world.users.instructor, page, "closes_at_0", **times)
