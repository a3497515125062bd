"""JSON files that keep to a JSON Schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from .errors import BookError


def read_json(path: Path) -> Any:
    """The content of a JSON file. BookError if it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BookError(f"cannot read {path}: {error}") from error


class Schema:
    """A JSON Schema, read once for many files."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._validator = jsonschema.Draft202012Validator(read_json(path))

    def read(self, path: Path) -> Any:
        """The content of a JSON file that keeps to the schema. BookError naming what breaks it."""
        data = read_json(path)
        problem = jsonschema.exceptions.best_match(self._validator.iter_errors(data))
        if problem is not None:
            raise BookError(f"{path} breaks {self._name} at {problem.json_path}: {problem.message}")
        return data
