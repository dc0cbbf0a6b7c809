"""The same marks, ledgers, reveal decisions and files before and after the redesign."""

import json
from pathlib import Path

from tests.recording.recording import build_recording

RECORDED = Path(__file__).with_name("recorded.json")


def test_nothing_differs_from_the_recording_made_before_the_redesign():
    recorded, now = json.loads(RECORDED.read_text(encoding="utf-8")), build_recording()
    for section, cases in recorded.items():
        if isinstance(cases, str):
            assert now[section] == cases, section
            continue
        assert set(now[section]) == set(cases)
        different = {name for name, digest in cases.items() if now[section][name] != digest}
        assert different == set()
