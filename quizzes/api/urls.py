"""Addresses of the REST API."""

from django.urls import path, re_path

from quizzes.api import (
    attempts,
    banks,
    checks,
    commits,
    documentation,
    downloads,
    export,
    formats,
    imports,
    me,
    media,
    problems,
    quiz_versions,
    quizzes,
    reports,
    responses,
    results,
    standings,
    tokens,
)

app_name = "api"

urlpatterns = [
    path("quizzes", quizzes.QuizzesView.as_view(), name="quizzes"),
    path("quizzes/<uuid:quiz>", quizzes.QuizView.as_view(), name="quiz"),
    path(
        "quiz-versions/<uuid:quiz_version>",
        quiz_versions.QuizVersionView.as_view(),
        name="quiz_version",
    ),
    path("attempts", attempts.AttemptsView.as_view(), name="attempts"),
    path("attempts/<uuid:attempt>", attempts.AttemptView.as_view(), name="attempt"),
    path("attempts/<uuid:attempt>/responses", responses.ResponsesView.as_view(), name="responses"),
    path("attempts/<uuid:attempt>/submit", attempts.SubmitView.as_view(), name="submit"),
    path("results", results.ResultsView.as_view(), name="results"),
    path("results.csv", export.ExportView.as_view(), name="export"),
    path("results/<uuid:attempt>", results.ResultView.as_view(), name="result"),
    path("standings", standings.StandingsView.as_view(), name="standings"),
    path("media/<uuid:media>", media.MediaView.as_view(), name="media"),
    path("banks", banks.BanksView.as_view(), name="banks"),
    path("banks/<uuid:bank>", banks.BankView.as_view(), name="bank"),
    path("banks/<uuid:bank>/checks", checks.ChecksView.as_view(), name="checks"),
    path("banks/<uuid:bank>/export", downloads.BankExportView.as_view(), name="bank_export"),
    path("banks/<uuid:bank>/export/losses", downloads.LossesView.as_view(), name="losses"),
    path("formats", formats.FormatsView.as_view(), name="formats"),
    path("imports", imports.ImportsView.as_view(), name="imports"),
    path("imports/<uuid:job>", imports.ImportView.as_view(), name="import"),
    path("imports/<uuid:job>/report", reports.ReportView.as_view(), name="report"),
    path("imports/<uuid:job>/commit", commits.CommitView.as_view(), name="commit"),
    path("imports/<uuid:job>/cancel", commits.CancelView.as_view(), name="cancel"),
    path("me", me.MeView.as_view(), name="me"),
    path("tokens", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<slug:token>", tokens.TokenView.as_view(), name="token"),
    path("schema", documentation.schema_view, name="schema"),
    path("docs", documentation.DocsView.as_view(), name="docs"),
    # Last: every other address, so that programs never get a page in answer.
    re_path("", problems.unknown_route, name="unknown"),
]
