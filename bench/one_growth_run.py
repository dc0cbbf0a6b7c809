"""Pages of a site that grows, in this process, on a PostgreSQL that counts statements.

`python -m bench.one_growth_run [--one-quiz] [--pages WORDS] SIZE…` prints a line of JSON for each
size, in responses: `responses`, and `pages` by name as [milliseconds, blocks read, statements].
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Scope, User
from accounts.services import issue_token
from bench.growth_site import Site, build_site, extend_site
from bench.sessions import sign_in
from quizzes.attempts.models import Response

REQUESTS: Final = 5
DONE: Final = 200
BLOCKS: Final = (
    "SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0) FROM pg_stat_statements"
)


@dataclass(frozen=True)
class MeasuredPage:
    """Whose browser or program gets it, and its address."""

    client: Client
    path: str


def list_pages(site: Site) -> Iterator[tuple[str, MeasuredPage]]:
    """Yield what is measured, by name."""
    for who, client, addresses in (
        ("learner", sign_in(site.learner), _list_of_learner(site)),
        ("instructor", sign_in(site.instructor), _list_of_instructor(site)),
        ("administrator", sign_in(site.administrator), _list_of_administrator()),
        ("REST, learner", _hold_token(site.learner), _list_of_own_programs(site)),
        ("REST, instructor", _hold_token(site.instructor), _list_of_programs(site)),
        ("REST, administrator", _hold_token(site.administrator), _list_of_programs(site)),
    ):
        for name, path in addresses.items():
            yield f"{who}: {name}", MeasuredPage(client, path)


def _list_of_learner(site: Site) -> dict[str, str]:
    return {
        "Home": "/",
        "quiz": f"/quizzes/{site.quiz.slug}/",
        "open attempt": f"/attempts/{site.open_attempt.uuid}/",
        "result": f"/attempts/{site.graded_attempt.uuid}/result",
        "attempts": "/attempts/",
        "progress": "/progress/",
        "study": "/study/",
        "notifications": "/profile/notifications/",
    }


def _list_of_instructor(site: Site) -> dict[str, str]:
    quiz, class_page = site.quiz, f"/admin/accounts/group/{site.measured_class.pk}"
    statistics = f"/admin/statistics/quizversionstatistics/{site.statistics.pk}/"
    return {
        "home": "/admin/",
        "quizzes": "/admin/publishing/quiz/",
        "quiz": f"/admin/publishing/quiz/{quiz.pk}/change/",
        "composer": f"/admin/publishing/quiz/{quiz.pk}/questions/",
        "regrade": f"/admin/publishing/quiz/{quiz.pk}/regrade/",
        "room": f"/admin/attempts/attempt/progress/{quiz.uuid}/",
        "attempts": "/admin/attempts/attempt/",
        "attempts of the quiz": f"/admin/attempts/attempt/?quiz__id__exact={quiz.pk}",
        "attempts, search": "/admin/attempts/attempt/?q=measured7",
        "attempt": f"/admin/attempts/attempt/{site.graded_attempt.pk}/change/",
        "answers to a question": (
            f"/admin/attempts/attempt/answers/{quiz.uuid}/{site.question.uuid}/"
        ),
        "manual grading": "/admin/results/manualgrade/",
        "challenges": "/admin/challenges/challenge/",
        "classes": "/admin/accounts/group/",
        "class": f"{class_page}/class/",
        "people": f"{class_page}/people/",
        "gradebook": f"{class_page}/gradebook/",
        "gradebook, XLSX": f"{class_page}/gradebook/export/?quiz=&rows=grades&format=xlsx",
        "statistics": "/admin/statistics/quizversionstatistics/",
        "statistics of the quiz": f"{statistics}change/",
        "banks": "/admin/bank/bank/",
        "questions": "/admin/bank/question/",
        "question": f"/admin/bank/question/{site.question.pk}/change/",
        "search": "/admin/search/?s=measured",
    }


def _list_of_administrator() -> dict[str, str]:
    return {
        "home": "/admin/",
        "quizzes": "/admin/publishing/quiz/",
        "attempts": "/admin/attempts/attempt/",
        "attempts, page 3": "/admin/attempts/attempt/?p=3",
        "attempts, search": "/admin/attempts/attempt/?q=measured7",
        "attempts, graded": "/admin/attempts/attempt/?state__exact=graded",
        "people": "/admin/accounts/user/",
        "people, search": "/admin/accounts/user/?q=measured7",
        "classes": "/admin/accounts/group/",
        "statistics": "/admin/statistics/quizversionstatistics/",
        "audit log": "/admin/audit/auditevent/",
        "audit log, search": "/admin/audit/auditevent/?q=measured7",
        "notifications": "/admin/notifications/notification/",
        "checkpoints": "/admin/results/checkpoint/",
    }


def _list_of_own_programs(site: Site) -> dict[str, str]:
    return {
        "quizzes": "/api/v1/quizzes",
        "attempts": "/api/v1/attempts",
        "attempt": f"/api/v1/attempts/{site.open_attempt.uuid}",
        "results": "/api/v1/results",
        "quiz grades": "/api/v1/quiz-grades",
    }


def _list_of_programs(site: Site) -> dict[str, str]:
    quiz, group = f"/api/v1/quizzes/{site.quiz.uuid}", f"/api/v1/classes/{site.measured_class.uuid}"
    recent = f"{site.graded_attempt.started_at:%Y-%m-%dT%H:%M:%SZ}"
    return {
        "quizzes": "/api/v1/quizzes",
        "results": "/api/v1/results",
        "results of a quiz": f"/api/v1/results?quiz={site.quiz.uuid}",
        "results of a class": f"/api/v1/results?group={site.measured_class.uuid}",
        "results, changed": f"/api/v1/results?updated_since={recent}",
        "result": f"/api/v1/results/{site.graded_attempt.uuid}",
        "results of a class, CSV": f"/api/v1/results.csv?group={site.measured_class.uuid}",
        "progress": f"{quiz}/progress",
        "statistics": f"{quiz}/statistics",
        "statistics, CSV": f"{quiz}/statistics.csv",
        "regrades": f"{quiz}/regrades",
        "answers to a question": f"{quiz}/questions/{site.question.uuid}/answers",
        "classes": "/api/v1/classes",
        "people of a class": f"{group}/people",
        "gradebook": f"{group}/gradebook",
        "gradebook, answers": f"{group}/gradebook/answers?quiz={site.quiz.uuid}",
        "challenges": "/api/v1/challenges",
        "audit events": "/api/v1/audit-events",
    }


def _hold_token(user: User) -> Client:
    _, token = issue_token(user=user, name="bench", scopes=Scope.values, days=1)
    return Client(HTTP_HOST="localhost", headers={"authorization": f"Bearer {token}"})


def measure_page(page: MeasuredPage) -> tuple[float, int, int]:
    """Return milliseconds, blocks and statements of a request, the least of several."""
    times, blocks = [], []
    for _ in range(REQUESTS):
        _run("SELECT pg_stat_statements_reset()")
        begun = time.perf_counter()
        _read(page)
        times.append(1000 * (time.perf_counter() - begun))
        blocks.append(int(_run(BLOCKS)))
    with CaptureQueriesContext(connection) as queries:
        _read(page)
    return min(times), min(blocks), len(queries)


def _read(page: MeasuredPage) -> int:
    answer = page.client.get(page.path)
    for _ in answer if answer.streaming else ():
        pass
    return answer.status_code


def _run(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def main() -> None:
    """Grow the site from size to size and measure all pages at each."""
    parser = argparse.ArgumentParser(prog="python -m bench.one_growth_run")
    parser.add_argument("sizes", type=int, nargs="+", help="responses, from the least on")
    parser.add_argument("--one-quiz", action="store_true", help="all of them at one quiz")
    parser.add_argument("--pages", default="", help="only those with these words in their name")
    options = parser.parse_args()
    site = build_site(one_quiz=options.one_quiz)
    own = Response.objects.count()
    first, last = site.block.bounds[Response]
    pages = {name: page for name, page in list_pages(site) if options.pages in name}
    if not pages:
        sys.exit(f"no page has {options.pages!r} in its name")
    copies = 0
    statuses = {name: _read(page) for name, page in pages.items()}
    if refused := [f"{name}: {status}" for name, status in statuses.items() if status != DONE]:
        sys.exit(f"not shown: {', '.join(refused)}")
    for size in options.sizes:
        more = max(0, (size - own) // (last - first) - copies)
        extend_site(site, range(copies + 1, copies + 1 + more))
        copies += more
        measured = {name: measure_page(page) for name, page in pages.items()}
        report = {"responses": Response.objects.count(), "pages": measured}
        sys.stdout.write(json.dumps(report) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
