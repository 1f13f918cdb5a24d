"""Simulated remote providers: decision models and chat completions over real HTTP, with faults on order."""
