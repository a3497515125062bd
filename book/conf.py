"""Sphinx configuration of the book. CMakeLists.txt passes the paths of a build with -D."""

import sys
from pathlib import Path

BOOK = Path(__file__).parent.resolve()
sys.path.insert(0, str(BOOK / "extensions"))

project = "Thirty-Two Lanes"
author = "the authors of Thirty-Two Lanes"
project_copyright = "the authors of Thirty-Two Lanes. Text CC BY 4.0, code Apache-2.0"
language = "en"

extensions = ["myst_parser", "breathe", "sphinx_copybutton", "lanes_book"]
source_suffix = {".md": "markdown"}
templates_path = ["templates"]
exclude_patterns = ["exercises/*/hints.md"]  # parts of the pages beside them

# Markdown
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "smartquotes"]
myst_heading_anchors = 4

# Numbered figures, tables and listings
numfig = True
numfig_format = {"figure": "Figure %s", "table": "Table %s", "code-block": "Listing %s", "section": "Section %s"}
numfig_secnum_depth = 1

# Equations: MathML, drawn by the browser
html_math_renderer = "mathml"

# Code
highlight_language = "text"
pygments_style = "github-light-high-contrast"
pygments_dark_style = "github-dark-high-contrast"
copybutton_prompt_text = "$ "
copybutton_exclude = ".linenos, .gp"
copybutton_selector = "div:not(.program-counts) > div.highlight > pre"

# Paths of this build; a build by hand gives them with -D too.
lanes_root = str(BOOK.parent)
lanes_schemas = str(BOOK / "results" / "schema")

# API pages
breathe_default_project = "lanes"
breathe_default_members = ("members",)
breathe_show_include = False
primary_domain = "cpp"
cpp_id_attributes = ["__global__", "__device__", "__host__", "__forceinline__"]
cpp_paren_attributes = ["__launch_bounds__", "__align__"]
# The index names things as a reader looks them up.
cpp_index_common_prefix = [
    f"lanes::{inner}" for inner in ("budgets::", "counters::", "emulator::", "model::", "ptx::", "runtime::", "")
]
nitpick_ignore_regex = [
    # Names of the standard library, the compiler and CUDA
    ("cpp:identifier", r"std(::.*)?|__\w+|u?int(8|16|32|64)_t|size_t|cuda\w+|dim3|u?int4|float4|double2"),
    # Namespaces, which many headers open and no page declares
    ("cpp:identifier", r"lanes(::\w+)*|model|emulator|ptx|runtime"),
    # Types that a header only names, because their members are nobody's business
    ("cpp:identifier", r"Program|RegionTable|State"),
]

# Pages. -D html_baseurl=https://... says where they will be, for the tags, the map and the citation that need it.
html_theme = "furo"
html_title = project
html_short_title = project
html_static_path = ["static"]
html_favicon = "static/favicon.svg"
html_css_files = ["lanes.css"]
html_js_files = ["page_keys.js", "scrolling.js"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0a5a9c",
        "color-brand-content": "#0a5a9c",
        "color-brand-visited": "#5b3a8c",
        "color-code-background": "#f6f8fa",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc0ff",
        "color-brand-content": "#7cc0ff",
        "color-brand-visited": "#cdb1ff",
        "color-code-background": "#1d2026",
    },
}
