"""What a process made while it started is left out of collections."""

import gc

import pytest
from celery.signals import worker_process_init

from config.celery import app
from config.startup_objects import YOUNG_OBJECTS, freeze_startup_objects


@pytest.fixture(autouse=True)
def _as_before():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_objects_of_the_start_are_left_out_and_later_ones_are_not():
    first: list[object] = []
    first.append(first)
    freeze_startup_objects()
    later: list[object] = []
    assert not any(each is first for each in gc.get_objects())
    assert any(each is later for each in gc.get_objects())
    assert gc.get_threshold()[0] == YOUNG_OBJECTS


def test_each_process_of_a_worker_does_it():
    assert "config.startup_objects" in app.conf.imports
    before = gc.get_freeze_count()
    assert freeze_startup_objects in [called() for _, called in worker_process_init.receivers]
    freeze_startup_objects(sender=None, signal=worker_process_init)
    assert gc.get_freeze_count() > before
