"""One stage of a corrected key in a process of its own: `python -m bench.one_regrade_run STAGE`.

`fill ATTEMPTS` fills an empty PostgreSQL and corrects the key of a question; `preview` and
`commit POLICY` say what the site says, to all attempts; `check` compares the record with the
preview. Each prints JSON: seconds by the clock and of CPU of the process, the most memory in MB
that it had, and its outcome. What the preview said and the record does not have, or a run that
failed, ends it with 1. Stages tell each other by a file in OCHENTA_DATA_DIR.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from django.conf import settings

from accounts.models import User
from bench.growth_site import LEARNERS, build_site, extend_site
from bench.sessions import open_session
from config.startup_objects import freeze_startup_objects
from quizzes.attempts.models import Attempt
from quizzes.bank import services as bank
from quizzes.bank.models import Draft, Question
from quizzes.document import QuestionDocument
from quizzes.lib import clock
from quizzes.lib.statements import allow_long_statements
from quizzes.publishing.models import Quiz
from quizzes.results.models import RegradePolicy, Result
from quizzes.results.regrade_preview import ProposedRule, preview_rule
from quizzes.results.regrading import RegradeRun, commit_regrade, continue_regrades

POLICY = RegradePolicy.KEEP_BETTER
BUSY_LEARNERS = 4
"""How many learners have a session: those who go on while the regrade runs."""
Report = dict[str, Any]


def correct_key(question: Question) -> None:
    """Publish the question with the first of its two right options alone."""
    data = Draft.objects.get(question=question).data
    data = {**data, "key": {"right": data["key"]["right"][:1]}}
    bank.save_draft(
        question=question, item=QuestionDocument.from_json(data), revision=None, by=None
    )
    bank.publish(question=question, by=None, now=clock.now())


def preview_totals(quiz: Quiz, question: Question) -> dict[int, Fraction]:
    """Return the total after the rule, by result, of those that it changes."""
    previews = preview_rule(quiz=quiz, question=question, proposed=ProposedRule((POLICY,)))
    return {
        row.result.pk: row.after.total
        for (row,) in previews
        if row.changes and row.after is not None
    }


def measure(run: Callable[[], Any]) -> tuple[Report, Any]:
    """Run; return what it cost, and what it returned."""
    begun, begun_cpu = time.perf_counter(), time.process_time()
    outcome = run()
    return {
        "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - begun_cpu,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }, outcome


def fill(count: int) -> Report:
    """Fill a quiz with so many attempts, and correct a key."""
    site = build_site(one_quiz=True)
    extend_site(site, range(1, 1 + max(0, count - Result.objects.count()) // LEARNERS))
    correct_key(site.question)
    learners = User.objects.filter(memberships__group=site.measured_class, results__quiz=site.quiz)
    free = learners.exclude(pk=site.learner.pk).distinct().order_by("pk")  # that one has begun
    sessions = [open_session(learner) for learner in free[:BUSY_LEARNERS]]
    state = {"quiz": site.quiz.pk, "question": site.question.pk, "by": site.administrator.pk}
    _write("site", state)
    attempts = Attempt.objects.filter(quiz=site.quiz).count()
    return {"attempts": attempts, "quiz": site.quiz.slug, "sessions": sessions}


def preview() -> Report:
    """Preview the correction, and note the totals that it comes to."""
    quiz, question, _ = _load_site()
    report, totals = measure(lambda: preview_totals(quiz, question))
    _write("totals", {pk: [total.numerator, total.denominator] for pk, total in totals.items()})
    return {**report, "changed": len(totals)}


def commit(policy: RegradePolicy) -> Report:
    """Commit the correction, and apply it to all attempts."""
    quiz, question, by = _load_site()
    now = clock.now()
    commit_regrade(
        quiz=quiz,
        question=question,
        version=question.current.uuid,  # type: ignore[union-attr]  # published by `fill`
        policy=policy,
        reason="The key was wrong.",
        by=by,
        now=now,
    )
    report, run = measure(lambda: continue_regrades(now=now))
    if run.failed:
        sys.exit(f"the run failed: {run}")
    return {**report, "regraded": run.regraded}


def check() -> Report:
    """Run once more, which changes nothing, and compare the record with the preview."""
    report, again = measure(lambda: continue_regrades(now=clock.now()))
    totals = {int(pk): Fraction(*total) for pk, total in _read("totals").items()}
    rows = Result.objects.filter(quiz=_read("site")["quiz"]).select_related("grading")
    compared = 0
    for row in rows.only("grading__total_numerator", "grading__total_denominator").iterator():
        if row.pk in totals:
            compared += 1
            if row.grading.total != totals[row.pk]:
                sys.exit("the preview said other points than the record has")
    if again != RegradeRun() or compared != len(totals):
        sys.exit(f"the second run: {again}; {compared} of {len(totals)} results were compared")
    return report


def _load_site() -> tuple[Quiz, Question, User]:
    state = _read("site")
    question = Question.objects.select_related("current").get(pk=state["question"])
    return Quiz.objects.get(pk=state["quiz"]), question, User.objects.get(pk=state["by"])


def _path(name: str) -> Path:
    return Path(settings.DATA_DIR) / f"regrade-{name}.json"


def _write(name: str, state: Report) -> None:
    _path(name).write_text(json.dumps(state))


def _read(name: str) -> Report:
    state: Report = json.loads(_path(name).read_text())
    return state


def main(stage: str, *arguments: str) -> None:
    """Do one stage, as a worker that has started would, and print its report."""
    freeze_startup_objects()
    stages: dict[str, Callable[..., Report]] = {
        "fill": lambda count: fill(int(count)),
        "preview": preview,
        "commit": lambda policy: commit(RegradePolicy(policy)),
        "check": check,
    }
    sys.stdout.write(json.dumps(stages[stage](*arguments)) + "\n")


if __name__ == "__main__":
    with allow_long_statements():
        main(*sys.argv[1:])
