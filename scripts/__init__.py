"""Commands: arguments and one call each. `python -m scripts` lists them."""
