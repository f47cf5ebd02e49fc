"""The solvers that come with the package: clingo from PyPI, and ProbLog and Z3 if they are installed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

# Isolated from the user's environment; only the folders of clingo and of its one dependency are searched.
_RUN_CLINGO = """
import sys
sys.path[:0] = {folders!r}
from clingo.application import clingo_main, Application
class Clingo(Application):
    program_name = "clingo"
sys.exit(clingo_main(Clingo(), sys.argv[1:]))
"""


def _folder(package: str) -> str | None:
    found = importlib.util.find_spec(package)
    return str(Path(found.origin).parent.parent) if found and found.origin else None


def clingo_command() -> list[str]:
    """The command that runs PyPI's clingo; empty if it is not installed."""
    folder = _folder("clingo")
    cffi = importlib.util.find_spec("_cffi_backend")
    if folder is None or cffi is None or cffi.origin is None:
        return []
    folders = sorted({folder, str(Path(cffi.origin).parent)})
    return [sys.executable, "-I", "-S", "-B", "-c", _RUN_CLINGO.format(folders=folders)]


def z3_program() -> str:
    """The program of PyPI's z3-solver, which is beside Python's own programs; empty if it is not installed."""
    if importlib.util.find_spec("z3") is None:
        return ""
    beside = Path(sys.prefix) / "bin" / "z3"
    return str(beside) if beside.is_file() else ""
