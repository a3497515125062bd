"""What git knows of the book's files: which commits changed them. Without git, nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

LOG = ("log", "--format=%x00%H%x09%cs%x09%s", "--name-only", "--no-renames", "--relative")


@dataclass(frozen=True)
class Commit:
    """One commit: its hash, its day, its first line."""

    hash: str
    day: date
    subject: str


@dataclass(frozen=True)
class History:
    """The commits of each file, newest first."""

    commits: tuple[Commit, ...] = ()
    files: dict[str, tuple[Commit, ...]] = field(default_factory=dict)
    complete: bool = True

    def of(self, paths: Iterable[str]) -> list[Commit]:
        """The commits that changed any of these files, or a file below any of these folders."""
        paths = tuple(paths)
        below = tuple(f"{path}/" for path in paths)
        changed = {
            commit
            for file, commits in self.files.items()
            if file in paths or file.startswith(below)
            for commit in commits
        }
        return [commit for commit in self.commits if commit in changed]


def read_history(root: Path, *parts: str) -> History:
    """The history of these parts of the repository at `root`; an empty one if there is no git or no repository."""
    log = _git(root, *LOG, "--", *parts)
    if not log:
        return History()
    cut = _where_history_is_cut(root)
    commits, files = [], {}
    for entry in log.split("\0")[1:]:
        head, *names = entry.splitlines()
        identity, day, subject = head.split("\t", 2)
        if identity in cut:  # it seems to have made every file there is
            continue
        commits.append(Commit(identity, date.fromisoformat(day), subject))
        for name in filter(None, names):
            files.setdefault(name, []).append(commits[-1])
    return History(tuple(commits), {name: tuple(changes) for name, changes in files.items()}, complete=not cut)


def head_commit(root: Path) -> Commit | None:
    """The commit that is checked out."""
    line = _git(root, "log", "-1", "--format=%H%x09%cs%x09%s").strip()
    if not line:
        return None
    identity, day, subject = line.split("\t", 2)
    return Commit(identity, date.fromisoformat(day), subject)


def _where_history_is_cut(root: Path) -> set[str]:
    """The oldest commits of a shallow clone."""
    path = _git(root, "rev-parse", "--git-path", "shallow").strip()
    shallow = root / path
    return set(shallow.read_text(encoding="ascii").split()) if path and shallow.is_file() else set()


def _git(root: Path, *arguments: str) -> str:
    """What git prints, and nothing if it fails or is not there."""
    command = ["git", "-C", str(root), "-c", "core.quotePath=false", *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""
