"""The notebooks in examples/notebooks, run from the first cell to the last: they say what is stored in them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
#: Needs Stable-Baselines3, and so PyTorch: run by `make study`.
ONLY_IN_STUDY = {"sb3-teacher"}


def test_there_are_four_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["blackjack", "door-corridor", "frozen-lake", "sb3-teacher"]


@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if path.stem not in ONLY_IN_STUDY], ids=lambda path: path.stem
)
def test_a_notebook_says_what_is_stored(path: Path) -> None:
    program = ROOT / "tools" / "run-notebooks"
    shown = subprocess.run(
        [sys.executable, str(program), "--check", str(path)], capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stdout + shown.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_has_run_without_an_error(path: Path) -> None:
    cells = json.loads(path.read_text())["cells"]
    outputs = [output for cell in cells if cell["cell_type"] == "code" for output in cell["outputs"]]
    assert outputs
    assert all(output["output_type"] != "error" for output in outputs)
