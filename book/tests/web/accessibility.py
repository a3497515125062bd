"""axe-core on a page of the book."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

OF_COLOURS = ("color-contrast", "link-in-text-block")

# Contrast is the slow rule, and a listing has thousands of words in a dozen colours. So of all texts that agree in
# colour, size, weight, line, opacity and background, one is looked at.
ONE_TEXT_OF_EACH_LOOK = """() => {
    const backgrounds = new Map();
    const background = (element) => {
        if (element === null) return '';
        if (!backgrounds.has(element)) {
            const style = getComputedStyle(element);
            const own = `${style.backgroundColor} ${style.backgroundImage} ${style.opacity}`;
            const plain = own === 'rgba(0, 0, 0, 0) none 1';
            const below = background(element.parentElement);
            backgrounds.set(element, plain ? below : `${own} over ${below}`);
        }
        return backgrounds.get(element);
    };
    const looks = new Map();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (texts.currentNode.data.trim() === '' || !element.checkVisibility({visibilityProperty: true})) continue;
        const style = getComputedStyle(element);
        const look = [style.color, style.fill, style.fontSize, style.fontWeight, style.textDecorationLine,
                      background(element)].join(';');
        const known = looks.get(look);
        if (!known || known.childElementCount > element.childElementCount) looks.set(look, element);
    }
    return axe.run({include: [...looks.values()]}, {resultTypes: ['violations'], preload: false, runOnly: RULES});
}"""
ALL_BUT_COLOURS = """() => axe.run(document, {
    resultTypes: ['violations'],
    preload: false,
    rules: {'target-size': {enabled: true}, 'color-contrast': {enabled: false}, 'link-in-text-block': {enabled: false}},
})"""


@cache
def _axe() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def _run(page: Page, script: str) -> list[str]:
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(_axe())
    return [
        f"{violation['id']} ({violation['help']}): {node['html'][:200]}: {node['failureSummary'][:300]}"
        for violation in page.evaluate(script)["violations"]
        for node in violation["nodes"]
    ]


def all_problems(page: Page) -> list[str]:
    """What all rules find that do not ask for colours."""
    return _run(page, ALL_BUT_COLOURS)


def problems_inside(page: Page, selector: str) -> list[str]:
    """What all rules find inside of an element."""
    return _run(page, f"() => axe.run({selector!r}, {{resultTypes: ['violations'], preload: false}})")


def colour_problems(page: Page) -> list[str]:
    """What the rules find that ask for colours, with the colours that the page has now."""
    return _run(page, ONE_TEXT_OF_EACH_LOOK.replace("RULES", str(list(OF_COLOURS))))
