"""Every preset trains to the same bytes: with every set of kernels and C library code path, on any machine.

Usage: same_bytes_test.py NDNF
tests/golden/training.sha256 has the checksums. After intended changes of training, tools/training_checksums.py writes
it again.
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

PROJECT = Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT / "tools"))
from training_checksums import checksums  # noqa: E402

NDNF = sys.argv.pop(1)
# Without these features the C library computes as on older processors.
OLD_PROCESSOR = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"


def recorded() -> dict[str, str]:
    lines = (PROJECT / "tests/golden/training.sha256").read_text().splitlines()
    return {preset: checksum for checksum, preset in (line.split() for line in lines)}


def has(kernels: str) -> bool:
    command = [NDNF, "--version"]
    environment = os.environ | {"NDNF_KERNELS": kernels}
    return subprocess.run(command, env=environment, capture_output=True).returncode == 0


class SameBytes(unittest.TestCase):
    maxDiff = None

    def check(self, kernels: str, **environment: str) -> None:
        if not has(kernels):
            self.skipTest(f"this processor lacks what {kernels} needs")
        self.assertEqual(checksums(NDNF, {"NDNF_KERNELS": kernels} | environment), recorded())

    def test_kernels_for_every_processor(self) -> None:
        self.check("v1", GLIBC_TUNABLES=OLD_PROCESSOR)

    def test_kernels_with_fused_multiply_add(self) -> None:
        self.check("v3")

    def test_fused_kernels_with_the_c_library_of_an_old_processor(self) -> None:
        self.check("v3", GLIBC_TUNABLES=OLD_PROCESSOR)

    def test_kernels_with_wider_registers(self) -> None:
        self.check("v4")


if __name__ == "__main__":
    unittest.main()
