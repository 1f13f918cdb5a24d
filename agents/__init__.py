"""Specialists as data, and the chat models that speak for them."""
