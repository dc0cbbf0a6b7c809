"""Addresses of the pages; those below `attempts/` and `quizzes/` have lists of their own."""

from django.urls import URLPattern, URLResolver, include, path

from quizzes.web.views.attempt import attempt_page
from quizzes.web.views.certificate import certificate, choose_certificate, download_certificate
from quizzes.web.views.challenge import challenge
from quizzes.web.views.devices import devices, sign_out, sign_out_elsewhere
from quizzes.web.views.give_up import give_up
from quizzes.web.views.guest import keep_results, leave
from quizzes.web.views.history import history
from quizzes.web.views.home import home
from quizzes.web.views.identities import link_provider, sign_in_ways, unlink_provider
from quizzes.web.views.intro import intro, start
from quizzes.web.views.join import answer_invitation, join, join_form
from quizzes.web.views.language import language
from quizzes.web.views.media import media
from quizzes.web.views.notifications import notifications, unsubscribe_by_link
from quizzes.web.views.offline import manifest, offline, service_worker
from quizzes.web.views.personal_data import (
    ask_for_copy,
    ask_for_erasure,
    download_copy,
    personal_data,
    withdraw_erasure,
)
from quizzes.web.views.practice import practice
from quizzes.web.views.practice_save import save_tries
from quizzes.web.views.profile import profile, time_zone
from quizzes.web.views.progress import progress
from quizzes.web.views.receipts import check, download_receipt, download_try_receipt, receipt_keys
from quizzes.web.views.responses import save, time_left
from quizzes.web.views.result import result
from quizzes.web.views.session_state import session_state
from quizzes.web.views.stored_study import save_reviews, stored_cards
from quizzes.web.views.study import study, study_card, study_settings
from quizzes.web.views.submit import review, submit
from quizzes.web.views.tokens import revoke, tokens

attempt_urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "<uuid:attempt>/",
        include(
            [
                path("", attempt_page, name="attempt"),
                path("save", save, name="save"),
                path("submit", submit, name="submit"),
                path("result", result, name="result"),
                path("clock", time_left, name="clock"),
                path("review", review, name="review"),
                path("give-up", give_up, name="give_up"),
                path("certificate", choose_certificate, name="choose_certificate"),
                path("questions/<int:number>/challenge", challenge, name="challenge"),
                path("receipt", download_receipt, name="receipt"),
            ]
        ),
    ),
    path("", history, name="history"),
]
quiz_urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "<slug:slug>/",
        include(
            [
                path("", intro, name="intro"),
                path("start", start, name="start"),
                path("practice/", practice, name="practice"),
                path("practice/save", save_tries, name="save_tries"),
            ]
        ),
    ),
]
urlpatterns = [
    path("", home, name="home"),
    path("sw.js", service_worker, name="service_worker"),
    path("manifest-<slug:language>.webmanifest", manifest, name="manifest"),
    path("offline", offline, name="offline"),
    path("language", language, name="language"),
    path("session", session_state, name="session_state"),
    path("media/<uuid:uuid>.<slug:extension>", media, name="media"),
    path("profile/", profile, name="profile"),
    path("profile/time-zone", time_zone, name="time_zone"),
    path("profile/sign-in/", sign_in_ways, name="sign_in_ways"),
    path("profile/sign-in/<slug:provider_id>/link", link_provider, name="link_provider"),
    path("profile/sign-in/<int:identity_id>/unlink", unlink_provider, name="unlink_provider"),
    path("profile/devices/", devices, name="devices"),
    path("profile/devices/sign-out", sign_out_elsewhere, name="sign_out_elsewhere"),
    path("profile/devices/<slug:device>/sign-out", sign_out, name="sign_out_device"),
    path("profile/tokens/", tokens, name="tokens"),
    path("profile/tokens/<slug:token>/revoke", revoke, name="revoke_token"),
    path("profile/notifications/", notifications, name="notifications"),
    path("unsubscribe/<str:token>", unsubscribe_by_link, name="unsubscribe"),
    path("join/", join_form, name="join"),
    path("join/<slug:code>/", join, name="join_class"),
    path("invitations/<uuid:invitation>", answer_invitation, name="answer_invitation"),
    path("profile/data/", personal_data, name="personal_data"),
    path("profile/data/copy", ask_for_copy, name="ask_for_copy"),
    path("profile/data/copy/<uuid:copy>", download_copy, name="download_copy"),
    path("profile/data/erasure", ask_for_erasure, name="ask_for_erasure"),
    path("profile/data/erasure/withdraw", withdraw_erasure, name="withdraw_erasure"),
    path(
        "practice/<uuid:question>/tries/<int:number>/receipt",
        download_try_receipt,
        name="try_receipt",
    ),
    path("study/", study, name="study"),
    path("study/card", study_card, name="study_card"),
    path("study/cards", stored_cards, name="stored_cards"),
    path("study/save", save_reviews, name="save_reviews"),
    path("progress/", progress, name="progress"),
    path("study/settings", study_settings, name="study_settings"),
    path("guest/keep", keep_results, name="keep_results"),
    path("guest/leave", leave, name="leave_guest"),
    path("certificates/<uuid:certificate>/", certificate, name="certificate"),
    path("certificates/<uuid:certificate>/file", download_certificate, name="certificate_file"),
    path("receipts/", check, name="check_receipt"),
    path("receipts/keys", receipt_keys, name="receipt_keys"),
]
