"""Fixtures: a Bastão over a real database, as tests/graph makes it."""

from tests.graph.conftest import make_desk

__all__ = ["make_desk"]
