"""Frees the garbage collector from what a process made while it started: that stays until its end.

Half a million objects of Django and its models are looked at in vain by each full collection. A
regrade of many attempts spent a third of its processor time on that (`bench/README.md`).
"""

import gc
from typing import Final

from celery.signals import worker_process_init

YOUNG_OBJECTS: Final = 10_000
"""How many new objects a collection waits for: Python's 700 come together in every attempt, and
nearly all of them go by themselves (ADR 79)."""


@worker_process_init.connect
def freeze_startup_objects(**_: object) -> None:
    """Leave out of future collections whatever there is now; may be repeated.

    Called in each process of gunicorn and of Celery's workers once it has started.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
