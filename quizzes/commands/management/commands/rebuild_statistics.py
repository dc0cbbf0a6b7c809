"""`manage.py rebuild_statistics`: count all attempts anew, and measure."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.lib import clock
from quizzes.publishing.models import QuizVersion
from quizzes.statistics.counting import count_changes, restart_counting
from quizzes.statistics.measuring import measure
from quizzes.statistics.models import QuizVersionStatistics


class Command(BaseCommand):
    help = (
        "Forget what statistics have counted, count every attempt from its stored grading, and"
        " measure. Pages show the figures of before until that is done."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quiz", help="short name of one quiz")

    def handle(self, *args: Any, **options: Any) -> None:
        quiz_versions = QuizVersion.objects.all()
        if options["quiz"]:
            quiz_versions = quiz_versions.filter(quiz__slug=options["quiz"])
            if not quiz_versions:
                raise CommandError("There is no published quiz of this name.", returncode=2)
        restart_counting(quiz_versions)
        looked_at = 0
        while batch := count_changes():
            looked_at += batch
        if batch is None:
            raise CommandError("Another process is counting, and goes on with it.")
        measured = QuizVersionStatistics.objects.filter(quiz_version__in=quiz_versions)
        for statistics in measured.defer("report"):
            measure(statistics, clock.now())
        self.stdout.write(
            f"{looked_at} attempts looked at, {len(measured)} quiz versions measured."
        )
