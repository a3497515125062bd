"""Pages of sources: as light as they can be without looking different."""

from __future__ import annotations

from bs4 import BeautifulSoup
from lanes_book.listings import lighter

CODE = (
    '<span id="line-1"><span class="n">f</span><span class="p">(</span><span class="p">)</span><span class="w"> </span>'
    '<span class="p">{</span><span class="n">a</span>\n</span><span id="line-2"><span class="n">b</span>\n</span>'
)


def test_neighbours_of_one_kind_become_one_element_within_a_line() -> None:
    light = lighter(CODE)
    assert BeautifulSoup(light, "html.parser").get_text() == "f() {a\nb\n"
    assert light == (
        '<span id="line-1"><span class="n">f</span><span class="p">() {</span><span class="n">a</span>\n</span>'
        '<span id="line-2"><span class="n">b</span>\n</span>'
    )
