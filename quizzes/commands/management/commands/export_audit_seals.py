"""`manage.py export_audit_seals`: the signed seals of the audit log, to be kept elsewhere."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from quizzes.audit.digests import describe_seal
from quizzes.audit.models import AuditSeal


class Command(BaseCommand):
    help = "Print the seals of the audit log as JSON, a line each, with their signatures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--since", type=int, default=1, help="number of the first one")

    def handle(self, *args: Any, **options: Any) -> None:
        seals = AuditSeal.objects.filter(number__gte=options["since"]).order_by("number")
        for seal in seals.iterator(chunk_size=500):
            line = {"seal": describe_seal(seal), "key": seal.key, "signature": seal.signature}
            self.stdout.write(json.dumps(line, ensure_ascii=False))
