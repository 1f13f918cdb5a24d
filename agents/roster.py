"""Who the specialists are: spec files loaded by path, each with its prompt and its examples beside it."""

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from agents.prompt import COMMON, Prompt, PromptError, render_prompt
from agents.spec import AgentSpec
from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE, RESPONDERS
from routing.model import Frozen
from routing.reasons import ReasonOverride, ReasonTable, merge
from tools.registry import TOOLS

_NOT_SPECIALISTS = (OUT_OF_SCOPE, NEEDS_QUESTION)


class RosterError(ValueError):
    """A roster that cannot work; the message names the file and what would be right."""


class Roster(Frozen):
    """The specialists in order. `prompts` and `files` (JSONL examples) are by id; the latter also for the two non-specialists."""

    specs: tuple[AgentSpec, ...]
    prompts: dict[str, Prompt]
    files: dict[str, Path]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(spec.id for spec in self.specs)

    def by_id(self, agent: str) -> AgentSpec:
        """Return a specialist. Raises KeyError for an unknown id."""
        for spec in self.specs:
            if spec.id == agent:
                return spec
        raise KeyError(agent)

    def reasons(self, overrides: Mapping[str, ReasonOverride] | None = None) -> ReasonTable:
        """Return who takes which `not_mine` reason; configuration overrides the specs. Raises ValueError as `merge` does."""
        names = {spec.id: (spec.display_name, spec.display_name_en, *spec.aliases) for spec in self.specs}
        return merge({spec.id: spec.reasons for spec in self.specs}, overrides, names=names)

    def prompt(self, agent: str) -> str:
        return self.prompts[agent].text

    def examples(self, target: str) -> Path:
        """Return the JSON Lines file of a specialist, of out_of_scope or of needs_question; it may not exist."""
        return self.files[target]


def load_roster(paths: Sequence[str], *, base: Path, fallback: Path) -> Roster:
    """Load the spec files of a roster.

    A path is looked for under `base` (the configuration's folder), then under `fallback` (the code's own). Raises
    RosterError, naming the file, for whatever would make a conversation fail later.
    """
    if not paths:
        raise RosterError("the roster is empty; name at least one spec file, for example agents/returns.py")
    files = [_find(path, base, fallback) for path in paths]
    specs = [_load(file) for file in files]
    taken: dict[str, Path] = {}
    reasons: dict[str, Path] = {}
    for spec, file in zip(specs, files, strict=True):
        _check(spec, file, taken, reasons)
    shared = fallback / "agents" / "prompts" / COMMON
    prompts = {spec.id: _prompt(spec, file, shared) for spec, file in zip(specs, files, strict=True)}
    examples = {spec.id: file.parent / "examples" / f"{spec.id}.jsonl" for spec, file in zip(specs, files, strict=True)}
    own = fallback / "agents" / "examples"
    folders = (*dict.fromkeys(file.parent / "examples" for file in files), own)
    for target in _NOT_SPECIALISTS:
        found = (folder / f"{target}.jsonl" for folder in folders)
        examples[target] = next((file for file in found if file.is_file()), own / f"{target}.jsonl")
    return Roster(specs=tuple(specs), prompts=prompts, files=examples)


def _find(path: str, base: Path, fallback: Path) -> Path:
    for folder in (base, fallback):
        if (file := folder / path).is_file():
            return file
    raise RosterError(f"{path}: no such spec file, neither under {base} nor beside the code; correct the roster")


def _load(file: Path) -> AgentSpec:
    loading = importlib.util.spec_from_file_location(f"roster_{file.stem}", file)
    if loading is None or loading.loader is None:
        raise RosterError(f"{file}: a spec file is a Python file (.py)")
    module = importlib.util.module_from_spec(loading)
    try:
        loading.loader.exec_module(module)
    except (ImportError, SyntaxError, ValidationError) as error:
        raise RosterError(f"{file}: {error}") from error
    found = getattr(module, "SPEC", None)
    if not isinstance(found, AgentSpec):
        raise RosterError(f"{file}: must define SPEC = AgentSpec(…)")
    return found


def _check(spec: AgentSpec, file: Path, taken: dict[str, Path], reasons: dict[str, Path]) -> None:
    if spec.id in taken:
        raise RosterError(f"{file}: id {spec.id!r} is taken by {taken[spec.id]}; choose another")
    if spec.id in (*RESPONDERS, *_NOT_SPECIALISTS) or not spec.id.isidentifier():
        raise RosterError(f"{file}: {spec.id!r} cannot be an id; use a name like 'retention' that no responder has")
    taken[spec.id] = file
    for tool in spec.tools:
        if tool not in TOOLS:
            raise RosterError(f"{file}: unknown tool {tool!r}; known: {', '.join(TOOLS)}")
    for reason in spec.reasons:
        if reason in reasons:
            raise RosterError(f"{file}: reason {reason!r} is taken by {reasons[reason]}; one specialist takes a reason")
        reasons[reason] = file


def _prompt(spec: AgentSpec, file: Path, shared: Path) -> Prompt:
    folder = file.parent / "prompts"
    common = folder / COMMON if (folder / COMMON).is_file() else shared
    values = {"display_name": spec.display_name, "role": spec.role}
    try:
        return render_prompt(folder / f"{spec.id}.md", common, values)
    except PromptError as error:
        raise RosterError(str(error)) from error
