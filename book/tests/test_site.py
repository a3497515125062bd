"""What makes a site of the pages: edition, citation, tags, map, history, downloads."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
import yaml
from bs4 import BeautifulSoup
from conftest import Built
from jsonschema import Draft202012Validator
from lanes_book.edition import Edition, edition_of
from lanes_book.history import Commit, History
from lanes_book.page_history import show_history
from lanes_book.sitemap import NAMESPACE, write_sitemap

EDITION = Edition("Thirty-Two Lanes", "the authors", "1.2", date(2026, 11, 30), "0123456789abcdef", "https://a.org/b/")
SITE = "https://a.org/b/"


def test_citations() -> None:
    assert EDITION.sentence() == ("The authors (2026). Thirty-Two Lanes. Version 1.2, commit 0123456. https://a.org/b/")
    assert "  title   = {{Thirty-Two Lanes}},\n" in EDITION.bibtex()
    assert "  year    = {2026},\n  version = {1.2},\n" in EDITION.bibtex()
    assert EDITION.bibtex().count("{") == EDITION.bibtex().count("}")
    file = yaml.safe_load(EDITION.citation_file())
    assert (file["cff-version"], file["version"], file["authors"]) == ("1.2.0", "1.2", [{"name": "the authors"}])
    assert file["date-released"] == "2026-11-30"


def test_a_citation_without_git_and_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    config = SimpleNamespace(lanes_root="", project="A", author="b", version="", html_baseurl="")
    edition = edition_of(SimpleNamespace(config=config))
    assert edition.sentence() == "B (2001). A."
    assert "url" not in edition.bibtex()
    assert "note" not in edition.bibtex()


def test_pages_carry_their_tags(build: Callable[[str], Built]) -> None:
    head = build('The first "paragraph".\n\nAnother.').page.head
    tags = {tag["property"]: tag["content"] for tag in head.find_all("meta", attrs={"property": True})}
    assert tags["og:title"] == "A page"
    assert tags["og:description"] == "The first “paragraph”."
    assert "og:url" not in tags  # nobody said where the book will be
    assert head.find("meta", attrs={"name": "description"})["content"] == tags["og:description"]


def test_the_page_for_what_is_not_there_loads_nothing(build: Callable[[str], Built]) -> None:
    page = BeautifulSoup((build("").folder / "404.html").read_text(encoding="utf-8"), "html.parser")
    assert page.h1.get_text() == "There is no such page"
    assert page.find_all(["script", "img"]) == []
    assert [link["href"] for link in page.find_all("link")] == ["data:,"]


def test_map_of_the_site(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "chapters").mkdir(parents=True)
    commit = Commit("1", date(2026, 1, 2), "One")
    app = SimpleNamespace(
        config=SimpleNamespace(html_baseurl=SITE, lanes_root=str(root)),
        outdir=tmp_path,
        builder=SimpleNamespace(format="html", get_target_uri=lambda name: f"{name}.html"),
        env=SimpleNamespace(found_docs={"one", "two"}, doc2path=lambda name: root / "chapters" / f"{name}.md"),
        lanes_history=History((commit,), {"chapters/one.md": (commit,)}),
    )
    write_sitemap(app, None)
    urls = ElementTree.parse(tmp_path / "sitemap.xml").getroot()
    assert [[part.text for part in url] for url in urls] == [[f"{SITE}one.html", "2026-01-02"], [f"{SITE}two.html"]]
    assert urls.tag == f"{{{NAMESPACE}}}urlset"
    (tmp_path / "sitemap.xml").unlink()
    app.config.html_baseurl = ""
    write_sitemap(app, None)
    assert not (tmp_path / "sitemap.xml").exists()


def test_history_of_a_page(tmp_path: Path) -> None:
    commits = tuple(Commit(str(n), date(2026, 1, 30 - n), f"Change <{n}>") for n in range(25))
    app = SimpleNamespace(
        config=SimpleNamespace(lanes_root=str(tmp_path)),
        env=SimpleNamespace(found_docs={"one"}, doc2path=lambda name: tmp_path / "book" / "pages" / f"{name}.md"),
        lanes_history=History(commits, {"book/pages/one.md": commits}),
    )
    context: dict[str, str] = {}
    show_history(app, "one", "page.html", context, None)
    fold = BeautifulSoup(context["page_history"], "html.parser")
    assert fold.summary.get_text() == "Last changed on 30 January 2026: what changed"
    lines = [line.get_text() for line in fold.find_all("li")]
    assert lines[1] == "29 January 2026 Change <1>"
    assert lines[-1] == "and 5 earlier changes"
    app.lanes_history = History()
    show_history(app, "one", "page.html", context, None)
    assert "Built without the history" in context["page_history"]


def test_results_lie_beside_the_pages_with_their_schemas(build: Callable[[str], Built]) -> None:
    folder = build("```{downloads}\n```").folder
    files = json.loads((folder / "results" / "index.json").read_text(encoding="utf-8"))["files"]
    assert {(entry["program"], entry["device"], entry["kind"]) for entry in files} >= {("sample", "h200", "times")}
    for entry in files:
        schema = json.loads((folder / entry["schema"]).read_text(encoding="utf-8"))
        Draft202012Validator(schema).validate(json.loads((folder / entry["path"]).read_text(encoding="utf-8")))


def test_the_search_finds_functions_and_not_their_parameters(build: Callable[[str], Built]) -> None:
    built = build("```{cpp:function} template <typename Word> void copy_words(const Word* source, int count)\n```")
    assert built.warnings == ""
    index = (built.folder / "searchindex.js").read_text(encoding="utf-8")
    objects = json.loads(index[index.index("(") + 1 : index.rindex(")")])["objects"]
    assert [entry[4] for members in objects.values() for entry in members] == ["copy_words"]
