"""`rollcone schema`: what a scene file may hold."""

from __future__ import annotations

from typing import Annotated

import typer


def schema(
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print tables for people instead.")
    ] = False,
) -> None:
    """Print the JSON Schema of scene files, for editors.

    They complete and check a scene that begins with the line

    \b
      #:schema rollcone.schema.json
    """
    import json

    from rollcone.scene import schema as of_scenes

    typer.echo(of_scenes.markdown() if markdown else json.dumps(of_scenes.scene_schema(), indent=2))
