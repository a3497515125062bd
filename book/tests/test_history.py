"""What git knows, of whole repositories, of shallow copies, and where there is none."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest
from lanes_book.history import History, head_commit, read_history


def git(folder: Path, *arguments: str, day: str = "2026-03-01") -> None:
    when = f"{day}T12:00:00+00:00"
    identity = {
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    environment = {
        **identity,
        "GIT_AUTHOR_DATE": when,
        "GIT_COMMITTER_DATE": when,
        "PATH": "/usr/bin:/bin",
        "HOME": "/",
    }
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=environment, capture_output=True)


def commit(folder: Path, file: str, subject: str, day: str) -> None:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(subject, encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-m", subject, day=day)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Three commits, in a repository that has the book in a folder of its own."""
    top = tmp_path / "repository"
    top.mkdir()
    git(top, "init", "-q")
    commit(top, "book/chapters/01_one/one.md", "The text", "2026-01-02")
    commit(top, "book/chapters/01_one/one.cu", 'The <kernel> & "quotes"', "2026-02-03")
    commit(top, "book/chapters/010/other.md", "Another chapter", "2026-03-04")
    return top


def test_commits_of_a_folder_and_of_a_file(repository: Path) -> None:
    history = read_history(repository / "book", "chapters")
    assert history.complete
    assert [c.subject for c in history.of(["chapters/01_one"])] == ['The <kernel> & "quotes"', "The text"]
    assert [c.day for c in history.of(["chapters/01_one/one.md"])] == [date(2026, 1, 2)]
    assert history.of(["chapters/01"]) == []
    assert head_commit(repository).subject == "Another chapter"


def test_a_shallow_copy_claims_no_changes_that_it_cannot_know(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{repository}", "shallow")
    history = read_history(tmp_path / "shallow" / "book", "chapters")
    assert not history.complete
    assert [commit.subject for commit in history.commits] == ["Another chapter"]
    assert history.of(["chapters/01_one"]) == []


def test_without_a_repository_and_without_git(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert read_history(tmp_path, "chapters") == History()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_history(repository / "book", "chapters") == History()
    assert head_commit(repository) is None
