"""Explanation: why a hit, a match or a merge came out as it did.

The code that computes a score builds its Explanation as it goes, so that "why" is part of the answer and not a story
told afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Explanation:
    """A named contribution with its parts.

    `value` is the contribution (higher is better; its unit is the score's own), `reason` a short phrase in plain words
    that a reader can be shown, `parts` what it is made of.
    """

    value: float
    reason: str
    parts: tuple[Explanation, ...] = field(default=())

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form: `{"value", "reason", "parts"?}`."""
        out: dict[str, object] = {"value": round(self.value, 4), "reason": self.reason}
        if self.parts:
            out["parts"] = [part.to_dict() for part in self.parts]
        return out

    def __str__(self) -> str:
        return "; ".join(part.reason for part in self.parts) if self.parts else self.reason
