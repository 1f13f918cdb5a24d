import pytest

from graph.desk import PRIORITY
from graph.nodes.person import LIMIT_CODES
from ops.people import HopLimits, QueueEntry
from ops.queue_words import about_words, hop_limit_words, reason_words, waited_words
from routing.sensitive import DEFAULT_TOPICS
from tests.storage.values import NOW


def entry(reason: str, about: str | None = None) -> QueueEntry:
    return QueueEntry(
        id="q", protocol="BA-1", thread_id="t", kind="conversation", reason=reason, about=about, status="waiting", operator=None,
        priority=0, waited_s=0, created_at=NOW, due=None, overdue=False, notes=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    "reason", [*PRIORITY, *(c for c in LIMIT_CODES if c != "failure"), "timeout", "commitment_due"]
)
def test_every_reason_has_words(reason: str) -> None:
    assert reason.replace("_", " ") not in reason_words(entry(reason))


@pytest.mark.parametrize("topic", [t.id for t in DEFAULT_TOPICS])
def test_a_sensitive_topic_is_named_once(topic: str) -> None:
    item = entry("sensitive", topic)
    assert reason_words(item).startswith("assunto sensível: ")
    assert reason_words(item) != f"assunto sensível: {topic}"
    assert about_words(item) == ""


@pytest.mark.parametrize(
    ("seconds", "said"), [(5, "agora"), (430, "7 min"), (11_100, "3 h 05"), (90_000, "1 dia"), (200_000, "2 dias")]
)
def test_a_waiting_time_as_people_say_it(seconds: float, said: str) -> None:
    assert waited_words(seconds) == said


def test_the_warning_names_the_paths_and_blames_no_customer() -> None:
    warning = HopLimits(count=6, total=9, hours=24, paths=((("support", "billing"), 4),))
    said = hop_limit_words(warning, {"support": "Entregas", "billing": "Financeiro"}.__getitem__)
    assert "6 de 9 itens das últimas 24 h" in said
    assert "Entregas → Financeiro (4)" in said
    assert "não dos clientes" in said
