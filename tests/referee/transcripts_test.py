"""The transcripts in the documentation are what the program prints.

Usage: transcripts_test.py NDNF

A ```console block holds commands after `$ ` and lines of their output. `…` alone stands for any lines, at the end of a line
for its rest. A ```python block is a script that runs before the commands that follow it. A comment `<!-- file NAME -->`
before a block says that it is the text of a file, `<!-- printed -->` that the last command has printed it, and `<!-- run
COMMAND -->` is run without being shown. All commands of a document run in one folder, in which `examples` is ours.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

NDNF = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(path.relative_to(ROOT) for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
#: What only the package's command can run, with Gymnasium's LunarLander.
UNCHECKED = "lander.lp"
BLOCK = re.compile(r"<!-- run (?P<run>.*?) -->|(?:<!-- (?P<what>file (?P<file>\S+)|printed) -->\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    kind: str  # console, python, file, printed, run, or another language
    text: str
    file: str = ""


def blocks(text: str) -> list[Block]:
    found = []
    for match in BLOCK.finditer(text):
        if match["run"]:
            found.append(Block("run", match["run"]))
        elif match["file"]:
            found.append(Block("file", match["text"], match["file"]))
        else:
            found.append(Block(match["what"] or match["kind"], match["text"]))
    return found


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
    def run_command(self, command: str, folder: Path) -> list[str]:
        words = shlex.split(command, comments=True)
        program = {
            "ndnf": [str(NDNF)],
            "check_certificate.py": [sys.executable, str(ROOT / "tools/check_certificate.py")],
            "cat": ["cat"],
            "sh": ["sh"],
        }
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        run = subprocess.run([*program[words[0]], *words[1:]], cwd=folder, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.STDOUT, env={**os.environ, "PATH": path})  # fmt: skip
        return run.stdout.splitlines()

    def check_document(self, document: Path, found: list[Block], folder: Path) -> None:
        (folder / "examples").symlink_to(ROOT / "examples")
        lines: list[str] = []
        for block in found:
            if block.kind == "python":
                subprocess.run([sys.executable, "-c", block.text], cwd=folder, check=True)
            elif block.kind == "file":
                (folder / block.file).write_text(block.text)
            elif block.kind == "run":
                self.run_command(block.text, folder)
            elif block.kind == "printed":
                with self.subTest(f"{document}: {block.text[:40]}"):
                    self.assertIn(block.text, "\n".join(lines) + "\n")
            elif block.kind == "console":
                for command, expected in commands(block.text):
                    with self.subTest(f"{document}: {command}"):
                        lines = self.run_command(command, folder)
                        self.assertIsNone(missing(expected, lines), "\n".join(lines))

    def test_what_documents_show_is_what_commands_print(self) -> None:
        shown = 0
        for document in DOCUMENTS:
            found = blocks((ROOT / document).read_text())
            if not any(block.kind == "console" for block in found):
                continue
            shown += 1
            with tempfile.TemporaryDirectory() as name:
                self.check_document(document, found, Path(name))
        self.assertGreater(shown, 8)

    def test_every_transcript_is_checked(self) -> None:
        for document in DOCUMENTS:
            for block in blocks((ROOT / document).read_text()):
                if block.kind not in ("console", "run") and "\n$ ndnf" in "\n" + block.text:
                    self.assertIn(UNCHECKED, block.text, document)


if __name__ == "__main__":
    unittest.main()
