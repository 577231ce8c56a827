"""The little TOML that is written: tables of numbers, texts, lists and inline tables. Floats have
all their digits, so that reading gives the same bits."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from rollcone.errors import InputError


def table(header: str, fields: dict[str, Any]) -> str:
    """`[header]` and its keys; `header` comes with its brackets, or empty."""
    lines = [header] if header else []
    lines += [f"{name} = {value_text(name, value)}" for name, value in fields.items()]
    return "\n".join(lines) + "\n"


def value_text(name: str, value: Any) -> str:
    """`name` is for the error alone."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _quoted(name, value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(value_text(name, entry) for entry in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{k} = {value_text(k, v)}' for k, v in value.items())} }}"
    raise InputError(f"{name} = {value!r}: a scene file holds numbers and texts alone")


def _quoted(name: str, text: str) -> str:
    """JSON's escapes are TOML's; but TOML also escapes DEL, and is UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name} = {text!r}: must be a text that UTF-8 can hold") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
