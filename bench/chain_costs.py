"""What the chain and the receipt cost in Python: CPU of the pure functions, over many calls."""

import os
import time
from collections.abc import Callable
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from quizzes.attempts.journal import with_chain
from quizzes.attempts.models import Attempt, Response
from quizzes.attempts.receipts import build_receipt, sign_receipt
from quizzes.attempts.response_chain import append_to_chain
from quizzes.lib import clock
from quizzes.lib.hash_chain import START, chain_digest
from quizzes.results.grading_chain import grading_fields
from quizzes.results.models import Grading


def measure_chain_costs(attempt: UUID, calls: int) -> dict[str, tuple[int, float]]:
    """Return by name how often an attempt does it, and CPU ms a call over so many calls.

    The attempt is one that was taken, graded and receipted: each function gets its rows.
    """
    responses = list(Response.objects.filter(attempt__uuid=attempt).order_by("sequence"))
    previous, last = responses[-2], responses[-1]
    grading = Grading.objects.prefetch_related("item_results").get(attempt__uuid=attempt)
    item_results = list(grading.item_results.all())
    row = with_chain(Attempt.objects.filter(uuid=attempt)).get()
    now = clock.now()
    return {
        "response chained": (
            len(responses),
            _measure(lambda: append_to_chain(attempt, [last], previous), calls),
        ),
        "grading chained": (
            1,
            _measure(
                lambda: chain_digest(START, grading_fields(attempt, grading, item_results)), calls
            ),
        ),
        "receipt built and signed": (
            1,
            _measure(lambda: sign_receipt(build_receipt(row, now)), calls),
        ),
    }


def _measure(act: Callable[[], object], calls: int) -> float:
    act()
    begun = time.process_time()
    for _ in range(calls):
        act()
    return (time.process_time() - begun) * 1000 / calls
