"""Help with plain names of arguments: RUN, where Typer may write {RUN} or RUN <path>."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from typer.core import TyperCommand


class PlainCommand(TyperCommand):
    """A subcommand."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Of the line that begins with Usage."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The sections Arguments and Options."""
        params: list[Any] = self.get_params(ctx)
        arguments = [p for p in params if p.param_type_name == "argument"]
        rows = {
            "Arguments": [(p.metavar, p.help or "") for p in arguments],
            "Options": [filled(p.get_help_record(ctx)) for p in params if p not in arguments],
        }
        for title, section in rows.items():
            if section:
                with formatter.section(title):
                    formatter.write_dl(section)


def filled(record: tuple[str, str]) -> tuple[str, str]:
    """With values of the code in place of {module.NAME}: only help has to import the module."""

    def value(found: re.Match[str]) -> str:
        return f"{getattr(import_module(found[1]), found[2])}"

    name, text = record
    return name, re.sub(r"\{([\w.]+)\.(\w+)\}", value, text)
