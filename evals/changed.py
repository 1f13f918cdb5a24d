"""Which suites a change can move: a table from paths to suites, the first rule that fits a path. Pure.

It selects what to look at before a merge, no more: the gate runs all suites. What no rule knows runs them all.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from evals.results import Suite

ALL: tuple[Suite, ...] = ("router", "handoff", "specialist")
_ROUTER: tuple[Suite, ...] = ("router",)
_HANDOFF: tuple[Suite, ...] = ("handoff",)
_SPECIALIST: tuple[Suite, ...] = ("specialist",)


@dataclass(frozen=True, slots=True)
class Rule:
    """Paths (`*` also crosses folders), the suites that they can move, and why in words."""

    patterns: tuple[str, ...]
    suites: tuple[Suite, ...]
    why: str


def _routing(*names: str) -> tuple[str, ...]:
    return tuple(f"routing/{name}.py" for name in names)


RULES: tuple[Rule, ...] = (
    # Cases first: they lie beside the code that reads them.
    Rule(("evals/cases/router/*.jsonl", "evals/cases/baselines/*"), _ROUTER, "cases and baselines of the router"),
    Rule(("evals/cases/handoff/*.jsonl",), _HANDOFF, "cases of the package"),
    Rule(("evals/cases/specialist/*.jsonl", "evals/cases/customers/*.jsonl"), _SPECIALIST, "cases of the specialists"),
    Rule(("agents/prompts/*",), _SPECIALIST, "a prompt: what a specialist does and says"),
    Rule(("evals/cases/*", "evals/results/*", "*.md", "*.png", "*.svg", "docs/*"), (), "read by people; no suite reads it"),
    # What decides who speaks.
    Rule(("agents/examples*", "routing/providers/*"), _ROUTER, "the classifier and what it learns from"),
    Rule(_routing("reasons"), ("router", "handoff"), "the reasons table: who takes what"),
    Rule(
        _routing(
            "addressing", "answers", "choices", "clarification", "courtesy*", "decision", "done_words", "people_words", "policy",
            "question", "respond", "sensing", "sensitive*", "short_forms", "solved_words", "subjects", "topics", "turn_*",
            "upset_words", "validation",
        ), _ROUTER, "the rules and the policy that decide who speaks",
    ),
    # What a transfer carries.
    Rule(_routing("briefing*"), ("handoff", "specialist"), "the briefing: what is left of a package for a specialist to read"),
    Rule(
        _routing(
            "dialogue", "extraction*", "facts", "learning", "package", "records", "summary", "termination", "tokens",
            "values",
        ), _HANDOFF, "the package, the facts, and how they are found",
    ),
    # What a specialist does and says.
    Rule(
        ("routing/sentences/*", *_routing(
            "authority", "calendar", "claims*", "confirmation", "contact_ending", "grounding", "machine_words", "opening",
            "own_request", "prompt_leak", "queue_moves", "showable",
        )), _SPECIALIST, "what may be done and what may be said",
    ),
    Rule(("routing/*",), ALL, "a rule that all suites stand on"),
    Rule(("tools/*", "agents/models/*", "agents/offline/*"), _SPECIALIST, "tools and chat models"),
    Rule(("agents/*",), ALL, "a specialist: its role and reasons (router, handoff), its tools (specialist)"),
    Rule(("graph/limits.py",), ("handoff", "specialist"), "the window of the dialogue, and where work ends"),
    Rule(("graph/*", "storage/*"), _SPECIALIST, "only specialists and simulated customers are played in the graph"),
    Rule(("stubs/shop*",), (), "a stand-in for a remote shop: no suite asks it"),
    Rule(("stubs/*", "ops/deciding.py", "ops/calibration*.py", "ops/spend.py"), _ROUTER, "how providers are built and simulated"),
    Rule(("config.json", "settings.py", "ops/configuration.py", "requirements.txt"), ALL, "what all suites are composed of"),
    Rule(("ops/*",), (), "queue, privacy, metrics and maintenance: tests hold them, no suite runs them"),
    # The suites themselves.
    Rule(
        (
            "evals/changed.py", "evals/claims.py", "evals/compare.py", "evals/logs.py", "evals/outcomes*.py",
            "evals/model_*.py",
        ), (), "a command of its own beside the suites",
    ),
    Rule(
        (
            "evals/router*.py", "evals/baselines.py", "evals/calibration.py", "evals/paired.py",
            "scripts/evaluate_desks.py",
        ), _ROUTER, "the router suite",
    ),
    Rule(
        ("evals/integrity*.py", "evals/padding.py", "evals/playing.py", "evals/wanted.py"), _HANDOFF, "the handoff suite"
    ),
    Rule(
        (
            "evals/specialist*.py", "evals/customers*.py", "evals/checking.py", "evals/expecting.py", "evals/first_day.py",
            "evals/fixed_package.py", "evals/pass_hat.py", "evals/seen.py", "evals/text_lint.py", "scripts/specialist_place.py",
        ), _SPECIALIST, "the specialist suite",
    ),
    Rule(("evals/*", "scripts/evaluate*.py"), ALL, "what all suites share"),
    Rule(
        ("ui/*", "api/*", "app.py", "scripts/*", "examples/*", "bench/*", ".streamlit/*", "langgraph.json"), (),
        "a surface: it draws what the suites measure",
    ),
    Rule(("tests/*",), (), "tests: pytest runs them, no suite does"),
    Rule(
        (
            ".ci/*", ".gitignore", ".dockerignore", ".env.example", "Dockerfile", "Makefile", "compose*", "pyproject.toml",
            "requirements-*.txt",
        ), (), "how it is built and started",
    ),
)  # fmt: skip
UNKNOWN = Rule(("*",), ALL, "no rule knows this path")


@dataclass(frozen=True, slots=True)
class Selection:
    """The suites to run, in their order, and which rule each path fell under."""

    suites: tuple[Suite, ...]
    by_rule: tuple[tuple[Rule, tuple[str, ...]], ...]

    @property
    def lines(self) -> list[str]:
        """Say what was selected and why, a line per rule."""
        return [
            f"{', '.join(rule.suites) or 'none'}: {rule.why} ({_named(paths)})" for rule, paths in self.by_rule
        ] or ["nothing was changed"]


def rule_of(path: str) -> Rule:
    """Return the rule of a path, written with slashes from the root of the repository."""
    return next((rule for rule in RULES if any(fnmatchcase(path, each) for each in rule.patterns)), UNKNOWN)


def select(paths: Iterable[str]) -> Selection:
    """Return the suites that a change of these paths can move."""
    found: dict[Rule, list[str]] = {}
    for path in sorted(set(paths)):
        found.setdefault(rule_of(path), []).append(path)
    wanted = {suite for rule in found for suite in rule.suites}
    return Selection(
        suites=tuple(suite for suite in ALL if suite in wanted),
        by_rule=tuple((rule, tuple(those)) for rule, those in found.items()),
    )


def _named(paths: tuple[str, ...], *, most: int = 3) -> str:
    more = len(paths) - most
    return ", ".join(paths[:most]) + (f" and {more} more" if more > 0 else "")
