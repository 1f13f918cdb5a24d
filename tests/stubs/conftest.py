"""The simulated providers for this folder."""

from tests.stubs.fixtures import control, put, stub

__all__ = ["control", "put", "stub"]
