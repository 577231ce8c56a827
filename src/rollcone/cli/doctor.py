"""`rollcone doctor`: versions, machine, threads, kernels and a self-test, for reports of faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rollcone.doctor.checks import Check


def doctor(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing; the exit code tells.")
    ] = False,
) -> None:
    """Tell what Rollcone runs on, and test that it works.

    The self-test takes some seconds. What is printed is meant to be put into reports of faults.
    Exit code 3 if a check fails.
    """
    from rollcone.cli.console import NOT_CONVERGED, print_json
    from rollcone.doctor.machine import machine

    silent = quiet or as_json
    facts = machine()
    if not silent:
        typer.echo("\n".join(_machine_lines(facts)))
    checks = _test(silent)
    passed = all(check.passed for check in checks)
    if as_json:
        print_json({**facts, "checks": [check.plain() for check in checks], "passed": passed})
    if not silent:
        failed = sum(not check.passed for check in checks)
        verdict = "all is well" if passed else f"{failed} of {len(checks)} checks failed"
        typer.echo(f"verdict     {verdict}")
    if not passed:
        raise typer.Exit(NOT_CONVERGED)


def _test(silent: bool) -> list[Check]:
    """All checks, each told when it is done."""
    from rollcone.cli.console import working
    from rollcone.doctor.checks import self_test

    found = []
    with working("testing", quiet=silent):
        for check in self_test():
            found.append(check)
            if not silent:
                typer.echo(_check_line(check))
    return found


def _check_line(check: Check) -> str:
    word = "ok" if check.passed else "FAILED"
    reached = check.error or f"{check.value:.3g} {check.meaning} (at most {check.bound:g})"
    return f"{word:7} {check.name}: {reached}; {check.seconds:.1f} s"


def _machine_lines(facts: dict[str, Any]) -> list[str]:
    from rollcone.cli.console import bytes_words

    def size(count: int | None) -> str:
        return "not known" if count is None else bytes_words(count)

    versions, platform, kernels = facts["versions"], facts["platform"], facts["kernels"]
    there = [f"{name} {version}" for name, version in versions.items() if version]
    absent = [name for name, version in versions.items() if version is None]
    free = facts["free"]
    set_here = [f"{name}={value}" for name, value in facts["environment"].items()]
    return [
        *_wrapped("versions", ", ".join(there)),
        *_wrapped("", f"not installed: {', '.join(absent)}" if absent else ""),
        f"machine     {platform['system']}, {platform['machine']}, {platform['processor']}, "
        f"{platform['usable_cpus']} of {platform['cpus']} CPUs usable",
        f"threads     {facts['threads']['used']}: {facts['threads']['why']}",
        *_kernel_lines(kernels, size(kernels["bytes"])),
        f"free        memory {size(free['memory'])}, disk {size(free['disk'])} here",
        *_wrapped("environment", ", ".join(set_here)),
    ]


def _kernel_lines(kernels: dict[str, Any], size: str) -> list[str]:
    """Return the lines about the kernel library: its file and content, or why there is none."""
    if kernels["error"]:
        return _wrapped("kernels", kernels["error"])
    return [
        f"kernels     {kernels['file']}",
        f"            version {kernels['version']}, for {kernels['level']}: "
        f"{kernels['kernels']} kernels, {size}",
    ]


def _wrapped(head: str, text: str) -> list[str]:
    import textwrap

    lines = textwrap.wrap(text, 88, break_long_words=False, break_on_hyphens=False)
    return [f"{head if k == 0 else '':11} {line}" for k, line in enumerate(lines)]
