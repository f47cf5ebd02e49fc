"""Object files of kernels for newer processors define no symbols that other code could link to by accident.

Usage: kernel_symbols_test.py OBJECT…
A standard library template that was not inlined would be such a symbol: the linker keeps one copy of it for the whole program.
"""

import subprocess
import sys
import unittest

OBJECTS = sys.argv[1:]
del sys.argv[1:]


class KernelSymbols(unittest.TestCase):
    def test_all_are_in_the_namespace_of_their_set(self) -> None:
        self.assertGreater(len(OBJECTS), 0)
        for file in OBJECTS:
            command = ["nm", "--demangle", "--defined-only", "--extern-only", "--format=just-symbols", file]
            symbols = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
            names = [name for name in symbols if name and not name.endswith(".o:")]
            self.assertGreater(len(names), 0)
            self.assertEqual([name for name in names if not name.startswith("ndnf::kernel_sets::")], [], file)


if __name__ == "__main__":
    unittest.main()
