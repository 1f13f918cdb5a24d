"""The stub's System One endpoint against the public conformance suite, with the official SDK as one of its cases."""

import pytest
from jevcompat.cli import main as jevcompat

from stubs.app import create_app
from stubs.serve import serving
from tests.stubs.fixtures import KEY
from tests.stubs.simulated import QUESTION, EchoChat, WordDecider


def test_without_keys_every_requirement_is_met(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(create_app(decider=WordDecider(), chat=EchoChat(), question=QUESTION)) as url:
        assert jevcompat(["test", url]) == 0
    assert "MUST 32/32, SHOULD 13/13" in capsys.readouterr().out


def test_with_keys_the_missing_and_the_wrong_one_are_refused_as_specified(
    stub: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert jevcompat(["test", stub, "--key", KEY]) == 0
    assert "MUST 32/32, SHOULD 15/15" in capsys.readouterr().out
