"""Reading: themes, keys, drawers, search, paper; without scripts and without motion."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser import Watch, ready
from playwright.sync_api import BrowserContext, Page, expect

CHAPTER = "chapters/02_tiling/tiling.html"
CHAPTERS = (
    "01_coalescing/coalescing",
    "02_tiling/tiling",
    "03_bank_conflicts/bank_conflicts",
    "04_occupancy/occupancy",
    "05_divergence/divergence",
    "06_reduction/reduction",
)
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(19, 20, 22)"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
FOCUSED = "document.activeElement.id || document.activeElement.className || document.activeElement.tagName"


def open_chapter(page: Page, url: str) -> None:
    page.goto(f"{url}{CHAPTER}")
    ready(page)


def test_the_theme_follows_the_system_until_the_reader_chooses(page: Page, served_url: str) -> None:
    page.emulate_media(color_scheme="dark")
    open_chapter(page, served_url)
    assert page.evaluate(BACKGROUND) == DARK
    toggle = page.locator(".theme-toggle-content button")
    toggle.click()  # from the system's to light
    assert page.evaluate(BACKGROUND) == LIGHT
    page.goto(f"{served_url}glossary.html")
    assert page.evaluate(BACKGROUND) == LIGHT


def test_the_chosen_theme_is_there_before_the_text(page: Page, served_url: str) -> None:
    page.add_init_script("localStorage.setItem('theme', 'dark')")
    open_chapter(page, served_url)
    assert page.evaluate(BACKGROUND) == DARK
    first = page.evaluate("document.body.firstElementChild.textContent")
    assert "document.body.dataset.theme" in first  # runs before anything of the page is drawn


def test_arrow_keys_turn_pages_where_nothing_else_wants_them(page: Page, book_url: str) -> None:
    open_chapter(page, book_url)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/bank_conflicts.html")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/tiling.html")
    ready(page)
    for selector in (".sidebar-search", "article summary", "article a"):
        page.locator(selector).first.focus()
        page.keyboard.press("ArrowRight")
    page.locator("h1").click()
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_timeout(200)
    assert page.url.endswith(CHAPTER)


def test_the_skip_link_comes_first_and_leads_to_the_text(page: Page, served_url: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_chapter(page, served_url)
    page.keyboard.press("Tab")
    skip = page.locator(".skip-to-content")
    expect(skip).to_be_focused()
    assert skip.bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == "furo-main-content"


def test_the_focus_can_be_seen_at_every_stop(page: Page, served_url: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_chapter(page, served_url)
    for _ in range(40):
        page.keyboard.press("Tab")
        seen = page.evaluate(
            """() => {
                const seen = (e) => getComputedStyle(e).outlineStyle !== 'none' || e.matches('.skip-to-content');
                const at = document.activeElement;
                return seen(at) || seen(at.closest('.sidebar-search-container') ?? at);
            }"""
        )
        assert seen, page.evaluate("document.activeElement.outerHTML.slice(0, 200)")


def test_drawers_open_and_close_by_keyboard(page: Page, served_url: str) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    open_chapter(page, served_url)
    link = page.locator(".sidebar-tree a").first
    expect(link).not_to_be_visible()
    page.locator("#__navigation").focus()
    page.keyboard.press("Space")
    expect(link).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).not_to_be_visible()
    page.locator("#__toc").focus()
    page.keyboard.press("Space")
    expect(page.locator(".toc-tree li li a").first).to_be_visible()


def test_what_scrolls_can_be_reached_by_keyboard(page: Page, served_url: str) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    open_chapter(page, served_url)
    code = page.locator("pre[tabindex='0']").first
    expect(code).to_have_attribute("aria-label", "Code, scrolls")
    code.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")
    assert page.url.endswith(CHAPTER)
    page.set_viewport_size({"width": 2560, "height": 800})
    expect(page.locator("article pre[tabindex='0']")).to_have_count(0)


@pytest.mark.parametrize("where", ["book_url", "served_url"])
def test_the_search_finds_and_leads_to_the_place(page: Page, where: str, request: pytest.FixtureRequest) -> None:
    page.goto(f"{request.getfixturevalue(where)}index.html")
    page.locator(".sidebar-search").fill("swizzle")
    page.keyboard.press("Enter")
    hit = page.locator("#search-results li a", has_text="Bank conflicts").first
    expect(hit).to_be_visible()
    hit.click()
    page.wait_for_url("**/bank_conflicts.html*")
    expect(page.locator("article .highlighted").first).to_have_text("swizzle", ignore_case=True)


def test_the_search_knows_words_that_are_names_in_its_own_language(page: Page, book_url: str) -> None:
    page.goto(f"{book_url}search.html?q=constructor")
    expect(page.locator("#search-results")).to_contain_text("Search Results")


def test_words_that_were_searched_are_marked_in_the_whole_page(page: Page, book_url: str) -> None:
    page.goto(f"{book_url}{CHAPTER}?highlight=warp")
    expect(page.locator("article .highlighted").last).to_have_text("warp", ignore_case=True)
    last = page.locator("article p", has_text=re.compile("warp", re.IGNORECASE)).last
    expect(last.locator(".highlighted").first).to_be_attached()


@pytest.mark.parametrize("storage", ["throw new DOMException('Access is denied.', 'SecurityError')", "return null"])
def test_where_nothing_may_be_kept_theme_and_search_work(page: Page, book_url: str, storage: str) -> None:
    blocked = f"{{get: () => {{ {storage}; }}, configurable: true}}"
    page.add_init_script(f"Object.defineProperty(window, 'localStorage', {blocked});")
    page.goto(f"{book_url}search.html?q=swizzle")
    expect(page.locator("#search-results li a").first).to_be_visible()
    page.locator(".theme-toggle:visible").first.click()
    assert page.evaluate("document.body.dataset.theme") in ("dark", "light")


def test_paper_is_light_and_holds_what_is_folded(page: Page, served_url: str) -> None:
    page.add_init_script("localStorage.setItem('theme', 'dark')")
    open_chapter(page, served_url)
    answer = page.locator("details.answer .fold-content").first
    expect(answer).not_to_be_visible()
    page.emulate_media(media="print")
    expect(answer).to_be_visible()
    assert page.evaluate(BACKGROUND) == LIGHT
    assert page.evaluate("getComputedStyle(document.body).getPropertyValue('--lanes-accent').trim()") == "#0a5a9c"
    for selector in (".sidebar-drawer", ".related-pages", ".page-history", ".copybtn"):
        expect(page.locator(selector).first).not_to_be_visible()


@pytest.fixture
def paper(new_context: Callable[..., BrowserContext]) -> Page:
    """A page as wide as the margins of A4 leave it, printed."""
    page = new_context(viewport={"width": 672, "height": 960}).new_page()
    page.emulate_media(media="print")
    return page


CUT_OFF = """() => [...document.querySelectorAll('.snippet .highlight pre, .program-output pre, .table-wrapper')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent.slice(0, 60))"""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_paper_has_counts_beside_their_lines_and_cuts_nothing_off(paper: Page, book_url: str, chapter: str) -> None:
    paper.goto(f"{book_url}chapters/{chapter}.html")
    ready(paper)
    heights = """[...document.querySelectorAll('.snippet-with-counts')].map((listing) => ['.line-counts', '.highlight']
        .map((part) => getComputedStyle(listing.querySelector(`${part} pre`)).lineHeight))"""
    listings = paper.evaluate(heights)
    assert listings, "some listing has counts beside it"
    assert all(counts == code for counts, code in listings)
    assert paper.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("name", ["how_to_count", "lanes"])
def test_paper_cuts_no_output_of_a_program_off(paper: Page, book_url: str, name: str) -> None:
    paper.goto(f"{book_url}{name}.html")
    assert paper.locator(".wide-output").count() > 0
    assert paper.evaluate(CUT_OFF) == []


# Of each line that has a count: how far its number is from the code beside it, in heights of a line.
DISTANCES = """() => [...document.querySelectorAll(".snippet-with-counts")].flatMap(listing => {
    if (!listing.querySelector(".line-counts").checkVisibility()) return [];
    const [counts, code] = [".line-counts pre", ".highlight pre"].map(selector => listing.querySelector(selector));
    const line = parseFloat(getComputedStyle(code).lineHeight);
    const end = code.getBoundingClientRect().bottom - parseFloat(getComputedStyle(code).paddingBottom);
    const lines = code.textContent.replace(/\\n$/, "").split("\\n").length;
    return [...counts.querySelectorAll(".counted")].map(count => {
        const before = document.createRange();
        before.setStart(counts, 0);
        before.setEndBefore(count);
        const number = before.toString().split("\\n").length - 1;
        return Math.abs(count.getBoundingClientRect().bottom - (end - line * (lines - number - 1))) / line;
    });
})"""


@pytest.mark.parametrize("media", ["screen", "print"])
@pytest.mark.parametrize("width", [360, 680, 1280])
def test_counts_stand_beside_their_lines(page: Page, book_url: str, media: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{book_url}{CHAPTER}")
    page.emulate_media(media=media)
    distances = page.evaluate(DISTANCES)
    assert len(distances) > 3
    assert max(distances) < 0.35


def test_paper_has_the_wide_pictures(page: Page, book_url: str) -> None:
    page.set_viewport_size({"width": 680, "height": 800})
    page.goto(f"{book_url}{CHAPTER}")
    page.emulate_media(media="print")
    for width, shown in (("wide", True), ("narrow", False)):
        pictures = page.locator(f"figure.picture .picture-{width}")
        assert {picture.is_visible() for picture in pictures.all()} == {shown}


def test_without_scripts_the_chapter_can_be_read(new_context: Callable[..., BrowserContext], book_url: str) -> None:
    page = new_context(
        java_script_enabled=False, color_scheme="dark", viewport={"width": 360, "height": 800}
    ).new_page()
    page.goto(f"{book_url}{CHAPTER}")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("figure svg").locator("visible=true").first).to_be_visible()
    page.locator("details.answer summary").first.click()
    expect(page.locator("details.answer .fold-content").first).to_be_visible()


def test_pictures_have_their_own_ground_where_colours_are_forced(page: Page, served_url: str) -> None:
    page.emulate_media(color_scheme="dark", forced_colors="active")
    page.add_init_script("localStorage.setItem('theme', 'light')")
    open_chapter(page, served_url)
    assert page.evaluate(BACKGROUND) == "rgb(0, 0, 0)"
    figure = page.locator("#march")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-live", "")
    pictures = page.locator("article svg[role='img']:visible, .live-stage svg:visible")
    grounds = pictures.evaluate_all("all => all.map(svg => getComputedStyle(svg).backgroundColor)")
    assert len(grounds) > 3
    assert set(grounds) == {LIGHT}, "their words are dark"


def test_nothing_moves_if_the_reader_asks_for_that(page: Page, served_url: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_chapter(page, served_url)
    moving = "[...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).transitionDuration !== '0s').length"
    assert page.evaluate(moving) == 0
    assert page.evaluate("document.getAnimations().length") == 0


def test_an_address_that_is_not_there_leads_back(page: Page, served_url: str, watch: Watch) -> None:
    page.goto(f"{served_url}gone.html")
    assert len(watch.problems) == 2  # the answer 404, and the console's word about it
    watch.problems.clear()
    page.get_by_role("link", name="the first page").click()
    expect(page.locator("h1")).to_contain_text("Thirty-Two Lanes")


def test_a_phone_shows_the_captions_of_wide_tables_and_the_code_beside_counts(
    new_context: Callable[..., BrowserContext], book_url: str
) -> None:
    page = new_context(viewport={"width": 360, "height": 800}).new_page()
    page.goto(f"{book_url}chapters/06_reduction/reduction.html")
    ready(page)
    wide = """() => [...document.querySelectorAll('.table-wrapper')]
        .filter((table) => table.scrollWidth > table.clientWidth && table.querySelector('caption'))
        .map((table) => table.querySelector('caption').getBoundingClientRect().right - innerWidth)"""
    ends = page.evaluate(wide)
    assert ends, "some table is wider than the page"
    assert max(ends) <= 0
    code = "[...document.querySelectorAll('.snippet-with-counts .highlight pre')].map((code) => code.clientWidth)"
    widths = page.evaluate(code)
    assert widths, "some listing has counts beside it"
    assert min(widths) > 120
