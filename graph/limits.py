"""The numbers at which something ends. Reaching one is a designed ending, never an accident."""

from pydantic import Field

from routing.model import Frozen


class Limits(Frozen):
    """Limits of a turn and of a conversation. Times in seconds, lengths in characters."""

    max_hops: int = Field(default=3, ge=0, le=10)
    model_calls: int = Field(default=8, ge=1, description="calls of one specialist in one turn")
    model_calls_per_turn: int = Field(default=16, ge=1)
    identical_tool_calls: int = Field(
        default=2, ge=1, description="the same call is answered from memory until then, then stopped"
    )
    turn_timeout_s: float = Field(default=60.0, gt=0)
    write_grace_s: float = Field(
        default=30.0, ge=0, description="how long a turn past its limit waits for a write that the shop is carrying out"
    )
    turn_attempts: int = Field(default=4, ge=1, description="owners that may die in a turn before a person takes it")
    turns_at_once: int = Field(
        default=32, ge=1, description="turns of one process; further messages wait for one to end"
    )
    lease_s: float = Field(default=15.0, gt=1)
    heartbeat_s: float = Field(default=1.0, gt=0)
    wait_s: float = Field(default=120.0, gt=0, description="how long a message waits for the turn before it")
    burst_s: float = Field(default=12.0, ge=0, description="the longest wait for a customer to finish a burst")
    message_chars: int = Field(default=8_000, ge=100)
    reply_chars: int = Field(default=4_000, ge=200, description="a longer reply is cut at its last whole sentence")
    dialogue_lines: int = Field(default=12, ge=4)
    subject_facts: int = Field(default=40, ge=5)
    clarifications: int = Field(default=2, ge=1, description="in a row, before a person is offered")
    topics: int = Field(default=4, ge=1)
    legs_per_turn: int = Field(default=2, ge=1, description="subjects that one reply may answer")
    proposal_minutes: int = Field(default=30, ge=1)
    conversation_messages: int = Field(default=5_000, ge=10)
    messages_per_minute: int = Field(default=300, ge=1, description="of one customer, in all conversations together")
    visitor_messages_per_minute: int = Field(default=120, ge=1, description="of one anonymous visitor")
    requests_per_minute: int = Field(default=1_200, ge=1, description="of one caller of the API, reads included")
    identity_tries: int = Field(
        default=3, ge=1, description="wrong proofs of an identity, per caller and per order, before a person takes it"
    )
    identity_window_s: float = Field(default=86_400.0, gt=0)
    sign_in_tries: int = Field(default=5, ge=1, description="wrong sign-ins of an operator's name, or from one address")
    sign_in_window_s: float = Field(default=900.0, gt=0)
    shutdown_s: float = Field(
        default=20.0, ge=0, description="how long a process that ends waits for its turns before it gives them up"
    )
