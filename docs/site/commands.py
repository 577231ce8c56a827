"""The reference of the commands, made of what `rollcone --help` knows.

What is between `<!-- commands -->` and `<!-- end -->` in a page is replaced by a section for each
command.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import typer

from rollcone.cli.main import app as rollcone_app
from rollcone.cli.plain_help import filled

_BLOCK = re.compile(r"<!-- commands -->.*?<!-- end -->", re.DOTALL)


def reference() -> str:
    """Markdown of all commands."""
    group: Any = typer.main.get_command(rollcone_app)
    parts = []
    for name, command in group.commands.items():
        parts.append(_section(f"rollcone {name}", command))
        for below, one in getattr(command, "commands", {}).items():
            parts.append(_section(f"rollcone {name} {below}", one))
    return "\n\n".join(parts)


def _section(name: str, command: Any) -> str:
    context = command.make_context(name, [], resilient_parsing=True)
    parts = [f"## {name}", _text(command.help or "")]
    if not hasattr(command, "commands"):
        usage = " ".join([name, *command.collect_usage_pieces(context)])
        parts += [f"```text\n{usage}\n```", _table(command, context)]
    if command.epilog:
        lines = [line.strip() for line in command.epilog.splitlines()[2:]]
        parts.append("Examples:\n\n```text\n" + "\n".join(lines) + "\n```")
    return "\n\n".join(part for part in parts if part)


def _text(help_text: str) -> str:
    """Paragraphs; an asterisk is one."""
    return inspect.cleandoc(help_text).replace("\b\n", "").replace("*", "\\*")


def _table(command: Any, context: Any) -> str:
    """Arguments and options with their help."""
    lines = ["| argument or option | |", "|---|---|"]
    for parameter in command.get_params(context):
        if parameter.param_type_name == "argument":
            record = (parameter.metavar, parameter.help or "")
        else:
            record = filled(parameter.get_help_record(context))
        name, text = (cell.replace("|", "\\|") for cell in record)
        lines.append(f"| `{name}` | {text} |")
    return "\n".join(lines)


def _read(_app: Any, _name: str, source: list[str]) -> None:
    source[0] = _BLOCK.sub(lambda _: reference(), source[0])


def setup(app: Any) -> dict[str, Any]:
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
