"""What the extensions know of the book they build: results, snippets, programs. Made once for a build."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

from .errors import BookError
from .launches import Launches
from .machine_code import MachineCode
from .results import Results
from .snippets import Snippets

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SECONDS_FOR_A_PROGRAM = 120


@dataclass(frozen=True)
class Book:
    """The inputs of a build."""

    root: Path
    snippets_path: Path
    program_folder: Path
    snippets: Snippets
    results: Results
    machine_code: MachineCode
    launches: Launches

    @classmethod
    def load(cls, app: Sphinx) -> Book:
        """Reads what the configuration names."""
        config = app.config
        root = Path(config.lanes_root)
        schemas = Path(config.lanes_schemas)
        snippets = Snippets.load(Path(config.lanes_snippets), schemas)
        directories = [Path(directory) for directory in config.lanes_results]
        return cls(
            root=root,
            snippets_path=Path(config.lanes_snippets),
            program_folder=Path(config.lanes_programs),
            snippets=snippets,
            results=Results.load(directories, schemas, snippets),
            machine_code=MachineCode.load(directories, schemas),
            launches=Launches.load(root, schemas, snippets),
        )

    @property
    def emulator_libraries(self) -> list[Path]:
        """The libraries that stand in for NVIDIA's runtime: what programs print may change with them."""
        return sorted((self.program_folder.parent / "lib" / "emulator").glob("*"))

    def source(self, file: str) -> str:
        """The text of a source file of the repository."""
        return (self.root / file).read_text(encoding="utf-8")

    def run(self, words: list[str], expected_status: int = 0) -> str:
        """What one of our programs prints. Names of files are cut to what they are inside the repository."""
        program = self.program_folder / words[0]
        if not program.is_file():
            raise BookError(f"no program {words[0]} in {self.program_folder}: build everything first")
        completed = subprocess.run(
            [str(program), *words[1:]],
            cwd=self.program_folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS_FOR_A_PROGRAM,
            check=False,
        )
        if completed.returncode != expected_status:
            raise BookError(
                f"{' '.join(words)} ended with {completed.returncode}, not {expected_status}:\n{completed.stdout}"
            )
        return completed.stdout.replace(str(self.program_folder), "build/bin").replace(f"{self.root}/", "")


def load_book(app: Sphinx) -> None:
    """Handler of `builder-inited`: reads the inputs, or ends the build with a message."""
    try:
        app.lanes_book = Book.load(app)  # type: ignore[attr-defined]
    except BookError as error:
        raise ExtensionError(str(error)) from error


def book_of(app: Sphinx) -> Book:
    """The inputs of this build."""
    return app.lanes_book  # type: ignore[attr-defined,no-any-return]
