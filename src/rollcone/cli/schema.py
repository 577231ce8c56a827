"""`rollcone schema`: what a scene file, a study file or a fit file may hold."""

from __future__ import annotations

from typing import Annotated

import typer


def schema(
    of: Annotated[
        str, typer.Argument(metavar="FILE", help="scene, study or fit.", show_default=False)
    ] = "scene",
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print tables for people instead.")
    ] = False,
) -> None:
    """Print the JSON Schema of scene, study or fit files, for editors.

    They complete and check a scene that begins with the line

    \b
      #:schema rollcone.schema.json
    """
    import json

    from rollcone._check import one_of
    from rollcone.scene import schema as of_scenes

    if one_of("file", of, ("scene", "study", "fit")) == "scene":
        text = of_scenes.markdown() if markdown else None
        document = of_scenes.json_schema()
    elif of == "study":
        from rollcone.sweep import schema as of_studies
        from rollcone.sweep.tables import SweepTable

        text = of_studies.markdown() if markdown else None
        document = of_scenes.json_schema(SweepTable)
    else:
        from rollcone.fit import schema as of_fits
        from rollcone.fit.tables import FitTable

        text = of_fits.markdown() if markdown else None
        document = of_scenes.json_schema(FitTable)
    typer.echo(text or json.dumps(document, indent=2))
