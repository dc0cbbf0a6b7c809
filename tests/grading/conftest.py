"""The scoring core's tests: examples and properties."""

from tests.hypothesis_profile import load_profile

load_profile()
