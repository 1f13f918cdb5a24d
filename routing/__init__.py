"""Who speaks now, what travels, who may do what: pure functions over frozen models."""
