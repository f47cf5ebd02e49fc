"""The certificate checker answers any content of its four files with exit code 0, 1 or 2, a sentence, and quickly.

Usage: mutations_test.py NDNF [MUTATIONS OF EACH FILE]
"""

import functools
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from types import FrameType
from unittest import mock

from forgeries import HOSTILE, ROOT, Extraction, check_certificate

NDNF = str(Path(sys.argv[1]).resolve())
MUTATIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 3_000
SECONDS = 30  # for one answer; all take a fraction of a second on an idle machine
FILES = ("model", "program", "certificate", "environment")

PIECES = [
    *(b"{", b"}", b"[", b"]", b'"', b",", b":", b":-", b"(", b")", b".", b"..", b"%", b"%*", b"*%", b"/*", b"::", b";"),
    *(b"-1", b"0", b"1", b"9" * 30, b"1e308", b"1e999", b"NaN", b"null", b"true", b"[]", b"{}", b"\\", b"\n", b"\0"),
    *(b"\xff", b"\xe2\x82", b"not ", b"X", b"_", b"0.5::", b"action(", b"seen__(0)", b"ndnf_rule(1)", b"x62(1)", b"o(0)"),
]
VALUES = [
    *(None, True, False, 0, 1, -1, 2**31, 2**64, 10**40, 0.5, -0.0, 1e300, "", "x", "action(left)", "not", "\0", "é"),
    *([], [[]], {}, {"a": 1}, [None], [[["x"]]], "9" * 400, [0] * 1000),
]


def of_bytes(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(data) + 1)
        data = data[:start] + chance.choice([*PIECES, b""]) + data[start + chance.randint(0, 20) :]
    return data


def of_bits(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def of_lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    for _ in range(chance.randint(1, 3)):
        k, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[k] = chance.choice([b"", lines[other], lines[k] + lines[other], lines[k][: len(lines[k]) // 2]])
    return b"\n".join(lines)


def of_hostile(data: bytes, chance: random.Random) -> bytes:
    text = chance.choice([*HOSTILE["asp"], *HOSTILE["problog"]]).encode()
    at = chance.choice([0, len(data), chance.randrange(len(data) + 1)])
    return data[:at] + text + data[at:]


def change_value(value: object, chance: random.Random) -> object:
    """One value somewhere in a JSON document: replaced, removed, or duplicated."""
    inner = [value] if not isinstance(value, dict | list) or not value else None
    if inner or chance.random() < 0.05:
        return chance.choice(VALUES)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = chance.choice(keys)
    if chance.random() < 0.1:
        del value[key]
    elif chance.random() < 0.1 and isinstance(value, list):
        value.insert(key, value[key])
    else:
        value[key] = change_value(value[key], chance)
    return value


def of_values(data: bytes, chance: random.Random) -> bytes:
    """The same document with another meaning; for a model, its header."""
    if data[:1] == b"{":
        return json.dumps(change_value(json.loads(data), chance)).encode()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    if chance.random() < 0.5:
        name = chance.choice([key for key, text in header["__metadata__"].items() if text[:1] in "[{"])
        header["__metadata__"][name] = json.dumps(change_value(json.loads(header["__metadata__"][name]), chance))
    else:
        header = change_value(header, chance)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data[8 + size :]


KINDS = {
    "model": [of_bytes, of_bits, of_values, of_values, of_hostile],
    "program": [of_bytes, of_bytes, of_bits, of_lines, of_hostile],
    "certificate": [of_bytes, of_bits, of_values, of_values, of_hostile],
    "environment": [of_bytes, of_bits, of_values, of_values, of_hostile],
}


class Mutations(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.originals = [cls.extracted("small-corridor-ndnf-mt", "asp"), cls.extracted("small-corridor-wall-ndnf-mt", "problog")]
        # The real solvers answer each question once.
        solver = mock.patch.object(check_certificate, "run_solver", cls.remembered(check_certificate.run_solver))
        cls.addClassCleanup(solver.stop)
        solver.start()
        signal.signal(signal.SIGALRM, cls.too_late)

    @classmethod
    def extracted(cls, preset: str, language: str) -> Extraction:
        run = cls.folder / preset
        program = run / f"policy.{'lp' if language == 'asp' else 'pl'}"
        environment = run / "environment.json"
        for words in (
            ["train", f"paper/{preset}", "--seed", "0", "--out", run],
            ["extract", run, "--certify", "--as", language, "-o", program],
        ):
            subprocess.run([NDNF, *words], capture_output=True, cwd=ROOT, check=words[0] == "train")
        certificate = Path(f"{program}.certificate.json").read_bytes()
        spec = json.loads(certificate)["env"]
        subprocess.run([NDNF, "envs", spec, "--dump", environment], capture_output=True, cwd=ROOT, check=True)
        files = (run / "model.safetensors", program)
        return Extraction(*(file.read_bytes() for file in files), certificate, environment.read_bytes())

    @staticmethod
    def remembered(solve: object) -> object:
        @functools.cache
        def ask(command: tuple[str, ...], text: str) -> str:
            return solve(list(command), text)

        return lambda command, text: ask(tuple(command), text)

    @staticmethod
    def too_late(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt("the checker does not end")  # not an Exception: the checker does not catch it

    def test_every_file(self) -> None:
        os.chdir(self.folder)
        for original in self.originals:
            self.assertEqual(original.verdict(self.folder)[0], 0)
        for name in FILES:
            codes = {0: 0, 1: 0, 2: 0}
            for case in range(MUTATIONS):
                chance = random.Random(f"{name} {case}")
                original = self.originals[0] if case % 10 else self.originals[1]
                data = chance.choice(KINDS[name])(getattr(original, name), chance)
                forged = replace(original, **{name: data})
                codes[self.verdict(forged.signed() if chance.random() < 0.3 and name in FILES[:2] else forged, case)] += 1
            print(name, codes)
            self.assertGreater(codes[2], MUTATIONS // 20)  # they are not all harmless,
            self.assertGreater(codes[0] + codes[1], MUTATIONS // 200)  # nor all refused at once
            self.assertFalse(list(self.folder.rglob("PWNED")))

    def verdict(self, forged: Extraction, case: int) -> int:
        signal.alarm(SECONDS)
        code, failed, said = forged.verdict(self.folder)
        signal.alarm(0)
        self.assertIn(code, (0, 1, 2))
        self.assertTrue(code != 2 or re.fullmatch("cannot be checked: .{1,300}\n", said), (case, said))
        self.assertTrue(code != 1 or failed, (case, said))
        return code


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
