"""`manage.py commit_regrade`: regrade the attempts of a quiz by the newest key of a question."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.commands.lookup import get_person, get_question, get_quiz
from quizzes.commands.regrade_arguments import REFUSALS, add_rule_arguments, choose_policy
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.results.models import RegradeAction
from quizzes.results.regrading import commit_regrade, list_waiting


class Command(BaseCommand):
    help = (
        "Regrade the attempts of a quiz by the newest published key of a question, as"
        " preview_regrade shows with the same options; or drop the question, give full credit for"
        " it, make it a bonus, give it other points or another scoring method, or revert such a"
        " rule. The background task does it, within minutes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_rule_arguments(parser)
        parser.add_argument("--by", required=True, help="who answers for it: address or UUID")
        parser.add_argument("--reason", required=True, help="why; learners are to be told")

    def handle(self, *args: Any, **options: Any) -> None:
        quiz, question = get_quiz(options["quiz"]), get_question(options["question"])
        if question.current is None:
            raise CommandError(REFUSALS["not_published"], returncode=2)
        try:
            rule = commit_regrade(
                quiz=quiz,
                question=question,
                version=question.current.uuid,
                policy=choose_policy(options),
                action=RegradeAction(options["action"]),
                reverts=options["rule"],
                points=options["points"],
                scoring_method=options["scoring_method"],
                reason=options["reason"],
                by=get_person(options["by"]),
                now=clock.now(),
            )
        except NotFound:
            raise CommandError("This person does not teach the class of the quiz.") from None
        except (Refused, Invalid) as error:
            raise CommandError(REFUSALS[error.code], returncode=2) from None
        waiting = list_waiting(quiz.pk, rule.number).count()
        self.stdout.write(f"Rule {rule.number} of the quiz; {waiting} results wait for it.")
