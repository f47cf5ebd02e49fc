"""Imports of installed packages only, for environments that files of others name."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

_alone = threading.RLock()


@cache
def _roots() -> tuple[str, ...]:
    """Where Python and packages are installed, this one included."""
    library = sysconfig.get_paths()
    folders = [library[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    folders += [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    archive = f"python{sys.version_info.major}{sys.version_info.minor}.zip"
    folders += [os.path.join(os.path.dirname(library[key]), archive) for key in ("stdlib", "platstdlib")]
    return tuple(os.path.realpath(folder) for folder in folders)


def _is_installed(entry: str) -> bool:
    if not os.path.isabs(entry):  # the current folder, or one in it
        return False
    path = os.path.realpath(entry)
    return any(path == root or path.startswith(root + os.sep) for root in _roots())


@contextmanager
def only_installed() -> Iterator[None]:
    """While it is entered, nothing is imported from the current folder, the script's or PYTHONPATH: a module that lies
    there may be a stranger's, whatever its name. Other threads wait, or import as little."""
    with _alone:
        before = sys.path
        sys.path = [entry for entry in before if _is_installed(entry)]
        try:
            yield
        finally:
            sys.path = before
