"""Two or more arms behind one decision layer: which one a conversation gets follows from its id, and stays so."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from routing.decision import Answer, Exchange, Question
from routing.ports import Decider


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm: its name, its share of the conversations, and what decides there."""

    name: str
    weight: float
    decider: Decider


class AbDecider:
    """A `routing.ports.Decider` that keeps a conversation with its arm. `salt` starts a new experiment with new draws.

    An arm's failure stays its own: what helps it out is its chain, never the other arm, or the comparison is void.
    """

    def __init__(self, arms: Sequence[Arm], *, salt: str = "") -> None:
        """Raises ValueError without arms, for an arm twice, and for weights that are no weights."""
        names = [arm.name for arm in arms]
        if len(set(names)) < len(names):
            raise ValueError(f"an arm twice: {', '.join(names)}")
        self.arms = tuple(arms)
        self._weights = {arm.name: arm.weight for arm in arms}
        self._salt = salt
        arm_of("", self._weights, salt=salt)

    def arm(self, thread_id: str) -> Arm:
        """Return the arm of a conversation."""
        name = arm_of(thread_id, self._weights, salt=self._salt)
        return next(arm for arm in self.arms if arm.name == name)

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        return await self.arm(thread_id).decider.decide(message, exchange, question, thread_id=thread_id)


def arm_of(thread_id: str, weights: Mapping[str, float], *, salt: str = "") -> str:
    """Return the arm whose share of [0, 1) holds the hash of salt and id. Arms of weight 0 get nobody.

    Raises ValueError unless the weights are finite, not negative, and not all 0.
    """
    total = sum(weights.values())
    if not (0.0 < total < float("inf")) or any(not weight >= 0 for weight in weights.values()):
        raise ValueError("an A/B needs weights: finite, not negative, at least one above 0")
    digest = hashlib.sha256(f"{salt}\0{thread_id}".encode("utf-8", "surrogatepass")).digest()
    point = int.from_bytes(digest[:8]) / 2**64 * total
    chosen = ""
    for name, weight in weights.items():
        if weight == 0:
            continue
        chosen = name
        point -= weight
        if point < 0:
            break
    return chosen
