"""A corrected key in this process: `python -m bench.one_regrade_run ATTEMPTS`, on PostgreSQL.

Prints as JSON: `attempts`, seconds of the `preview`, of the `commit` and of a `second` run, the
most `memory` in MB after the preview and after all, and how many results `changed`. What the
preview said and the record does not have, or a second run that changes something, ends it with 1.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from bench.growth_site import LEARNERS, build_site, extend_site
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


def correct_key(question: Question) -> None:
    """Publish the question with the first of its two right options alone."""
    data = Draft.objects.get(question=question).data
    data = {**data, "key": {"right": data["key"]["right"][:1]}}
    bank.save_draft(
        question=question, item=QuestionDocument.from_json(data), revision=None, by=None
    )
    bank.publish(question=question, by=None, now=clock.now())
    question.refresh_from_db()


def preview_totals(quiz: Quiz, question: Question) -> dict[int, Fraction]:
    """Return the total after the rule, by result, of those that it changes."""
    previews = preview_rule(quiz=quiz, question=question, proposed=ProposedRule((POLICY,)))
    return {
        row.result.pk: row.after.total
        for (row,) in previews
        if row.changes and row.after is not None
    }


def _timed(run: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    outcome = run()
    return time.perf_counter() - begun, outcome


def _read_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(count: int) -> None:
    """Fill a quiz with so many attempts, correct a key, preview, commit, and compare."""
    site = build_site(one_quiz=True)
    extend_site(site, range(1, 1 + max(0, count - Result.objects.count()) // LEARNERS))
    quiz, question = site.quiz, site.question
    correct_key(question)
    preview, totals = _timed(lambda: preview_totals(quiz, question))
    memory = [_read_memory()]
    now = clock.now()
    commit_regrade(
        quiz=quiz,
        question=question,
        version=question.current.uuid,  # type: ignore[union-attr]  # published above
        policy=POLICY,
        reason="The key was wrong.",
        by=site.administrator,
        now=now,
    )
    commit, run = _timed(lambda: continue_regrades(now=now))
    second, again = _timed(lambda: continue_regrades(now=now))
    memory.append(_read_memory())
    changed = Result.objects.filter(pk__in=totals.keys()).select_related("grading")
    if any(row.grading.total != totals[row.pk] for row in changed.iterator()):
        sys.exit("the preview said other points than the record has")
    if run.failed or again != RegradeRun():
        sys.exit(f"the first run: {run}; the second: {again}")
    sys.stdout.write(
        json.dumps(
            {
                "attempts": Attempt.objects.filter(quiz=quiz).count(),
                "changed": len(totals),
                "preview": preview,
                "commit": commit,
                "second": second,
                "memory": memory,
            }
        )
        + "\n"
    )


if __name__ == "__main__":
    with allow_long_statements():
        main(int(sys.argv[1]))
