#!/usr/bin/env python3
"""Trains every preset briefly and prints a checksum of the resulting numbers.

Usage: training_checksums.py NDNF > tests/golden/training.sha256

A checksum covers the tensors of the model and of the state (weights, moments, walkers), not the files' headers. They
are the same on every machine, with every compiler and every set of kernels; a table of them is in tests/golden.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

TEACHER = "paper/taxi-mlp-teacher"
SAMPLES = 512  # of an iteration, about


def run(ndnf: str, *arguments: str, env: dict[str, str] | None = None) -> str:
    return subprocess.run([ndnf, *arguments], check=True, stdout=subprocess.PIPE, text=True, env=env).stdout


def shortened(preset: dict[str, object], settings: dict[str, dict[str, float]]) -> list[str]:
    """Settings for two small iterations, or a few hundred episodes."""
    if preset["method"] == "q-learning":
        return ["q-learning.episodes=200"]
    if preset["method"] == "distill":
        return ["distill.epochs=3"]
    envs = settings["ppo"]["num_envs"]
    steps = min(settings["ppo"]["num_steps"], max(1, SAMPLES // envs))
    short = [f"ppo.num_steps={steps}", f"ppo.total_timesteps={2 * envs * steps}", "ppo.update_epochs=2"]
    return short + ["finish.steps=3"] if "finish" in settings else short


def data_of(file: Path) -> bytes:
    """The data after the header of a safetensors file, which is eight bytes with its length, and JSON."""
    content = file.read_bytes()
    return content[8 + int.from_bytes(content[:8], "little"):]


def checksums(ndnf: str, environment: dict[str, str] = {}) -> dict[str, str]:
    """The checksums of all presets, with these environment variables."""
    presets = json.loads(run(ndnf, "presets", "--json"))["presets"]
    presets.sort(key=lambda preset: preset["method"] == "distill")  # after their teacher
    result = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for preset in presets:
            out = folder / preset["name"]
            settings = tomllib.loads(json.loads(run(ndnf, "presets", preset["name"], "--json"))["toml"])
            short = shortened(preset, settings)
            if preset["method"] == "distill":
                short.append(f"distill.teacher={folder / TEACHER}")
            options = [part for setting in short for part in ("--set", setting)]
            run(ndnf, "train", preset["name"], "--out", str(out), *options, env=os.environ | environment)
            files = data_of(out / "model.safetensors") + data_of(out / "state.safetensors")
            result[preset["name"]] = hashlib.sha256(files).hexdigest()
    return dict(sorted(result.items()))


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for preset, checksum in checksums(sys.argv[1]).items():
        print(f"{checksum}  {preset}")


if __name__ == "__main__":
    main()
