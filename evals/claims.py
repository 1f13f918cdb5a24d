"""How many false announcements the claims check catches, and how many innocent sentences it blocks.

`python -m evals.claims --false F … --innocent F …`: JSONL rows {"id", "kind", "lang", "text", "context"?}.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue, ValidationError

from evals.datasets import BadCases, read_cases
from evals.results import Share
from routing.claims import check_claims
from routing.facts import Commitment, ExecutedAction, Fact
from routing.model import Frozen, Language
from routing.shop import Receipt
from tools.registry import TOOLS

PROMPTS = Path(__file__).parents[1] / "agents" / "prompts"
AT = datetime(2026, 11, 30, 14, tzinfo=UTC)
# A false approval, refund or cancellation costs a customer money: these are counted apart.
GRAVE = ("approval", "refund", "cancel")


class Context(Frozen):
    """What a reply may lean on, as a row writes it: ids, times and authors are filled in."""

    receipts: tuple[Receipt, ...] = ()
    facts: tuple[dict[str, Any], ...] = ()
    actions: tuple[dict[str, Any], ...] = ()
    commitments: tuple[dict[str, Any], ...] = ()
    policies: tuple[str, ...] = ()
    tool_data: tuple[JsonValue, ...] = ()
    transferred_to: tuple[str, ...] = ()
    heard: tuple[str, ...] | None = None
    today: date | None = None

    def given(self) -> dict[str, Any]:
        """Return the arguments of the check. Raises ValidationError for what is no fact, action or commitment."""
        return {
            "receipts": self.receipts, "policies": self.policies, "tool_data": self.tool_data,
            "transferred_to": self.transferred_to, "heard": self.heard, "today": self.today,
            "facts": [Fact.model_validate({"id": f"f{n}", "at": AT, "turn": 1, **f}) for n, f in enumerate(self.facts)],
            "actions": [ExecutedAction.model_validate({"effect_id": "e", "status": "done", "at": AT, **a}) for a in self.actions],
            "commitments": [Commitment.model_validate({"id": "c", "by": "desk", "at": AT, **c}) for c in self.commitments],
        }  # fmt: skip


class ClaimCase(Frozen):
    """A sentence or a reply. `kind` is what it announces falsely, or why it is innocent."""

    id: str
    kind: str
    lang: Language
    text: str
    context: Context = Context()
    why: str = ""


class Scored(Frozen):
    """A case and the kinds of violation that the check found in it."""

    case: ClaimCase
    found: tuple[str, ...]


def prompt_text(paths: Iterable[Path]) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def score(cases: Sequence[ClaimCase], *, prompt: str = "") -> tuple[Scored, ...]:
    """Run the check on each case with the shop's own tool names."""
    return tuple(
        Scored(
            case=case,
            found=tuple(
                found.kind
                for found in check_claims(
                    case.text, language=case.lang, tool_names=tuple(TOOLS), prompt=prompt, **case.context.given()
                )
            ),
        )
        for case in cases
    )


def share(scored: Sequence[Scored], *, kinds: Sequence[str] | None = None) -> Share:
    """Return the part in which something was found, of all or of these kinds."""
    counted = [row for row in scored if kinds is None or row.case.kind in kinds]
    return Share(hits=sum(bool(row.found) for row in counted), n=len(counted))


def report(scored: Sequence[Scored], *, side: Literal["false", "innocent"]) -> list[str]:
    """Return the figures as lines, and each case on which the check was wrong."""
    word = "caught" if side == "false" else "blocked"
    lines = [f"{side}: {word} {share(scored)}"]
    if side == "false":
        lines.append(f"  {' + '.join(GRAVE):<28} {share(scored, kinds=GRAVE)}")
    lines += [f"  {kind:<28} {share(scored, kinds=[kind])}" for kind in dict.fromkeys(row.case.kind for row in scored)]
    wrong = [row for row in scored if bool(row.found) is (side == "innocent")]
    return lines + [f"  {row.case.id} {row.case.kind} {','.join(row.found)}: {row.case.text!r}" for row in wrong]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures. Exit 2 when there is nothing to score."""
    parser = argparse.ArgumentParser(prog="python -m evals.claims", description=__doc__)
    parser.add_argument("--false", type=Path, nargs="+", default=[], metavar="F", help="rows that must be caught")
    parser.add_argument("--innocent", type=Path, nargs="+", default=[], metavar="F", help="rows that must pass")
    parser.add_argument("--prompt", type=Path, nargs="*", default=sorted(PROMPTS.glob("*.md")), metavar="F")
    given = parser.parse_args(argv)
    if not given.false and not given.innocent:
        parser.error("nothing to score: give --false or --innocent")
    try:
        prompt = prompt_text(given.prompt)
        if given.false:
            print("\n".join(report(score(read_cases(ClaimCase, given.false), prompt=prompt), side="false")))
        if given.innocent:
            print("\n".join(report(score(read_cases(ClaimCase, given.innocent), prompt=prompt), side="innocent")))
    except (BadCases, ValidationError, OSError) as error:
        print(f"claims: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
