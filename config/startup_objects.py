"""Frees the garbage collector from what a process made while it started: that stays until its end.

Half a million objects of Django and its models are looked at in vain by each full collection. A
regrade of many attempts spent a third of its processor time on that (`bench/README.md`).
"""

import gc

from celery.signals import worker_process_init


@worker_process_init.connect
def freeze_startup_objects(**_: object) -> None:
    """Leave out of future collections whatever there is now; may be repeated.

    Called in each process of gunicorn and of Celery's workers once it has started.
    """
    gc.collect()
    gc.freeze()
