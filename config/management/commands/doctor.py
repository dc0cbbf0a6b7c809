"""`manage.py doctor`: say what is wrong with a deployment."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from config.doctor.examination import examine
from config.doctor.findings import DeploymentFinding


class Command(BaseCommand):
    help = (
        "Say in sentences what is wrong with this deployment, why it matters and what to do. "
        "Run it where a process of the site runs, in its environment. Exit status: 0, all is "
        "well, or known; 1, something is wrong."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", default="", help="ask the running site at this address, too")
        parser.add_argument(
            "--accept",
            action="append",
            default=[],
            metavar="CODE",
            help="a finding that is known: it is told, but is no failure",
        )
        parser.add_argument("--json", action="store_true", help="the findings as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = list(dict.fromkeys(examine(options["url"])))
        accepted = set(options["accept"])
        is_healthy = all(finding.code in accepted for finding in findings)
        if options["json"]:
            report = {
                "healthy": is_healthy,
                "findings": [
                    {**asdict(finding), "accepted": finding.code in accepted}
                    for finding in findings
                ],
            }
            self.stdout.write(json.dumps(report, indent=1))
        else:
            for finding in findings:
                self._write(finding, is_accepted=finding.code in accepted)
            if is_healthy:
                self.stdout.write("This deployment is well.")
        if not is_healthy:
            raise SystemExit(1)

    def _write(self, finding: DeploymentFinding, *, is_accepted: bool) -> None:
        mark = " (accepted)" if is_accepted else ""
        self.stdout.write(f"[{finding.code}]{mark} {finding.what}")
        self.stdout.write(f"  Why: {finding.why}")
        self.stdout.write(f"  What to do: {finding.remedy}")
