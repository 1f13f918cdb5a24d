"""The offline chat model: a deterministic conversation policy instead of weights."""
