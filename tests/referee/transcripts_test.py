"""The transcripts in the documentation are what the program prints.

Usage: transcripts_test.py NDNF

A ```console block holds commands after `$ ` and lines of their output. `…` alone stands for any lines, at the end of a line
for its rest. A ```python block is a script that runs before the commands that follow it.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

NDNF = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ["docs/your-task.md"]


def blocks(text: str) -> list[tuple[str, str]]:
    return re.findall(r"```(python|console)\n(.*?)```", text, re.DOTALL)


def commands(block: str) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def is_line(expected: str, line: str) -> bool:
    return line.startswith(expected[:-1].rstrip()) if expected.endswith("…") else line.rstrip() == expected.rstrip()


def missing(expected: list[str], lines: list[str]) -> str | None:
    """The first expected line that does not come next, or after any lines where `…` allows it."""
    skip, at = False, 0
    for want in expected:
        if want == "…":
            skip = True
            continue
        while skip and at < len(lines) and not is_line(want, lines[at]):
            at += 1
        if at >= len(lines) or not is_line(want, lines[at]):
            return want
        skip, at = False, at + 1
    return None


class Transcripts(unittest.TestCase):
    def run_command(self, words: list[str], folder: Path) -> list[str]:
        program = {"ndnf": [str(NDNF)], "check_certificate.py": [sys.executable, str(ROOT / "tools/check_certificate.py")]}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        run = subprocess.run([*program[words[0]], *words[1:]], cwd=folder, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.DEVNULL, env={**os.environ, "PATH": path})  # fmt: skip
        return run.stdout.splitlines()

    def test_documents(self) -> None:
        for document in DOCUMENTS:
            with tempfile.TemporaryDirectory() as name:
                folder, seen = Path(name), 0
                for kind, block in blocks((ROOT / document).read_text()):
                    if kind == "python":
                        subprocess.run([sys.executable, "-c", block], cwd=folder, check=True)
                        continue
                    for command, expected in commands(block):
                        with self.subTest(f"{document}: {command}"):
                            lines = self.run_command(shlex.split(command), folder)
                            self.assertIsNone(missing(expected, lines), "\n".join(lines))
                            seen += 1
                self.assertGreater(seen, 0)


if __name__ == "__main__":
    unittest.main()
