import json
from pathlib import Path

import pytest

from routing.sensitive import DEFAULT_TOPICS, SensitiveTopic, approved_text, find_topic, topic_of

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "data" / "sensitive.jsonl").read_text("utf-8").splitlines()
]
POSITIVES = [row for row in ROWS if row["topic"] is not None]
LOOK_ALIKES = [row for row in ROWS if row["topic"] is None]
TOPICS = ("self_harm", "safety", "fraud", "minor", "legal_threat", "data_request")


def test_the_corpus_is_large_enough():
    assert len(POSITIVES) >= 120
    assert len(LOOK_ALIKES) >= 120
    assert len({row["text"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("topic", TOPICS)
def test_sensitive_messages_are_found(topic):
    rows = [row for row in POSITIVES if row["topic"] == topic]
    missed = [row for row in rows if (found := find_topic(row["text"])) is None or found.id != topic]

    assert len(rows) >= 15
    assert missed == []


def test_look_alikes_are_ordinary():
    blocked = [(found.id, row["text"]) for row in LOOK_ALIKES if (found := find_topic(row["text"])) is not None]

    assert blocked == []


@pytest.mark.parametrize(
    "around",
    [
        "oi, tudo bem? {}",
        "tô morrendo de raiva, vou matar a saudade. {}",
        "{} e cadê meu pedido 10405?",
        "> {}",
        "{} kkkk",
    ],
)
def test_self_harm_and_safety_are_not_hidden_by_what_stands_around_them(around):
    texts = [around.format(row["text"]) for row in POSITIVES if row["topic"] in ("self_harm", "safety")]

    assert [text for text in texts if find_topic(text) is None] == []


@pytest.mark.parametrize(
    "disguise", [str.upper, lambda text: text.replace(" ", "  \n"), lambda text: "\u200b".join(text)]
)
@pytest.mark.parametrize("text", ["vou me matar", "não quero mais viver", "o carregador explodiu na minha mão"])
def test_case_spacing_and_invisible_characters_hide_nothing(text, disguise):
    assert find_topic(disguise(text)) is not None


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("vou me matar e vou no Procon", "self_harm"),
        ("clonaram meu cartão, vou processar vocês", "fraud"),
        ("o carregador explodiu na minha mão, vou no procon", "safety"),
    ],
)
def test_of_several_topics_the_most_urgent_counts(text, topic):
    found = find_topic(text)

    assert found is not None
    assert found.id == topic


def test_priorities_of_the_table_decide():
    legal_first = [
        SensitiveTopic("legal_threat", priority=0, may_go_on=True),
        SensitiveTopic("fraud", priority=1, may_go_on=True),
    ]

    found = find_topic("clonaram meu cartão, vou processar vocês", legal_first)

    assert found is not None
    assert found.id == "legal_threat"


def test_a_topic_that_is_not_in_the_table_is_not_looked_for():
    assert find_topic("vou no Procon", [topic_of(DEFAULT_TOPICS, "fraud")]) is None


def test_a_shops_own_topic_is_found_by_its_phrases():
    recall = SensitiveTopic(
        "recall", priority=1, may_go_on=True, text_pt="Recolhimento.", phrases=("lote 77-B", "recall")
    )

    assert find_topic("comprei do LOTE 77 B", [recall]) is recall
    assert find_topic("comprei do lote 77", [recall]) is None
    assert find_topic("recallque", [recall]) is None


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_an_approved_text(topic, language):
    assert len(approved_text(topic_of(DEFAULT_TOPICS, topic), language)) > 40


@pytest.mark.parametrize("language", ["pt", "en"])
def test_self_harm_names_where_help_is(language):
    text = approved_text(topic_of(DEFAULT_TOPICS, "self_harm"), language)

    assert "188" in text
    assert "192" in text


def test_the_shops_own_text_goes_before_ours():
    topic = SensitiveTopic("fraud", priority=2, may_go_on=True, text_pt="Nosso texto.")

    assert approved_text(topic, "pt") == "Nosso texto."
    assert approved_text(topic, "en") == approved_text(topic_of(DEFAULT_TOPICS, "fraud"), "en")


def test_the_bot_does_not_go_on_where_somebody_may_be_hurt():
    assert [topic.id for topic in DEFAULT_TOPICS if not topic.may_go_on] == ["self_harm", "safety"]


def test_a_topic_without_text_has_a_general_one():
    assert "equipe" in approved_text(SensitiveTopic("recall", priority=1, may_go_on=True), "pt")


def test_an_unknown_topic_is_an_error():
    with pytest.raises(KeyError):
        topic_of(DEFAULT_TOPICS, "weather")
