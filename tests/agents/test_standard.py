"""The standard unit suite for chat-model integrations, over the offline model."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_tests.unit_tests import ChatModelUnitTests

from agents.offline.model import OfflineChatModel


class TestOfflineChatModel(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return OfflineChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {}

    @property
    def has_structured_output(self) -> bool:
        return False
