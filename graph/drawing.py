"""The graph as a picture in text: what the README shows, and a test compares."""

from typing import Any

from graph.build import assemble
from graph.services import Services


def mermaid(services: Services) -> str:
    """Return the Mermaid text of the turn's graph for this roster. No model and no database is touched."""
    agents: Any = {spec.id: None for spec in services.roster.specs}
    return assemble(agents, services).compile().get_graph().draw_mermaid()
