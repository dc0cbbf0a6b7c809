"""`manage.py export_checkpoint`: a signed checkpoint with its entries, to be kept elsewhere."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quizzes.lib import clock
from quizzes.results.checkpoints import export_checkpoint, make_checkpoint
from quizzes.results.models import Checkpoint


class Command(BaseCommand):
    help = "Print a checkpoint as JSON, one line the signed summary, then one line an attempt."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--number", type=int, help="which one; without it the newest")
        parser.add_argument("--make", action="store_true", help="make one now, and print it")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["make"]:
            make_checkpoint(now=clock.now())
        rows = Checkpoint.objects.order_by("number")
        if options["number"] is not None:
            rows = rows.filter(number=options["number"])
        checkpoint = rows.last()
        if checkpoint is None:
            raise CommandError("There is no such checkpoint.")
        for line in export_checkpoint(checkpoint):
            self.stdout.write(json.dumps(line))
