"""People, classes, lists of people, invitations and terms; and who could not sign in."""

from django.utils import timezone

from accounts.invitation_links import build_token
from accounts.login_throttle import MAX_ATTEMPTS, account_key, consume_attempt
from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.notifications.models import Notification, NotificationState
from tests.invitations import create_invitation
from tests.quizzes.audit.walks.world import World, walk

INVITED = "new@example.org"


def class_path(world: World) -> str:
    return f"classes/{world.users.group.uuid}"


@walk(AuditCode.RIGHTS_CHANGED, "administrator", "may_make_classes", "may_make_classes")
def give_a_right(world: World) -> None:
    page = f"/admin/accounts/user/{world.users.stranger.pk}/change/"
    world.fill_in(world.users.administrator, page, "email", may_make_classes="on")


@walk(AuditCode.SCHOOL_ID_CHANGED, "administrator", "school_id", "school_id")
def give_a_school_id(world: World) -> None:
    page = f"/admin/accounts/user/{world.users.stranger.pk}/change/"
    world.fill_in(world.users.administrator, page, "email", school_id="0042")


@walk(AuditCode.MEMBERSHIP_ADDED, "stranger", "", "group role")
def join_by_code(world: World) -> None:
    code = world.call(world.users.instructor, f"{class_path(world)}/join-code", {})["code"]
    world.call(world.users.stranger, "join", {"code": code})


@walk(AuditCode.MEMBERSHIP_CHANGED, "instructor", "group role", "group role")
def change_a_role(world: World) -> None:
    path = f"{class_path(world)}/people/{world.users.learner.uuid}"
    world.call(world.users.instructor, path, {"role": "assistant"})


@walk(AuditCode.MEMBERSHIP_REMOVED, "instructor", "group role", "")
def take_a_person_out(world: World) -> None:
    path = f"{class_path(world)}/people/{world.users.learner.uuid}"
    world.call(world.users.instructor, path, method="delete")


@walk(AuditCode.ROSTER_IMPORTED, "instructor", "", "source role invite")
def send_a_list(world: World) -> None:
    teacher, path = world.users.instructor, f"{class_path(world)}/rosters"
    roster = world.call(teacher, path, {"people": [{"email": INVITED}]})
    commit = {"fingerprint": roster["fingerprint"]}
    world.call(teacher, f"{path}/{roster['id']}/commit", commit)


@walk(AuditCode.GROUP_CHANGED, "instructor", "name term", "name term")
def rename_a_class(world: World) -> None:
    world.call(world.users.instructor, class_path(world), {"name": "Class C"})


@walk(AuditCode.TERM_CHANGED, "administrator", "", "name begins_on ends_on")
def make_a_term(world: World) -> None:
    term = {"name": "Spring", "begins_on": "2027-01-11", "ends_on": "2027-05-28"}
    world.call(world.users.administrator, "terms", term)


def invite(world: World) -> dict[str, str]:
    body = {"email": INVITED, "class_id": str(world.users.group.uuid)}
    invitation: dict[str, str] = world.call(world.users.instructor, "invitations", body)
    return invitation


@walk(AuditCode.INVITATION_MADE, "instructor", "", "expires_at group role")
def invite_by_mail(world: World) -> None:
    invite(world)


@walk(AuditCode.INVITATION_RENEWED, "instructor", "expires_at group role", "expires_at group role")
def send_an_invitation_again(world: World) -> None:
    world.call(world.users.instructor, f"invitations/{invite(world)['id']}/send")


@walk(AuditCode.INVITATION_WITHDRAWN, "instructor", "expires_at group role", "")
def withdraw_an_invitation(world: World) -> None:
    world.call(world.users.instructor, f"invitations/{invite(world)['id']}", method="delete")


@walk(AuditCode.INVITATION_ACCEPTED, "stranger", "", "expires_at group role")
def accept_an_invitation(world: World) -> None:
    stranger = world.users.stranger
    invitation = create_invitation(world.users.group, stranger.email, by=world.users.instructor)
    world.press(stranger, f"/accounts/invitation/{build_token(invitation)}/")


@walk(AuditCode.INVITATION_DECLINED, "stranger", "expires_at group role", "")
def decline_an_invitation(world: World) -> None:
    stranger = world.users.stranger
    invitation = create_invitation(world.users.group, stranger.email, by=world.users.instructor)
    world.call(stranger, f"me/invitations/{invitation.uuid}", {"accept": False})


@walk(AuditCode.SIGN_IN_UNLOCKED, "instructor")
def unlock_a_sign_in(world: World) -> None:
    learner: User = world.users.learner
    for _ in range(MAX_ATTEMPTS):
        consume_attempt(key=account_key(learner.email), now=timezone.now(), user=learner)
    room = f"/admin/attempts/attempt/progress/{world.quiz.uuid}/"
    world.press(world.users.instructor, f"{room}unlock/", {"unlock": str(learner.uuid)})


@walk(AuditCode.NOTIFICATION_SENT_AGAIN, "instructor", "state", "kind state")
def send_a_notification_again(world: World) -> None:
    row = Notification.objects.create(
        recipient=world.users.learner,
        kind="graded",
        quiz=world.quiz,
        attempt=world.fail_attempt(),
        state=NotificationState.QUARANTINED,
        next_try_at=timezone.now(),
    )
    form = {"action": "send_again", "_selected_action": [row.pk]}
    world.press(world.users.instructor, "/admin/notifications/notification/", form)


@walk(
    AuditCode.GRADE_SCHEME_CHANGED, "instructor", "", "categories missing pass_percent is_published"
)
def set_the_total_of_a_class(world: World) -> None:
    category = {"name": "All", "weight_percent": "100", "quizzes": [str(world.quiz.uuid)]}
    body = {"categories": [category], "is_published": False}
    world.call(world.users.instructor, f"{class_path(world)}/course-total", body)
