"""Measure router, package and specialists apart: cases as data, scorers as code."""
