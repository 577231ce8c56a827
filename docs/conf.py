"""Settings of the documentation site (`make docs`); what they call is in site/."""

import sys
from importlib.metadata import distribution
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "site"))

from rollcone import __version__

project = "Rollcone"
author = "the authors of Rollcone"
copyright = author
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "commands",
    "docstrings",
    "pages",
]
exclude_patterns = ["site", "results"]

# One file from an installed package, with its letters as paths: no network, no fonts.
MATHJAX = Path(
    distribution("sphinx-mathjax-offline").locate_file(
        "sphinx-mathjax-offline/static/mathjax/tex-svg.js"
    )
)
mathjax_path = MATHJAX.name

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4  # as a code host makes them

autodoc_typehints = "signature"
# Names of types as they are written, not what they stand for.
_ALIASES = (
    "ArrayLike BoolArray Coefficient Coupling Elements FilePath FloatArray IntArray Law Load "
)
_ALIASES += "MassMatrix Measure OneOrTwo Signal Verdict"
autodoc_type_aliases = {name: name for name in _ALIASES.split()}
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": True}
python_maximum_signature_line_length = 88
add_module_names = False

highlight_language = "text"  # of blocks that name none
html_theme = "furo"
html_title = f"Rollcone {release}"
html_static_path = ["site/static", str(MATHJAX)]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_last_updated_fmt = None
html_theme_options = {"top_of_page_buttons": []}
