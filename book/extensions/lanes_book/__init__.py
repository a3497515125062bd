"""Sphinx extensions of Thirty-Two Lanes: snippets with counts, results by key, equations and boxes without scripts."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import (
    downloads,
    edition,
    exercises,
    folds,
    launch_scripts,
    line_breaks,
    listings,
    mathml,
    not_found,
    open_graph,
    page_history,
    program_output,
    prose,
    provenance,
    sitemap,
)
from .api import ApiHeaders, Header, lighten_pages, read_anew_what_doxygen_dropped
from .book import load_book
from .kept_together import KeptTogether
from .live_figure import LiveFigure, setup_live_figures
from .live_setting import SettingRole
from .machine_code_directive import MachineCodeDirective
from .repeat import Repeat
from .result_roles import GivenRole, ResultRole
from .results_plot import ResultsPlot
from .results_table import ResultsTable
from .roofline import Roofline
from .run_control import setup_run_control
from .search import SearchedCpp
from .snippet_diff import SnippetDiff
from .snippet_directive import SnippetDirective
from .table_ids import OneIdForEachTable

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DIRECTIVES = {
    "api-header": Header,
    "api-headers": ApiHeaders,
    "card": folds.Card,
    "citation": edition.Citation,
    "downloads": downloads.Downloads,
    "drawing": program_output.Drawing,
    "exercises": exercises.Exercises,
    "hints": exercises.Hints,
    "live-figure": LiveFigure,
    "machine-code": MachineCodeDirective,
    "predict": folds.Predict,
    "program-output": program_output.ProgramOutput,
    "program-table": program_output.ProgramTable,
    "questions": folds.Questions,
    "repeat": Repeat,
    "results-plot": ResultsPlot,
    "results-provenance": provenance.ResultsProvenance,
    "results-table": ResultsTable,
    "roofline": Roofline,
    "snippet": SnippetDirective,
    "snippet-diff": SnippetDiff,
}
ROLES = {"given": GivenRole, "ratio": ResultRole, "result": ResultRole, "setting": SettingRole}


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers everything with Sphinx."""
    for name in ("lanes_root", "lanes_snippets", "lanes_programs", "lanes_schemas"):
        app.add_config_value(name, "", "env", types=frozenset({str}))
    app.add_config_value("lanes_results", [], "env", types=frozenset({list}))
    # Pages are made again when the extensions themselves change.
    app.add_config_value("lanes_extension_digest", _digest(), "env", types=frozenset({str}))
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    for name, role in ROLES.items():
        app.add_role(name, role())
    app.add_post_transform(KeptTogether)
    app.add_post_transform(OneIdForEachTable)
    app.add_html_math_renderer("mathml", (mathml.visit_math, None), (mathml.visit_displayed_math, None))
    app.add_domain(SearchedCpp, override=True)
    setup_live_figures(app)
    setup_run_control(app)
    app.connect("builder-inited", load_book)
    app.connect("env-get-outdated", read_anew_what_doxygen_dropped, priority=400)
    app.connect("doctree-read", prose.check_prose)
    app.connect("html-collect-pages", listings.listing_pages)
    app.connect("build-finished", downloads.write_downloads)
    app.connect("build-finished", launch_scripts.write_scripts)
    _set_up_site(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _set_up_site(app: Sphinx) -> None:
    """What makes a web site of the pages."""
    app.add_config_value("lanes_pdf", "", "html", types=frozenset({str}))
    app.connect("builder-inited", page_history.load_history)
    app.connect("env-updated", page_history.pages_to_write_again)
    app.connect("html-page-context", page_history.show_history)
    app.connect("html-page-context", edition.name_pdf)
    app.connect("html-page-context", open_graph.add_tags)
    app.connect("html-page-context", exercises.lead_on)
    app.connect("html-page-context", lighten_pages)
    app.connect("html-page-context", line_breaks.break_lines_well)
    app.connect("html-collect-pages", not_found.not_found_page)
    app.connect("build-finished", edition.write_citations)
    app.connect("build-finished", sitemap.write_sitemap)


def _digest() -> str:
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
