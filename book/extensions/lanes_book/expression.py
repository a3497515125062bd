"""Products and quotients of results: `A / B`, `A * 32 / B`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .errors import BookError
from .results import Value

NUMBER = re.compile(r"\d+(\.\d+)?")
OPERATORS = ("*", "/")


@dataclass(frozen=True)
class Expression:
    """Operands (keys or numbers) joined by operators and worked out from left to right."""

    operands: tuple[str, ...]
    operators: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Spaces stand around each operator, since keys contain slashes too."""
        words = text.split()
        operands, operators = words[0::2], words[1::2]
        if len(words) % 2 == 0 or any(operator not in OPERATORS for operator in operators):
            raise BookError(f"'{text}' is not KEY, or KEY / KEY, or KEY * NUMBER / KEY with spaces around * and /")
        return cls(tuple(operands), tuple(operators))

    @property
    def keys(self) -> list[str]:
        """The operands that are keys."""
        return [operand for operand in self.operands if not NUMBER.fullmatch(operand)]

    def evaluate(self, lookup: Callable[[str], Value]) -> Value:
        """The value, each key looked up. A single key may be text; operands of an operator are numbers."""
        values = [float(operand) if NUMBER.fullmatch(operand) else lookup(operand) for operand in self.operands]
        if not self.operators:
            return values[0]
        total = self._number(0, values)
        for index, operator in enumerate(self.operators, start=1):
            number = self._number(index, values)
            if operator == "*":
                total *= number
            elif number == 0:
                raise BookError(f"{self.operands[index]} is 0: nothing can be divided by it")
            else:
                total /= number
        return total

    def _number(self, index: int, values: list[Value]) -> float:
        value = values[index]
        if isinstance(value, (str, bool)):
            raise BookError(f"{self.operands[index]} is '{value}', not a number")
        return float(value)
