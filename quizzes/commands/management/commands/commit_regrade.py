"""`manage.py commit_regrade`: regrade the attempts of a quiz by the newest key of a question."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.commands.lookup import get_person, get_question, get_quiz
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.results.models import RegradeAction, RegradePolicy
from quizzes.results.regrade_rules import POLICIES
from quizzes.results.regrading import LONGEST_REASON, commit_regrade, list_waiting

REFUSALS = {
    "not_published": "The question was never published.",
    "nothing_to_regrade": "No attempt of the quiz is concerned by it.",
    "nothing_to_revert": "The rule to revert is none of this question, or is reverted already.",
    "reverts_unknown": "--rule names the rule that is reverted, and goes with --action revert.",
    "policy_unknown": "This --policy is none of this --action.",
    "reason_missing": "Say why: --reason stays with the regrade.",
    "reason_too_long": f"The reason is too long: {LONGEST_REASON} characters at most.",
}


def choose_policy(action: RegradeAction) -> RegradePolicy:
    """Return the policy of an action by which nobody goes down, or the only one it has."""
    policies = POLICIES[action]
    return RegradePolicy.KEEP_BETTER if RegradePolicy.KEEP_BETTER in policies else policies[0]


class Command(BaseCommand):
    help = (
        "Regrade the attempts of a quiz by the newest published key of a question, as"
        " preview_regrade shows with the same policy; or drop the question, give full credit for"
        " it, or revert such a rule. The background task does it, within minutes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("quiz", help="short name of the quiz")
        parser.add_argument(
            "question", help="bank/name: short name of the bank, name of the question"
        )
        parser.add_argument("--by", required=True, help="who answers for it: address or UUID")
        parser.add_argument("--reason", required=True, help="why; learners are to be told")
        parser.add_argument(
            "--policy",
            choices=RegradePolicy.values,
            help="what is to become of older attempts; without it nobody goes down",
        )
        parser.add_argument(
            "--action",
            choices=RegradeAction.values,
            default=RegradeAction.KEY.value,
            help="by the newest key; full credit for everybody; drop the question; revert a rule",
        )
        parser.add_argument("--rule", type=int, help="number of the rule that is reverted")

    def handle(self, *args: Any, **options: Any) -> None:
        quiz, question = get_quiz(options["quiz"]), get_question(options["question"])
        action = RegradeAction(options["action"])
        if question.current is None:
            raise CommandError(REFUSALS["not_published"], returncode=2)
        try:
            rule = commit_regrade(
                quiz=quiz,
                question=question,
                version=question.current.uuid,
                policy=RegradePolicy(options["policy"] or choose_policy(action)),
                action=action,
                reverts=options["rule"],
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
