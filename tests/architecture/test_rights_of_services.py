"""No function that writes for a person comes into the project untried: each is in a table."""

from collections.abc import Callable
from types import CodeType
from typing import Any

import pytest

from tests.architecture.writing_functions import find_writing_functions, read_sources
from tests.quizzes.test_rights_of_services import IMPORT_SERVICES, PEOPLE, SERVICES
from tools.paths import ROOT

PACKAGES = (
    *("accounts", "quizzes.audit", "quizzes.events", "quizzes.bank", "quizzes.publishing"),
    *("quizzes.attempts", "quizzes.results", "quizzes.matching", "quizzes.imports"),
    *("quizzes.statistics", "quizzes.challenges", "quizzes.course_grades", "quizzes.practice"),
    *("quizzes.certificates", "quizzes.study", "quizzes.notifications", "quizzes.privacy"),
)
"""All that is below the interfaces and knows rows."""

ONLY_TELL = ("accounts.account_audit.", "accounts.security_notices.")
"""Modules that write what the log and the mails say of a change: the change has asked."""

CASES: dict[str, Callable[..., Any]] = {
    **{name: call for name, (call, _) in SERVICES.items()},
    **IMPORT_SERVICES,
}
PARTS = {
    "accounts.invitation_mails.count_mails": "counts the mails of who invites",
    "accounts.invitation_mails.queue_enrolments": "writes the mails of a list that is committed",
    "quizzes.bank.versions.publish_versions": "writes versions of rows that a service has locked",
    "quizzes.imports.import_media.save_media": "saves each file by `bank.uploads.save_media`",
}
"""Parts of services that are told who asks, to write it down: why each asks nothing itself."""

OF_THEMSELVES = {
    "quizzes.attempts.draft_papers.draw_paper": "draws a paper for its reader, and writes nothing",
    "quizzes.attempts.guessing_figures.load_guessing_figures": "measures, and writes nothing",
    "quizzes.attempts.responses.save_responses": "answers in an attempt of one's own",
    "quizzes.attempts.question_locks.leave_question": "in an attempt of one's own",
    "quizzes.attempts.devices.open_on_device": "an attempt of one's own",
    "quizzes.attempts.devices.take_over": "an attempt of one's own",
    "quizzes.attempts.giving_up.give_up": "gives up attempts of one's own",
    "quizzes.results.grading_queue.find_answer": "enciphers names, and writes nothing",
    "quizzes.results.grading_queue.list_answers": "enciphers names, and writes nothing",
    "quizzes.results.next_steps.give_up_after": "gives up attempts of one's own",
    "quizzes.attempts.services.start": "begins what `find_takeable` gives this person",
    "quizzes.attempts.guest_attempts.end_attempts_of_guest": "of guests alone, by the sweep",
    "quizzes.attempts.services.submit": "hands in an attempt of one's own",
    "quizzes.results.services.finish": "hands in an attempt of one's own",
    "quizzes.results.services.finish_overdue": "ends what is over of one's own attempts",
    "quizzes.challenges.services.challenge_question": "about an attempt of one's own",
    "quizzes.certificates.services.save_certificate": "about an attempt of one's own",
    "quizzes.certificates.services.withdraw_certificate": "about an attempt of one's own",
    "quizzes.practice.services.ask_for_answer": "about a practised question of one's own",
    "quizzes.practice.services.check_answer": "about a practised question of one's own",
    "quizzes.practice.services.draw_next": "draws from what `find_takeable` gives this person",
    "quizzes.practice.services.open_hint": "about a practised question of one's own",
    "quizzes.study.mistakes.sync_mistakes": "cards of one's own mistakes",
    "quizzes.study.selectors.load_card_view": "shows cards of one's own, and writes nothing",
    "quizzes.study.selectors.load_card_views": "shows cards of one's own, and writes nothing",
    "quizzes.study.services.add_deck": "a deck of one's own, of what `offered_to` gives one",
    "quizzes.study.services.lock_settings": "one's own settings",
    "quizzes.study.services.record_entries": "about cards of one's own",
    "quizzes.study.services.remove_deck": "a deck of one's own",
    "quizzes.study.services.save_settings": "one's own settings",
    "quizzes.study.services.sync_decks": "cards of one's own decks",
    "quizzes.study.services.undo_last": "what one did oneself",
    "quizzes.study.media_access.load_media_file": "a file of cards of one's own",
    "quizzes.privacy.data_requests.request_erasure": "asks for oneself",
    "quizzes.privacy.data_requests.request_export": "asks for oneself",
    "quizzes.privacy.data_requests.withdraw_erasure": "withdraws what one asked for",
    "quizzes.notifications.preferences.choose_kinds": "one's own setting",
    "accounts.guests.keep_guest": "keeps the guest of one's own session",
    "accounts.services.choose_zone": "one's own setting",
    "accounts.services.update_browser_zone": "one's own setting",
    "accounts.services.issue_token": "a token of one's own",
    "accounts.services.revoke_token": "a token of one's own",
    "accounts.invitation_acceptance.accept_as": "joins by a link in one's mail",
    "accounts.invitation_acceptance.accept_invitation": "answers for oneself",
    "accounts.invitation_acceptance.decline_invitation": "answers for oneself",
    "accounts.invitation_acceptance.admit": "is called where somebody joins",
    "accounts.invitation_acceptance.fill_in": "is called where somebody joins",
    "accounts.invitation_acceptance.fill_in_school_ids": "is called where a list is committed",
    "accounts.identities.link": "one's own account, by a provider's word",
    "accounts.identities.unlink": "an identity of one's own",
    "accounts.identity_claims.apply_claims": "one's own account, by a provider's word",
    "accounts.identity_claims.remove_granted_roles": "is called where one unlinks",
    "accounts.join_codes.find_join_code": "counts one's own guesses",
    "accounts.join_codes.join_class": "joins by a code",
    "accounts.email_confirmation.change_address": "one's own address, by the link in a mail",
    "accounts.email_confirmation.confirm_address": "one's own address, by the link in a mail",
    "accounts.email_confirmation.confirm_for_operator": "the command that makes administrators",
    "accounts.email_confirmation.replace_account": "one's own address, by the link in a mail",
    "accounts.email_confirmation.secure_account": "one's own account, by the link in a mail",
    "accounts.email_confirmation.sync_allauth_address": "copies the address for allauth",
    "accounts.second_factors.delete_second_factors": "is called once somebody's right is checked",
    "accounts.login_throttle.consume_attempt": "counts guesses of who is not signed in yet",
    "accounts.login_throttle.forget_failures": "forgets them once somebody is signed in",
    "accounts.limited_guesses.limited_guess": "counts guesses of one's own",
}
"""Functions whose person is the one whom the rows are about: there is nobody else to refuse."""


def test_every_function_that_writes_for_a_person_is_tried_with_who_may_not():
    writing = {
        name: people
        for name, people in find_writing_functions(read_sources(ROOT, PACKAGES)).items()
        if not name.startswith(ONLY_TELL)
    }
    tried = {name.partition(",")[0] for name in CASES} | PARTS.keys()
    actors = {name for name, people in writing.items() if "by" in people}
    assert actors == tried
    assert writing.keys() - actors == OF_THEMSELVES.keys()


def test_every_case_refuses_somebody():
    assert [name for name, (_, served) in SERVICES.items() if not served < set(PEOPLE)] == []


@pytest.mark.parametrize("name", CASES)
def test_a_case_calls_the_function_that_it_is_named_after(name: str):
    function = name.partition(",")[0].rpartition(".")[2]
    assert function in list_mentioned(CASES[name].__code__)


def list_mentioned(code: CodeType) -> set[str]:
    """Return the names that a function and those within it mention."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= list_mentioned(constant)
    return names


SOURCES = {
    "shop.models": "class Order: ...",
    "shop.rows": """
from shop.models import Order

def insert(order): order.save()
""",
    "shop.services": """
from accounts.models import User
from shop import rows
from shop.rows import insert as write

def cancel(*, order, by: User): order.delete()
def order(*, by: User | None, names): _order(by)
def _order(by: User): rows.insert(by)
def copy(*, by: User | None): return list(map(write, by.orders))
def load(user: User): return rows.find(user)
def delete(*, order): order.delete()
""",
}


def test_what_writes_is_found_however_many_calls_lie_between():
    assert find_writing_functions(SOURCES) == {
        "shop.services.cancel": ("by",),
        "shop.services.copy": ("by",),
        "shop.services.order": ("by",),
    }
