"""Every preset trains within 100 MB of resident memory, Taxi within 300 MB.

Usage: memory_test.py NDNF
Each is trained for an iteration or two: all memory is taken by then.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

NDNF = sys.argv.pop(1)
SHORT = {"q-learning": "q-learning.episodes=2000", "distill": "distill.epochs=20"}


def peak_megabytes(arguments: list[str]) -> float:
    """Never less than the memory of this script: the child is a copy of it until exec."""
    process = subprocess.Popen([NDNF, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise AssertionError(f"{arguments} exits with {process.returncode}")
    return usage.ru_maxrss / 1024


class Memory(unittest.TestCase):
    def test_every_preset_stays_within_its_bound(self) -> None:
        listed = json.loads(subprocess.run([NDNF, "presets", "--json"], check=True, stdout=subprocess.PIPE).stdout)
        presets = sorted(listed["presets"], key=lambda preset: preset["method"] == "distill")  # after their teachers
        self.assertGreater(len(presets), 20)
        with tempfile.TemporaryDirectory() as folder:
            for preset in presets:
                name = preset["name"]
                command = ["train", name, "--out", str(Path(folder) / name), "--set", self.shortened(preset)]
                if preset["method"] == "distill":
                    command += ["--set", f"distill.teacher={Path(folder) / 'paper/taxi-mlp-teacher'}"]
                peak = peak_megabytes(command)
                print(f"{name:40} {peak:6.1f} MB")
                with self.subTest(preset=name):
                    self.assertLess(peak, 300 if preset["env"].startswith("taxi") else 100)

    def shortened(self, preset: dict[str, str]) -> str:
        if preset["method"] != "ppo":
            return SHORT[preset["method"]]
        printed = subprocess.run([NDNF, "presets", preset["name"], "--json"], check=True, stdout=subprocess.PIPE).stdout
        ppo = tomllib.loads(json.loads(printed)["toml"])["ppo"]
        return f"ppo.total_timesteps={ppo['num_envs'] * ppo['num_steps']}"


if __name__ == "__main__":
    unittest.main()
