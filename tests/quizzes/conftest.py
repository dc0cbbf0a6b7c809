"""The tests of the apps."""

from tests.hypothesis_profile import load_profile

load_profile()
