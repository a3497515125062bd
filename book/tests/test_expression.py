"""Products and quotients of results, and how numbers are written."""

from __future__ import annotations

import pytest
from lanes_book.errors import BookError
from lanes_book.expression import Expression
from lanes_book.number_format import NARROW_NO_BREAK_SPACE, format_number

VALUES = {"a/b": 6.0, "c/d": 4, "zero": 0, "word": "text"}


def evaluate(text: str) -> object:
    """The value of an expression over VALUES."""
    return Expression.parse(text).evaluate(VALUES.__getitem__)


@pytest.mark.parametrize(
    ("text", "value"), [("a/b / c/d", 1.5), ("a/b * 32 / c/d", 48.0), ("a/b", 6.0), ("word", "text")]
)
def test_value(text: str, value: object) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize("text", ["", "a/b /", "a/b + c/d", "a/b c/d"])
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(BookError, match="is not KEY"):
        Expression.parse(text)


def test_division_by_zero() -> None:
    with pytest.raises(BookError, match="zero is 0"):
        evaluate("a/b / zero")


def test_words_cannot_be_divided() -> None:
    with pytest.raises(BookError, match="word is 'text', not a number"):
        evaluate("word / a/b")


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (163680, "", "163,680"),
        (2687.4, "", "2,687"),
        (41.26, "", "41.3"),
        (1.504, "", "1.50"),
        (0.0123, "", "0.0123"),
        (4.0, "", "4"),
        (2687.4, ".1f", "2,687.4"),
        (0.6306, ".0%", f"63{NARROW_NO_BREAK_SPACE}%"),
        (-3, "", "\u22123"),
        ("NVIDIA H200", "", "NVIDIA H200"),
    ],
)
def test_format(value: float | str, spec: str, text: str) -> None:
    assert format_number(value, spec) == text


@pytest.mark.parametrize(("value", "spec"), [("word", ".1f"), (1.0, "d"), (1.0, "nonsense")])
def test_format_that_does_not_fit(value: float | str, spec: str) -> None:
    with pytest.raises(BookError):
        format_number(value, spec)
