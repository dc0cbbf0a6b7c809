"""What the commands that preview and commit a regrade take alike."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from quizzes.lib.number_parsing import parse_points
from quizzes.results.models import RegradeAction, RegradePolicy
from quizzes.results.regrade_rules import MAX_POINTS, POLICIES
from quizzes.results.regrading import LONGEST_REASON

REFUSALS = {
    "not_published": "The question was never published.",
    "nothing_to_regrade": "No attempt of the quiz is concerned by it.",
    "nothing_to_revert": "The rule to revert is none of this question, or is reverted already.",
    "reverts_unknown": "--rule names the rule that is reverted, and goes with --action revert.",
    "points_unknown": "--points goes with --action points: more than 0, four decimals at most.",
    "scoring_method_unknown": "--scoring-method is one of its kind, with --action method.",
    "policy_unknown": "This --policy is none of this --action.",
    "reason_missing": "Say why: --reason stays with the regrade.",
    "reason_too_long": f"The reason is too long: {LONGEST_REASON} characters at most.",
}


def read_points(text: str) -> Fraction:
    """Return the points of an option; what is no such number is a mistake of the command line."""
    points = parse_points(text, maximum=Fraction(MAX_POINTS))
    if points is None:
        raise ArgumentTypeError(f"{text} is no number from 0 to {MAX_POINTS}")
    return points


def add_rule_arguments(parser: ArgumentParser) -> None:
    """Add quiz, question, and what is done: action, policy, and the rule that is reverted."""
    parser.add_argument("quiz", help="short name of the quiz")
    parser.add_argument("question", help="bank/name: short name of the bank, name of the question")
    parser.add_argument(
        "--policy",
        choices=RegradePolicy.values,
        help="what is to become of older attempts; without it nobody goes down",
    )
    parser.add_argument(
        "--action",
        choices=RegradeAction.values,
        default=RegradeAction.KEY.value,
        help="by the newest key; full credit for everybody; drop the question; count it as a"
        " bonus; other points; another scoring method; revert a rule",
    )
    parser.add_argument("--points", type=read_points, help="what the question is worth from now on")
    parser.add_argument("--scoring-method", default="", help="how it is scored from now on")
    parser.add_argument("--rule", type=int, help="number of the rule that is reverted")


def choose_policy(options: Mapping[str, Any]) -> RegradePolicy:
    """Return the policy that is named; else that by which nobody goes down, or the only one."""
    if options["policy"]:
        return RegradePolicy(options["policy"])
    policies = POLICIES[RegradeAction(options["action"])]
    return RegradePolicy.KEEP_BETTER if RegradePolicy.KEEP_BETTER in policies else policies[0]
