"""What the client of a real chat model raises for each fault of the connection, and what the chain makes of it."""

from collections.abc import Callable

import openai
import pytest
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from graph.model_chain import failure_kind
from stubs.faults import Fault
from tests.stubs.fixtures import KEY


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Fault(kind="status", status=503), "retryable"),
        (Fault(kind="status", status=500), "retryable"),
        (Fault(kind="status", status=429, retry_after="3"), "retryable"),
        (Fault(kind="status", status=408), "retryable"),
        (Fault(kind="status", status=529), "retryable"),
        (Fault(kind="reset"), "retryable"),
        (Fault(kind="hang"), "retryable"),
        (Fault(kind="half_body"), "retryable"),
        (Fault(kind="half_json"), "retryable"),
        (Fault(kind="html", status=200), "retryable"),
        (Fault(kind="empty"), "retryable"),
        (Fault(kind="error_in_200"), "retryable"),
        (Fault(kind="status", status=400), "ours"),
        (Fault(kind="status", status=401), "ours"),
        (Fault(kind="status", status=403), "ours"),
        (Fault(kind="status", status=404), "ours"),
        (Fault(kind="status", status=422), "ours"),
        (Fault(kind="status", status=402), "payment"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.kind}-{value.status}",
)
async def test_what_a_real_client_raises_is_classified(
    stub: str, put: Callable[[str, Fault], None], fault: Fault, kind: str
) -> None:
    put("gpt-5-mini", fault)
    model = ChatOpenAI(
        model="gpt-5-mini", api_key=SecretStr(KEY), base_url=f"{stub}/v1", max_retries=0, timeout=0.5,
        http_async_client=openai.DefaultAsyncHttpxClient(),
    )  # fmt: skip
    with pytest.raises(Exception) as raised:  # noqa: PT011 - which one it is, is the question
        await model.ainvoke([HumanMessage("oi")])
    assert failure_kind(raised.value) == kind  # pyright: ignore[reportArgumentType]
