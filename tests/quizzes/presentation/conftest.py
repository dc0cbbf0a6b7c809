"""What the tests of pages share."""

import pytest


@pytest.fixture(autouse=True)
def _complete_contexts(failed_lookups):
    """Let a page fail whose template asks for what its context does not have."""
