"""What config.json may hold: every key that a person edits, its form, and what is said of one that is wrong."""

from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from agents.models.registry import ChatModelSettings
from ops.deciding import DecisionSettings
from ops.logs import LogSettings
from ops.oidc import OidcSettings
from ops.retention import RetentionSettings
from ops.tracing import TraceSettings
from ops.webhook import WebhookSettings
from routing.authority import AuthorityPolicy
from routing.budget import BudgetLimits, Prices
from routing.calendar import OpeningHours
from routing.model import Language
from routing.reasons import ReasonOverride
from routing.sensing import ASKED
from routing.sensitive import DEFAULT_TOPICS, ByExample
from tools.contract import Confirm


class ConfigurationError(ValueError):
    """The configuration cannot be used. The message names the path in the file and what would be right."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ShopSettings(_Section):
    """Which order system: `adapter` is "module:Class", a module of ours or a file beside config.json.

    `demo_customers` are the ids that the pages and the terminal offer in demo mode.
    """

    name: str = Field(min_length=1)
    adapter: str = "storage.shop:PgShop"
    options: dict[str, Any] = {}
    demo_customers: tuple[str, ...] = ("c1", "c2", "c3")


class ChannelSettings(_Section):
    quiet_s: float = Field(default=0.0, ge=0, le=12)


class ApiSettings(_Section):
    """`origins` are the sites whose pages may use the API from a browser, like "https://loja.example"."""

    origins: tuple[Annotated[str, Field(pattern=r"^https?://[^/\s*]+$")], ...] = ()


class PeopleSettings(OpeningHours):
    """When people answer, how long a claim lasts that nobody works on, and where items of the queue are announced."""

    claim_timeout_minutes: int = Field(default=30, ge=1, le=24 * 60)
    webhook: WebhookSettings | None = None

    @property
    def hours(self) -> OpeningHours:
        return OpeningHours.model_validate(self.model_dump(include=set(OpeningHours.model_fields)))


class SensitiveSettings(_Section):
    """Overrides of one sensitive topic; what is left out keeps its default."""

    priority: int | None = None
    may_go_on: bool | None = None
    text_pt: str | None = None
    text_en: str | None = None
    phrases: tuple[str, ...] = ()


class LimitSettings(_Section):
    """Overrides of graph.limits.Limits, validated there."""

    model_config = ConfigDict(frozen=True, extra="allow")


class SuiteBounds(_Section):
    """What a suite of evals/ must reach: figures by their dotted paths, floors in `at_least`, ceilings in `at_most`."""

    at_least: dict[str, float] = {}
    at_most: dict[str, float] = {}


class EvalSettings(_Section):
    """When `scripts.evaluate` fails. Nothing here changes how a turn is answered."""

    floors: dict[Literal["router", "handoff", "specialist"], SuiteBounds] = {}


class Settings(_Section):
    """All that a person edits, validated. `base` is the folder of the configuration file."""

    base: Path
    mode: Literal["demo", "production"]
    language: Language = "pt"
    timezone: str = "America/Sao_Paulo"
    shop: ShopSettings
    roster: tuple[str, ...] = Field(min_length=1)
    chat_model: ChatModelSettings = ChatModelSettings()
    decision: DecisionSettings = DecisionSettings()
    reasons: dict[str, ReasonOverride] = {}
    authority: AuthorityPolicy = AuthorityPolicy()
    confirmation: dict[str, Confirm] = {}
    sensitive: dict[str, SensitiveSettings] = {}
    read_by_example: ByExample = ByExample()
    claims: Literal["observe", "enforce"] = "enforce"
    on_disconnect: Literal["finish", "cancel"] = "finish"
    budget: BudgetLimits = BudgetLimits()
    prices: Prices = Prices()
    limits: LimitSettings = LimitSettings()
    people: PeopleSettings = PeopleSettings()
    channels: dict[str, ChannelSettings] = {}
    api: ApiSettings = ApiSettings()
    retention: RetentionSettings = RetentionSettings()
    logs: LogSettings = LogSettings()
    evals: EvalSettings = EvalSettings()
    sign_in: OidcSettings | None = None
    traces: TraceSettings = TraceSettings()

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError("not a time zone; write one like America/Sao_Paulo") from error
        return name

    @field_validator("sensitive")
    @classmethod
    def _known_topics(cls, overrides: dict[str, SensitiveSettings]) -> dict[str, SensitiveSettings]:
        known = [topic.id for topic in DEFAULT_TOPICS]
        if unknown := sorted(set(overrides) - set(known)):
            raise ValueError(f"unknown topic {unknown[0]!r}; known: {', '.join(known)}")
        return overrides

    @field_validator("read_by_example")
    @classmethod
    def _known_signs(cls, reading: ByExample) -> ByExample:
        known = [ASKED, *(topic.id for topic in DEFAULT_TOPICS)]
        if unknown := sorted(set(reading.thresholds) - set(known)):
            raise ValueError(f"unknown sign {unknown[0]!r}; known: {', '.join(known)}")
        return reading


def explained(
    path: Path, error: ValidationError, *, under: tuple[str, ...] = (), known: type[BaseModel] = Settings
) -> str:
    """Say what is wrong with the file, a line for each place.

    A part that is validated on its own says where it stands (`under`) and which model's keys are `known` there.
    """
    lines = [f"{path.name} cannot be used:"]
    for problem in error.errors():
        where = ".".join(str(p) for p in (*under, *problem["loc"])) or "(top)"
        said = problem["msg"]
        if problem["type"] == "extra_forbidden":
            said = f"unknown key; known here: {', '.join(_known_keys(problem['loc'], known))}"
        lines.append(f"  {where}: {said}")
    return "\n".join(lines)


def _known_keys(location: tuple[int | str, ...], top: type[BaseModel]) -> list[str]:
    """The keys that would be right at the place of an unknown one."""
    model: Any = top
    for part in location[:-1]:
        field = model.model_fields.get(str(part)) if isinstance(model, type) and issubclass(model, BaseModel) else None
        model = field.annotation if field else None
        args = [a for a in getattr(model, "__args__", ()) if isinstance(a, type) and issubclass(a, BaseModel)]
        model = args[-1] if args else model
    if isinstance(model, type) and issubclass(model, BaseModel):
        return sorted(set(model.model_fields) - {"base"})
    return ["(see the README)"]
