"""What the nursery imports once, so that a child is there in milliseconds."""

from importlib import import_module

for name in (
    "tests.torture.child",
    "tests.torture.worker",
    "agents.models.openai_compatible",
    "openai.resources.chat.completions",
):
    import_module(name)
