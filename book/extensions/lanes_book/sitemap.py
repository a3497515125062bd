"""sitemap.xml: all pages, with the day of their last change. Made only when the address of the book is known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from .page_history import commits_of_page

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write_sitemap(app: Sphinx, exception: Exception | None) -> None:
    """Handler of `build-finished`."""
    site = app.config.html_baseurl
    if exception is not None or app.builder.format != "html" or not site:
        return
    urls = ElementTree.Element("urlset", xmlns=NAMESPACE)
    for docname in sorted(app.env.found_docs):
        url = ElementTree.SubElement(urls, "url")
        ElementTree.SubElement(url, "loc").text = site + app.builder.get_target_uri(docname)
        commits = commits_of_page(app, docname)
        if commits:
            ElementTree.SubElement(url, "lastmod").text = commits[0].day.isoformat()
    ElementTree.indent(urls)
    ElementTree.ElementTree(urls).write(Path(app.outdir) / "sitemap.xml", encoding="utf-8", xml_declaration=True)
