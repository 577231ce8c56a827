"""`rollcone schema`: what a scene file or a study file may hold."""

from __future__ import annotations

from typing import Annotated

import typer


def schema(
    of: Annotated[
        str, typer.Argument(metavar="[scene|study]", help="Which file.", show_default=False)
    ] = "scene",
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print tables for people instead.")
    ] = False,
) -> None:
    """Print the JSON Schema of scene files, or of study files, for editors.

    They complete and check a scene that begins with the line

    \b
      #:schema rollcone.schema.json
    """
    import json

    from rollcone._check import one_of
    from rollcone.scene import schema as of_scenes

    if one_of("file", of, ("scene", "study")) == "scene":
        text = of_scenes.markdown() if markdown else None
        document = of_scenes.json_schema()
    else:
        from rollcone.sweep import schema as of_studies
        from rollcone.sweep.tables import SweepTable

        text = of_studies.markdown() if markdown else None
        document = of_scenes.json_schema(SweepTable)
    typer.echo(text or json.dumps(document, indent=2))
