"""How the book writes numbers."""

from __future__ import annotations

from .errors import BookError

NARROW_NO_BREAK_SPACE = "\u202f"


def format_number(value: float | int | str | bool, spec: str = "") -> str:
    """A value as text: by Python's format specification, or three significant digits; thousands always grouped."""
    if isinstance(value, (str, bool)):
        if spec:
            raise BookError(f"'{value}' is no number, but the format '{spec}' is for one")
        return str(value)
    spec = spec or _default_spec(value)
    if spec[-1] in "df%" and "," not in spec:
        spec = f",{spec}" if spec[0] in ".df%" else spec
    try:
        text = format(value, spec)
    except ValueError as error:
        raise BookError(f"'{spec}' cannot format {value}: {error}") from error
    text = text.replace("%", f"{NARROW_NO_BREAK_SPACE}%")
    return text.replace("-", "\u2212", 1) if text.startswith("-") else text


def _default_spec(value: float | int) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return ",.0f"
    if abs(value) >= 100:
        return ",.0f"
    if abs(value) >= 10:
        return ".1f"
    return ".2f" if abs(value) >= 0.1 else ".3g"
