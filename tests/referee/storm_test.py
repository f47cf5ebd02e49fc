"""The real Storm computes the same values for every chain.

Usage: storm_test.py WRITE_CHAINS
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

import stormpy

TOLERANCE = 1e-6


def figures(chain: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """The properties for Storm, each with our value."""
    bound = chain["step_bound"]
    yield f'R{{"return"}}=? [C<={bound}]', chain["return"]
    for label, probability in chain["probabilities"].items():
        yield f'P=? [F<={bound} "{label}"]', probability


def ask_storm(model: Any, formula: str) -> float:
    [initial] = model.initial_states
    return stormpy.model_checking(model, stormpy.parse_property(formula)).get_value(initial)


def main(write_chains: str) -> int:
    checked = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([write_chains, folder], check=True)
        for chain in json.loads((Path(folder) / "index.json").read_text()):
            model = stormpy.build_model_from_drn(str(Path(folder) / chain["file"]))
            for formula, ours in figures(chain):
                storm = ask_storm(model, formula)
                agree = abs(storm - ours) <= TOLERANCE
                verdict = "ok  " if agree else "FAIL"
                print(f"{verdict} {chain['name']:32} {formula:26} ours {ours:.9f} Storm {storm:.9f}")
                checked += 1
                failed += not agree
    print(f"{checked} figures compared, {failed} differ by more than {TOLERANCE}")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
