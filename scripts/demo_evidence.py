"""What the demo keeps of a turn, for whoever wants to look at all of it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graph.events import Event
from ops.turn_view import TurnView, turn_json

Json = dict[str, Any]


def record(view: TurnView, events: Sequence[Event], look: str) -> Json:
    """Return the evidence of a turn: what `scripts.chat --json` gives, the whole decision, each package, every event."""
    return {
        **turn_json(view),
        "look": look,
        "decision": view.decision.model_dump(mode="json") if view.decision else None,
        "packages": [handoff.package for handoff in view.handoffs],
        "events": [event.model_dump(mode="json") for event in events if event.type != "token"],
    }


def write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", "utf-8")
