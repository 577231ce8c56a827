"""Builds the kernel library when the package is installed or a wheel is made.

A wheel has it for all levels of processors of its architecture; an editable install has it in the
checkout, for this processor, and builds it only if sources have changed since. Source
distributions are without it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelLibrary(BuildHookInterface):  # type: ignore[misc]
    """The hook that hatchling calls before it makes a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is missing, and name it as part of the wheel."""
        root = Path(self.root)
        folder = root / "src" / "rollcone" / "_library"
        options = [] if version == "editable" else ["--all-levels"]
        environment = os.environ | {"PYTHONPATH": str(root / "src")}
        call = [sys.executable, "-m", "rollcone._build", "--if-needed", "--output", str(folder)]
        if subprocess.run([*call, *options], env=environment).returncode:
            raise RuntimeError("the kernel library could not be built: see the lines above")
        for manifest in sorted(folder.glob("kernels-*.json")):
            if "quick" not in manifest.name:
                named = manifest.with_name(json.loads(manifest.read_bytes())["file"])
                build_data["artifacts"] += [
                    path.relative_to(root).as_posix() for path in (named, manifest)
                ]
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{os.environ.get('ROLLCONE_WHEEL_PLATFORM', platform)}"
        build_data["pure_python"] = False
