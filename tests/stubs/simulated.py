"""What the stub's tests plug in: a decision model that knows three options and counts words, and a chat model that echoes."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from langchain_core.decisions import Choice, ChoiceAnswer, State
from langchain_core.decisions import Question as WireQuestion
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable

from routing.decision import Exchange, Question
from routing.providers.base import DecisionProvider, DecisionResponse, ProviderError
from routing.providers.wire import MESSAGE
from routing.question import build_question

QUESTION: Question = build_question([("returns", "Gives back."), ("support", "Where it is."), ("billing", "Money.")])
NOTHING_BEFORE = Exchange()
MESSAGE_TEXT = "cadê o meu reembolso? meu cpf é 529.982.247-25 e o e-mail ana@example.com"
_WORDS = {"reembolso": "billing", "devolver": "returns", "pedido": "support", "futebol": "out_of_scope"}


class WordDecider(DecisionProvider):
    """0.9 for the option whose word is in the message, the rest shared: exact numbers to compare against."""

    paid: ClassVar[bool] = False
    remote: ClassVar[bool] = False
    model: str = "words-1"

    @property
    def _provider(self) -> str:
        return "local"

    def _classify(self, state: State, questions: dict[str, WireQuestion]) -> DecisionResponse:
        answers: dict[str, ChoiceAnswer] = {}
        for name, question in questions.items():
            if not isinstance(question, Choice) or not set(question.criteria) <= set(QUESTION.ids):
                raise ProviderError("ours", "unknown options")
            text = state[MESSAGE] if isinstance(state, dict) else ""
            found = next((option for word, option in _WORDS.items() if word in str(text)), "needs_question")
            rest = 0.1 / (len(question.criteria) - 1)
            shares = {option: 0.9 if option == found else rest for option in question.criteria}
            answers[name] = ChoiceAnswer(type="choice", choice=found, probabilities=shares, confidence=0.9)
        return DecisionResponse(model=self.model, answers=dict(answers), provider="local")


class EchoChat(BaseChatModel):
    """Repeats the last message, word by word when streamed; with tools it calls the first one with that text."""

    tools: tuple[str, ...] = ()

    @property
    def _llm_type(self) -> str:
        return "echo"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[LanguageModelInput, AIMessage]:
        return self.model_copy(update={"tools": tuple(tool["function"]["name"] for tool in tools)})

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages))])

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        answer = self._answer(messages)
        for call in answer.tool_calls:
            fragment = {
                "name": call["name"],
                "args": '{"text": ',
                "id": call["id"],
                "index": 0,
                "type": "tool_call_chunk",
            }
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[fragment]))
            rest = {
                "name": None,
                "args": f'"{call["args"]["text"]}"}}',
                "id": None,
                "index": 0,
                "type": "tool_call_chunk",
            }
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[rest]))
        for word in answer.text.split():
            yield ChatGenerationChunk(message=AIMessageChunk(content=f"{word} "))

    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        said = messages[-1].text
        if self.tools and messages[-1].type == "human":
            return AIMessage("", tool_calls=[{"name": self.tools[0], "args": {"text": said}, "id": "call_a"}])
        return AIMessage(f"eco: {said}")
