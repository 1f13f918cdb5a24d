"""Fixtures of the surfaces."""

from tests.surfaces import in_process, surface_data, surface_environ

__all__ = ["in_process", "surface_data", "surface_environ"]
