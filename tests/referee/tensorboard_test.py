"""The real TensorBoard reads our event files.

Usage: tensorboard_test.py WRITE_RUN_FILES
"""

import json
import subprocess
import sys
import tempfile
import unittest
from collections import defaultdict
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

WRITE_RUN_FILES = sys.argv[1]
KEEP_ALL = {"scalars": 0}


class EventFile(unittest.TestCase):
    def test_every_scalar_is_read(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([WRITE_RUN_FILES, "events", folder], check=True)
            expected = defaultdict(list)
            for event in json.loads((Path(folder) / "expected.json").read_text()):
                expected[event["tag"]].append((event["wall_time"], event["step"], event["value"]))

            accumulator = EventAccumulator(folder, size_guidance=KEEP_ALL)
            accumulator.Reload()
            self.assertEqual(accumulator.file_version, 2.0)
            read = {
                tag: [(event.wall_time, event.step, event.value) for event in accumulator.Scalars(tag)]
                for tag in accumulator.Tags()["scalars"]
            }
            self.assertEqual(len(read), 3)
            self.assertEqual(read, expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
