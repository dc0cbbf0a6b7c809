"""A task in a process of its own: `python -m quizzes.imports.task_process`, its words on stdin.

Where there is no worker, the web process starts this for a large file: to compare it with a bank,
or to write it, takes seconds of CPU, which pages of learners would share in the same interpreter.
"""

import os
import sys

import django
from django.utils.module_loading import import_string


def main(name: str, pk: str) -> None:
    """Do one task of one import.

    While it reads and plans, pages come first. Not while it writes: on SQLite everybody who saves
    waits for its transaction.
    """
    if name == "read_import":
        os.nice(10)
    django.setup()
    # It needs Django to be set up.
    tasks = import_string("quizzes.imports.tasks.NEXT_TASK").values()
    {task.__name__: task for task in tasks}[name].run(int(pk))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(*sys.stdin.read().split())
