"""The door for configuration: config.json and the environment are read once, validated, and composed into a Bastão.

A wrong key or value fails here, with its path and what would be right. Nothing below this module reads a file of
configuration or an environment variable on its own.
"""

import asyncio
import importlib
import json
import os
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from dotenv import dotenv_values
from pydantic import SecretStr, ValidationError

from agents.models.registry import ChatModels, ChatModelSettings, build_chat_models
from agents.roster import Roster, load_roster
from graph.tracing import Tracing
from ops.alarms import Alarm, Alarms, said
from ops.configuration import ConfigurationError, Settings, ShopSettings, explained
from ops.deciding import calibrations_of, gates_of
from ops.oidc import provider_lacks
from ops.release import Release
from ops.release import release_of as hashed_release
from ops.tracing import TracingUnavailable, open_tracing
from routing.ports import Shop
from routing.reasons import ReasonTable
from routing.sensitive import DEFAULT_TOPICS, SensitiveTopic

ROOT = Path(__file__).resolve().parent
_SECRET_BYTES = 32
_TRAINING_SECONDS = 900.0


def load_environment(root: Path = ROOT) -> dict[str, str]:
    """Return the environment with what `.env` adds to it; the environment itself wins."""
    from_file = {k: v for k, v in dotenv_values(root / ".env").items() if v is not None}
    return {**from_file, **os.environ}


def load_settings(environ: Mapping[str, str]) -> Settings:
    """Read and validate the configuration. Raises `ConfigurationError`."""
    path = Path(environ.get("BASTAO_CONFIG") or ROOT / "config.json").expanduser().resolve()
    try:
        raw = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: there is no such file; BASTAO_CONFIG must name a JSON file") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: not JSON ({error})") from error
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error
    if not isinstance(raw, dict):
        raise ConfigurationError(f"{path}: must hold one JSON object")
    limits = raw.get("limits", {})
    if (seconds := environ.get("TURN_TIMEOUT_SECONDS")) and isinstance(limits, dict):
        raw["limits"] = {**limits, "turn_timeout_s": seconds}
    try:
        settings = Settings.model_validate({**raw, "base": path.parent})
    except ValidationError as error:
        raise ConfigurationError(explained(path, error)) from error
    _check_limits(settings, path)
    if settings.mode == "production":
        _refuse_incomplete_production(settings, environ)
    return settings


def _refuse_incomplete_production(settings: Settings, environ: Mapping[str, str]) -> None:
    """Production simulates nothing: refuse to start and name everything that is missing at once."""
    missing: list[str] = []
    if not environ.get("DATABASE_URL"):
        missing.append("DATABASE_URL: the PostgreSQL to use")
    if any(link.provider == "offline" for link in settings.chat_model.chain):
        missing.append("chat_model.provider: a real chat model (openai or openrouter)")
    if not environ.get("BASTAO_CUSTOMER_KEYS"):
        missing.append("BASTAO_CUSTOMER_KEYS: the keys that sign customer tokens")
    if not environ.get("BASTAO_OPERATOR_LOGIN") and settings.sign_in is None:
        missing.append("BASTAO_OPERATOR_LOGIN: who may sit at the operators' page (name:password, …), or sign_in: OIDC")
    if settings.sign_in is not None and (lacks := provider_lacks(_secrets_files(environ))):
        missing.append(f"sign_in: the provider, in .streamlit/secrets.toml under [auth]: {', '.join(lacks)}")
    if settings.shop.adapter == ShopSettings.model_fields["adapter"].default:
        missing.append("shop.adapter: your order system (the demo shop is for demo mode)")
    if not environ.get("BASTAO_SECRET"):
        missing.append("BASTAO_SECRET: the key of the effects ledger")
    if missing:
        raise ConfigurationError("mode is production, and this is missing:\n  " + "\n  ".join(missing))


def _secrets_files(environ: Mapping[str, str]) -> list[Path]:
    """Return where Streamlit looks for secrets.toml: the files that it was told of, else the user's, then the project's."""
    if told := environ.get("STREAMLIT_SECRETS_FILES"):
        return [Path(name) for name in told.split()]
    homes = [Path(environ["HOME"])] if environ.get("HOME") else []
    return [folder / ".streamlit" / "secrets.toml" for folder in dict.fromkeys([*homes, ROOT, Path.cwd()])]


def _check_limits(settings: Settings, path: Path) -> None:
    from graph.limits import Limits

    try:
        _limits(settings)
    except ValidationError as error:
        raise ConfigurationError(explained(path, error, under=("limits",), known=Limits)) from error


def _limits(settings: Settings) -> Any:
    from graph.limits import Limits

    return Limits.model_validate(settings.limits.model_dump())


def roster_of(settings: Settings) -> Roster:
    """Load the specialists that the configuration lists. Raises `ConfigurationError`."""
    try:
        return load_roster(settings.roster, base=settings.base, fallback=ROOT)
    except (ValueError, OSError) as error:
        raise ConfigurationError(f"roster: {error}") from error


def reasons_of(settings: Settings, roster: Roster) -> ReasonTable:
    """Merge the specialists' reasons with the configuration's. Raises `ConfigurationError`."""
    try:
        return roster.reasons(settings.reasons)
    except ValueError as error:
        raise ConfigurationError(f"reasons: {error}") from error


def sensitive_of(settings: Settings) -> tuple[SensitiveTopic, ...]:
    """Return the sensitive topics with the configuration's overrides."""
    topics: list[SensitiveTopic] = []
    for topic in DEFAULT_TOPICS:
        override = settings.sensitive.get(topic.id)
        changed = {k: v for k, v in override.model_dump().items() if v not in (None, ())} if override else {}
        topics.append(topic if not changed else _replaced(topic, changed))
    return tuple(topics)


def reader_of(settings: Settings, environ: Mapping[str, str]) -> Any:
    """Return what reads sensitive topics and the wish for a person by examples; None where that is switched off."""
    from routing.providers.person_reader import PersonReader

    if not settings.read_by_example.enabled:
        return None
    folders = dict.fromkeys(base / "agents" / "examples_person" for base in (ROOT, settings.base))
    return PersonReader(
        folders=tuple(folders), cache_dir=data_dir_of(environ) / "models", sure=settings.read_by_example, alone=_alone
    )


def _replaced(topic: SensitiveTopic, changed: dict[str, Any]) -> SensitiveTopic:
    from dataclasses import replace

    return replace(topic, **changed)


def chat_models_of(settings: Settings, environ: Mapping[str, str]) -> tuple[ChatModels, ...]:
    """Build the chat model and its fallbacks, in the order in which they are asked. Raises `ConfigurationError`."""
    try:
        return tuple(build_chat_models(link, environ) for link in settings.chat_model.chain)
    except ValueError as error:
        raise ConfigurationError(f"chat_model: {error}") from error


def data_dir_of(environ: Mapping[str, str]) -> Path:
    from storage.embedded import default_data_dir

    return default_data_dir(environ)


def secret_of(settings: Settings, environ: Mapping[str, str]) -> bytes:
    """Return the ledger's key: BASTAO_SECRET, else (demo mode) one that is made once in the data folder."""
    if given := environ.get("BASTAO_SECRET"):
        return given.encode()
    path = data_dir_of(environ) / "ledger.key"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        own = path.with_name(f"{path.name}.{uuid4().hex}")
        with os.fdopen(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(_SECRET_BYTES))
        with suppress(FileExistsError):
            os.link(own, path)  # whole or not at all: of processes that start at once, none may read half a key
        own.unlink()
    return path.read_text("utf-8").strip().encode()


def providers_of(settings: Settings, roster: Roster, environ: Mapping[str, str]) -> Any:
    """Return what the builders of decision providers may need. Raises `ConfigurationError`."""
    from routing.providers.registry import ProviderSettings
    from routing.providers.remote_builders import remote_of

    folders = list(dict.fromkeys(path.parent for path in roster.files.values()))
    try:
        remote = remote_of(environ, {"prices": settings.prices, **settings.decision.remote})
    except ValidationError as error:
        raise ConfigurationError(f"decision.remote: {error}") from error
    return ProviderSettings(
        examples_dir=folders[0],
        further_examples=tuple(folders[1:]),
        cache_dir=data_dir_of(environ) / "models",
        alone=_alone,
        remote=remote,
    )


def _alone(path: Path) -> AbstractContextManager[object]:
    """Let one process of this machine train a model; the others wait for it as long as a slow machine takes."""
    from storage.file_lock import file_lock

    return file_lock(path, timeout=_TRAINING_SECONDS)


def decider_of(
    settings: Settings, roster: Roster, environ: Mapping[str, str], *, provider: str | None = None, ledger: Any = None,
    on_alarm: Callable[[Alarm], None] = said,
) -> Any:  # fmt: skip
    """Return the decision layer of one flag. Raises `ConfigurationError`."""
    from ops.deciding import build_decider

    try:
        return build_decider(
            provider or settings.decision.provider, settings.decision, providers_of(settings, roster, environ),
            calibrations=calibrations_of(settings.decision, settings.base), clock=monotonic, ledger=ledger,
            on_alarm=on_alarm,
        )  # fmt: skip
    except ValueError as error:
        raise ConfigurationError(f"decision.provider: {error}") from error


def purse_of(settings: Settings, chat: ChatModelSettings, ledger: Any) -> Any:
    """Return what pays for a chat model's calls."""
    from graph.purse import Purse

    model = chat.model or ""
    return Purse(
        spending=ledger,
        provider=chat.provider,
        model=model,
        price=settings.prices.of(model),
        max_tokens=chat.max_tokens,
    )


def ledger_of(settings: Settings, database: Any) -> Any:
    """Return the ledger that reserves before every paid call and settles after it."""
    from ops.spend import SpendLedger

    return SpendLedger(
        database,
        limits=settings.budget,
        now=SystemClock().now,
        zone=ZoneInfo(settings.timezone),
        new_id=lambda: new_id("sp"),
    )


def release_of(settings: Settings, roster: Roster) -> Release:
    """Return the hashes of what runs."""
    return hashed_release(
        root=ROOT, base=settings.base, config=settings.model_dump(mode="json", exclude={"base", "evals"}), roster=roster,
        reasons=reasons_of(settings, roster), calibrations=calibrations_of(settings.decision, settings.base),
    )  # fmt: skip


def tracing_of(settings: Settings, environ: Mapping[str, str], *, release: str | None = None) -> Tracing:
    """Return what traces this process. Raises `ConfigurationError`."""
    try:
        return open_tracing(settings.traces, environ, secret=secret_of(settings, environ), release=release)
    except TracingUnavailable as error:
        raise ConfigurationError(f"traces.exporter: {error}") from error


def alarms_of(settings: Settings, database: Any) -> Alarms:
    """Return where this process's alarms go."""
    return Alarms(
        database=database, clock=SystemClock(), new_id=new_id, shop_name=settings.shop.name,
        announced=settings.people.webhook is not None,
    )  # fmt: skip


def shop_of(settings: Settings, database: Any) -> Shop:
    """Load the shop adapter that the configuration names. Raises `ConfigurationError`."""
    module_name, _, class_name = settings.shop.adapter.partition(":")
    if str(settings.base) not in sys.path:
        sys.path.append(str(settings.base))
    try:
        adapter = getattr(importlib.import_module(module_name), class_name)
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(
            f"shop.adapter: {settings.shop.adapter!r} cannot be loaded ({error}); write module:Class"
        ) from error
    if settings.shop.adapter == "storage.shop:PgShop":
        return adapter(database, now=lambda: datetime.now(UTC))
    try:
        shop = adapter(**settings.shop.options)
    except TypeError as error:
        raise ConfigurationError(f"shop.options: {error}") from error
    if missing := [name for name in _shop_methods() if not callable(getattr(shop, name, None))]:
        raise ConfigurationError(
            f"shop.adapter: {settings.shop.adapter} lacks {', '.join(missing)} (routing/ports.py: Shop)"
        )
    return shop


def _shop_methods() -> list[str]:
    return [name for name, member in vars(Shop).items() if not name.startswith("_") and callable(member)]


class SystemClock:
    """The real clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def new_id(prefix: str) -> str:
    """Return an unguessable id."""
    return f"{prefix}-{uuid4().hex}"


@asynccontextmanager
async def open_bastao(
    settings: Settings,
    environ: Mapping[str, str],
    *,
    provider: str | None = None,
    maintain_every_s: float | None = None,
) -> AsyncIterator[Any]:
    """Open the database, migrate it, seed the demo shop in demo mode, build the graph; yield a `Bastao`.

    `maintain_every_s` lets a long-lived process also do what happens by the clock; of several, one does a round.

    Raises `ConfigurationError`, and `DatabaseUnavailable` when PostgreSQL cannot be reached.
    """
    from graph.checkpoint import TurnSaver, setup_checkpoints
    from graph.conversation import Bastao, Conversation
    from storage.database import Database
    from storage.seed import seed

    roster = roster_of(settings)
    database = await Database.open(environ=environ, data_dir=data_dir_of(environ))
    try:
        await database.migrate(after=setup_checkpoints)
        if settings.mode == "demo":
            async with database.connection() as conn:
                await seed(conn, today=datetime.now(ZoneInfo(settings.timezone)).date())
        services = services_of(settings, environ, roster, database, provider=provider)
        from graph.build import build_graph

        compiled = build_graph(services).compile(checkpointer=TurnSaver(database.pool))
        owner = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        conversation = Conversation(services=services, graph=compiled, owner=owner)
        warming = asyncio.create_task(asyncio.to_thread(warm_up, services.decider, services.reader))
        if _asks_local_first(services.decider):
            await warming  # else the first customers would be answered by the fallback
        opened = Bastao(
            conversation=conversation,
            services=services,
            database=database,
            mode=settings.mode,
            warming=warming,
            origins=settings.api.origins,
        )
        clockwork: asyncio.Task[None] | None = None
        if maintain_every_s is not None:
            rounds = maintenance_of(settings, environ, opened).forever(every_s=maintain_every_s)
            clockwork = asyncio.create_task(rounds, name="maintenance")
        try:
            yield opened
        finally:
            if clockwork is not None:
                clockwork.cancel()
                await asyncio.gather(clockwork, return_exceptions=True)
            await conversation.close()
            await asyncio.to_thread(services.tracing.close)
            await asyncio.gather(warming, return_exceptions=True)
    finally:
        await database.close()


def webhook_of(settings: Settings, environ: Mapping[str, str]) -> Any:
    """Return the configured webhook with its secret, None without one. Raises `ConfigurationError` without a secret."""
    from ops.webhook import Webhook

    if settings.people.webhook is None:
        return None
    if not (secret := environ.get("BASTAO_WEBHOOK_SECRET")):
        raise ConfigurationError("people.webhook: BASTAO_WEBHOOK_SECRET must hold the secret that signs announcements")
    return Webhook(settings=settings.people.webhook, secret=SecretStr(secret))


def maintenance_of(settings: Settings, environ: Mapping[str, str], bastao: Any) -> Any:
    """Compose what happens by the clock for an opened Bastão. Raises `ConfigurationError`."""
    from ops.maintenance import Maintenance

    return Maintenance(
        services=bastao.services, conversation=bastao.conversation, webhook=webhook_of(settings, environ),
        claim_timeout=timedelta(minutes=settings.people.claim_timeout_minutes), retention=settings.retention,
        privacy=privacy_of(settings, environ, bastao.database),
    )  # fmt: skip


def privacy_of(settings: Settings, environ: Mapping[str, str], database: Any) -> Any:
    """Compose what exports and erases a customer's data. Raises `ConfigurationError`."""
    from ops.privacy import Privacy

    return Privacy(
        database=database, shop=shop_of(settings, database), secret=secret_of(settings, environ), clock=SystemClock(),
        new_id=new_id,
    )  # fmt: skip


def _asks_local_first(decider: Any) -> bool:
    from ops.deciding import providers_behind

    return any(provider.flag == "local" for provider in providers_behind(decider)[:1])


def warm_up(decider: Any, reader: Any = None) -> None:
    """Load or train the embedded models before the first customer asks: it takes seconds, once per set of examples."""
    from ops.deciding import providers_behind

    for provider in providers_behind(decider):
        if provider.flag == "local":
            provider.warm_up()  # pyright: ignore[reportAttributeAccessIssue] - only this one is trained here
    if reader is not None:
        reader.warm_up()


def services_of(
    settings: Settings, environ: Mapping[str, str], roster: Roster, database: Any, *, provider: str | None = None
) -> Any:  # fmt: skip
    """Compose what lives as long as the process."""
    from graph.services import Services, Spare
    from tools.registry import TOOLS, confirming_keys

    ledger = ledger_of(settings, database)
    release = release_of(settings, roster)
    first, *spares = (
        Spare(models=models, purse=None if models.simulated else purse_of(settings, chat, ledger))
        for models, chat in zip(chat_models_of(settings, environ), settings.chat_model.chain, strict=True)
    )
    return Services(
        database=database, roster=roster, models=first.models, shop=shop_of(settings, database), tools=TOOLS,
        decider=decider_of(settings, roster, environ, provider=provider, ledger=ledger, on_alarm=alarms_of(settings, database).ring), reasons=reasons_of(settings, roster),
        authority=settings.authority, thresholds=gates_of(settings.decision, calibrations_of(settings.decision, settings.base)), limits=_limits(settings),
        sensitive=sensitive_of(settings), reader=reader_of(settings, environ), hours=settings.people.hours, secret=secret_of(settings, environ),
        zone=ZoneInfo(settings.timezone), clock=SystemClock(), new_id=new_id, shop_name=settings.shop.name, demo_customers=settings.shop.demo_customers,
        confirm=settings.confirmation, quiet={name: channel.quiet_s for name, channel in settings.channels.items()},
        purse=first.purse, spares=tuple(spares),
        enforce_claims=settings.claims == "enforce", release=release.id, versions=release.parts, on_disconnect=settings.on_disconnect,
        tool_keys=confirming_keys(), tracing=tracing_of(settings, environ, release=release.id),
    )  # fmt: skip
