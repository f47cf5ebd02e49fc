"""tools/mutation on a toy program: it finds the expected sites and no others, and each mutant has the stated effect.

Usage: mutation_test.py TOOLS   (the folder tools/mutation)
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, sys.argv[1])
from sites import Sites, weave  # noqa: E402

TOY = r"""
#include <string>
#include <vector>

constexpr int kMost = 4 + 1;  // a < b && c == 0
struct Limits {
  int least = 0;
};

int total(const std::vector<int>& numbers, const Limits& limits) {
  constexpr bool untouched = kMost > 1;
  int sum = 0;
  for (const int n : numbers) {
    if (n < kMost && n != 3) sum += n;
  }
  const std::string text = "1 + 0 == true";
  return untouched && sum >= limits.least ? sum - static_cast<int>(text.size()) : 1;
}
"""

MAIN = r"""
#include <cstdio>
int main() {
  std::printf("%d", total({1, 2, 3, 4, 5}, {}));
  std::printf(" %d", total({}, {}));
  std::printf(" %d", total({}, {1}));
}
"""

# Kind, change, and the program's output with the mutant active; without one it prints "-6 -13 1".
EXPECTED = [
    ("constant", "0 → 1", "-5 -12 -12"),
    ("condition", "if (…) → if (!(…))", "-5 -13 1"),
    ("statement", "statement → nothing", "-13 -13 1"),
    ("logic", "&& → ||", "2 -13 1"),
    ("relation", "< → <=", "-1 -13 1"),
    ("relation", "!= → ==", "-10 -13 1"),
    ("logic", "&& → ||", "-6 -13 -13"),
    ("relation", ">= → >", "-6 1 1"),
    ("arithmetic", "- → +", "20 13 1"),
    ("constant", "1 → 0", "-6 -13 0"),
]


def main() -> None:
    sites = Sites(TOY).sites
    with tempfile.TemporaryDirectory() as folder:
        toy, program = Path(folder) / "toy.cpp", Path(folder) / "toy"
        toy.write_text(weave(TOY, sites, 0) + MAIN)
        subprocess.run(["c++", "-std=c++20", f"-I{sys.argv[1]}", toy, "-o", program], check=True)

        def output(mutant: int) -> str:
            environment = os.environ | {"NDNF_MUTANT": str(mutant)}
            return subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stdout

        assert output(-1) == "-6 -13 1", output(-1)
        found = [(site.kind, f"{site.before} → {site.after}", output(i)) for i, site in enumerate(sites)]
    assert sorted(found) == sorted(EXPECTED), "\n".join(map(str, found))
    print(f"{len(found)} mutants")


main()
