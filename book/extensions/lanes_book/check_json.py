"""Holds JSON files against a JSON Schema: `python -m lanes_book.check_json SCHEMA FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from .errors import BookError
from .validated import Schema


def check(schema: Path, folder: Path) -> int:
    """Reads every JSON file of a folder. The number of files; BookError for the first that breaks the schema."""
    validator = Schema(schema)
    files = sorted(folder.glob("*.json"))
    for file in files:
        validator.read(file)
    if not files:
        raise BookError(f"there is no JSON file in {folder}")
    return len(files)


def main(arguments: list[str]) -> int:
    """The exit status: 0 if all files keep to the schema, 1 if one does not, 2 for bad arguments."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        count = check(Path(arguments[0]), Path(arguments[1]))
    except BookError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{count} files keep to {Path(arguments[0]).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
