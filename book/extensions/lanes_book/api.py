"""The directive `api-headers`: everything public in some files, through Doxygen and Breathe."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breathe.directives.file import DoxygenFileDirective
from breathe.renderer import RenderContext, filter
from breathe.renderer.mask import NullMaskFactory
from breathe.renderer.sphinxrenderer import SphinxRenderer
from breathe.renderer.target import create_target_handler
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.domains.cpp import CPPNamespaceObject

from .directive import BookDirective
from .errors import BookError

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)
IN_SIGNATURE = re.compile(r'<span class="pre">([^<]*)</span>')
NO_NAMESPACE = "NULL"
ENCLOSING = re.compile(r'(?<=<span class="pre">)lanes::(?:[a-z_]+::)*')


class HeaderRenderer(SphinxRenderer):
    """Shows what is in a namespace, but not the namespace, which many headers open.

    Sphinx wants a namespace declared once, and a reader wants its description once.
    """

    namespace = NO_NAMESPACE

    def visit_namespace(self, node: Any) -> list[nodes.Node]:
        """The contents of the namespace, declared as its members."""
        parsed = self.compound_parser.parse(node.refid)
        parsed.compounddef.briefdescription = parsed.compounddef.detaileddescription = None
        outer = self.namespace
        self._enter(parsed.compounddef.compoundname)
        self.nesting_level += 1
        contents = self.render(parsed, self.context.create_child_context(parsed))
        self.nesting_level -= 1
        self._enter(outer)
        return contents

    def _enter(self, namespace: str) -> None:
        self.namespace = namespace
        CPPNamespaceObject("", [namespace], {}, StringList(), 0, 0, "", self.state, self.state.state_machine).run()


class Header(DoxygenFileDirective):
    """Breathe's doxygenfile with HeaderRenderer, and without private members, which Doxygen's XML holds too."""

    def handle_contents(self, file_: str, project_info: Any) -> list[nodes.Node]:
        """The nodes of one file."""
        matches: list[list[Any]] = []
        finder = self.finder_factory.create_finder(project_info)
        finder.filter_(self.filter_factory.create_file_finder_filter(file_), matches)
        if len(matches) != 1:
            raise self.error(f"Doxygen read {len(matches)} files named {file_}")
        renderer = HeaderRenderer(
            self.parser_factory.app,
            project_info,
            matches[0],
            self.state,
            self.state.document,
            create_target_handler(self.options, project_info, self.state.document),
            self.parser_factory.create_compound_parser(project_info),
            filter.AndFilter(self.filter_factory.create_file_filter(file_, self.options), _public()),
        )
        context = RenderContext(matches[0], NullMaskFactory(), self.directive_args)
        contents = renderer.render(matches[0][0], context)
        for node in contents:
            _lighten(node)
        return contents


def _public() -> filter.Filter:
    is_member = filter.InFilter(filter.NodeTypeAccessor(filter.Node()), ["memberdef"])
    is_private = filter.InFilter(filter.LambdaAccessor(filter.Node(), lambda member: member.prot), ["private"])
    return filter.NotFilter(filter.AndFilter(is_member, is_private))


def _lighten(content: nodes.Node) -> None:
    """Leaves out what makes a page heavy and helps nobody."""
    for rubric in content.findall(nodes.rubric):
        rubric["ids"] = []  # "Functions" and the like: the same ids for every class
    for signature in content.findall(addnodes.desc_signature):
        signature["ids"] = signature["ids"][:1]  # the others are for links that older Sphinx made
        if isinstance(signature.parent.parent, addnodes.desc_content):
            signature["_toc_name"] = ""  # members of classes do not belong in the list of contents


class ApiHeaders(BookDirective):
    """Argument: a pattern of files, from the top of the repository. A section for each file."""

    required_arguments = 1
    option_spec = {"include-root": directives.unchanged_required}

    def make(self) -> list[nodes.Node]:
        headers = sorted(self.book.root.glob(self.arguments[0]))
        if not headers:
            raise BookError(f"no file matches {self.arguments[0]}")
        include_root = self.book.root / self.options["include-root"]
        self.env.note_dependency(f"{self.config.breathe_projects['lanes']}/index.xml")
        return [self._section(str(header.relative_to(include_root))) for header in headers]

    def _section(self, header: str) -> nodes.section:
        section = nodes.section("", nodes.title("", "", nodes.literal("", f"<{header}>")), names=[header])
        self.state.document.note_implicit_target(section, section)
        section += self.parse_text_to_nodes(f"```{{api-header}} {header}\n```")
        return section


def read_anew_what_doxygen_dropped(
    app: Sphinx, env: BuildEnvironment, _added: set[str], _changed: set[str], removed: set[str]
) -> list[str]:
    """Handler of `env-get-outdated`, before Breathe's, which gives up at a file that is gone.

    Doxygen numbers nameless namespaces, so its files change their names when sources come and go.
    """
    files = getattr(env, "breathe_file_state", {})
    gone = [file for file in files if not Path(file).is_file()]
    outdated = {docname for file in gone for docname in files.pop(file)[1]}
    return sorted(outdated - removed)


def lighten_pages(
    _app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Handler of `html-page-context`.

    The contents of a page name classes as they name functions, without namespaces. Signatures lose elements in elements
    that look the same without: they are a tenth of the page.
    """
    if pagename.startswith("api/"):
        context["toc"] = ENCLOSING.sub("", context["toc"])
        context["body"] = SIGNATURE.sub(lambda signature: IN_SIGNATURE.sub(r"\1", signature[0]), context["body"])
