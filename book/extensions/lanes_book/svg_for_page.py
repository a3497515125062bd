"""Turns a picture that matplotlib wrote into an element of the page: named, described, small, in the page's colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree

Element = ElementTree.Element

LONG_FRACTION = re.compile(r"-?\d+\.\d{2,}")
FONT_FAMILY = re.compile(r"font-family:[^;]*;?\s*")
LOCAL_LINK = re.compile(r"(?<=url\(#)[^)]+|(?<=^#).+")


def page_element(svg: str, name: str, title: str, description: str, colours: Mapping[str, str]) -> str:
    """The SVG element as text. `name` makes its ids unique in the page; title and description are read aloud."""
    root = ElementTree.fromstring(svg)
    _drop_namespaces(root)
    _keep_linked_ids(root, name)
    for element in root.iter():
        _simplify(element)
    for parent in list(root.iter()):
        _lift_common_style(parent)
    text = ElementTree.tostring(_named(root, name, title, description), encoding="unicode")
    for stand_in, colour in colours.items():
        text = text.replace(stand_in, colour)
    return text


def _drop_namespaces(root: Element) -> None:
    for parent in list(root.iter()):
        parent.tag = parent.tag.rpartition("}")[2]
        parent.attrib = {key.rpartition("}")[2]: value for key, value in parent.attrib.items()}
        for child in list(parent):
            if child.tag.rpartition("}")[2] == "metadata":
                parent.remove(child)


def _keep_linked_ids(root: Element, name: str) -> None:
    attributes = [value for element in root.iter() for value in element.attrib.values()]
    linked = {link for value in attributes for link in LOCAL_LINK.findall(value)}
    for element in root.iter():
        identifier = element.attrib.pop("id", None)
        if identifier in linked:
            element.set("id", f"{name}-{identifier}")
        for key, value in element.attrib.items():
            element.set(key, LOCAL_LINK.sub(lambda match: f"{name}-{match.group()}", value))


def _simplify(element: Element) -> None:
    for key in ("d", "x", "y", "width", "height", "transform"):
        if key in element.attrib:
            shorter = LONG_FRACTION.sub(lambda match: f"{float(match.group()):.1f}", element.attrib[key])
            element.set(key, " ".join(shorter.split()))
    if "style" in element.attrib:
        element.set("style", FONT_FAMILY.sub("", element.attrib["style"]))
    element.text = element.text.strip() if element.text else None
    element.tail = None


def _lift_common_style(parent: Element) -> None:
    styles = {child.attrib.get("style") for child in parent}
    if (
        parent.tag == "g"
        and len(parent) > 1
        and len(styles) == 1
        and None not in styles
        and "style" not in parent.attrib
    ):
        parent.set("style", styles.pop() or "")
        for child in parent:
            del child.attrib["style"]


def _named(root: Element, name: str, title: str, description: str) -> Element:
    named = Element("svg", {"viewBox": root.attrib["viewBox"], "role": "img"})
    named.set("aria-labelledby", f"{name}-title {name}-description")
    ElementTree.SubElement(named, "title", {"id": f"{name}-title"}).text = title
    ElementTree.SubElement(named, "desc", {"id": f"{name}-description"}).text = description
    # matplotlib's style element would hold for the whole page.
    named.extend(child for child in root if child.tag != "defs" or child.find("style") is None)
    return named
