"""The workflow that publishes the book and the container to try it in: their form, and that what they call is there."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture
def workflow() -> dict[str, Any]:
    """The workflow for GitHub Pages."""
    return yaml.safe_load((ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8"))


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps of all jobs."""
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def is_program(path: str) -> bool:
    """Whether a file of the repository can be run."""
    return os.access(ROOT / path, os.X_OK)


def test_the_workflow_runs_what_is_there_and_publishes_what_it_makes(workflow: dict[str, Any]) -> None:
    assert workflow["on"]["push"] == {"branches": ["main"]}
    assert workflow["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    assert workflow["jobs"]["deploy"]["needs"] == "build"
    assert [step["run"] for step in steps(workflow) if "run" in step] == ["ci/book"]
    assert is_program("ci/book")
    upload = next(step for step in steps(workflow) if step.get("uses", "").startswith("actions/upload-pages-artifact@"))
    assert f"{upload['with']['path']}/index.html" in (ROOT / "ci" / "book").read_text(encoding="utf-8")


def test_every_action_has_a_pinned_version(workflow: dict[str, Any]) -> None:
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert len(used) == 4
    for action in used:
        assert re.fullmatch(r"actions/[a-z-]+@v\d+", action)


def test_values_between_steps_have_a_source(workflow: dict[str, Any]) -> None:
    identities = {step["id"] for step in steps(workflow) if "id" in step}
    text = (ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"steps\.(\w+)\.outputs", text)) == identities


def test_the_address_reaches_the_build(workflow: dict[str, Any]) -> None:
    step = next(step for step in steps(workflow) if "run" in step)
    assert list(step["env"]) == ["LANES_BOOK_URL"]
    assert step["env"]["LANES_BOOK_URL"].endswith("/")
    assert '-DLANES_BOOK_URL="${LANES_BOOK_URL:-}"' in (ROOT / "ci" / "build").read_text(encoding="utf-8")
    assert "html_baseurl=${LANES_BOOK_URL}" in (ROOT / "book" / "CMakeLists.txt").read_text(encoding="utf-8")


def test_the_container_builds_what_the_readme_runs() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert is_program(container["postCreateCommand"])
    assert "build/bin/bank_conflicts" in (ROOT / "README.md").read_text(encoding="utf-8")
