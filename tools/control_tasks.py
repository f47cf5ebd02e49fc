"""The tasks of tools/study-control, and the grid worlds of MiniGrid as short lists of numbers.

MiniGrid shows a picture of the cells in front of the agent. Here it shows what somebody who steers would ask: where goal,
key and door are, seen from the agent, and what is next to it. `gym:control_tasks:LavaGapS5-v0` makes such a world if this
folder is on PYTHONPATH.
"""

from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy

try:
    from minigrid import envs as worlds
except ImportError:  # the other tasks do without
    worlds = None


@dataclass(frozen=True)
class Goal:
    """What the picks, or the largest programs within the limit, should reach."""

    mean: float
    worst: float
    literals: int | None = None  # at most
    rules: int | None = None  # at most


@dataclass(frozen=True)
class Task:
    """A row of the study."""

    title: str
    spec: str  # as `ndnf train` takes it
    gymnasium_id: str | None = None  # where programs of our own environments are measured
    values: list[float] | None = None  # of the actions there
    options: list[str] = field(default_factory=list)
    teacher_of: str | None = None  # the task whose teachers it takes over
    goal: Goal | None = None

    @property
    def native(self) -> bool:
        """Whether it is trained in an environment of ndnf."""
        return not self.spec.startswith("gym:")


GRID_WORLD = ["--steps", "2000000"]

TASKS: dict[str, Task] = {
    "cart-pole": Task("CartPole-v1", "cart-pole", "CartPole-v1", goal=Goal(500.0, 499.9, literals=4)),
    "mountain-car": Task("MountainCar-v0", "mountain-car", "MountainCar-v0", goal=Goal(-100.0, -103.0, literals=5)),
    "acrobot": Task("Acrobot-v1", "acrobot", "Acrobot-v1", goal=Goal(-83.0, -86.0, literals=4)),
    "pendulum": Task("Pendulum-v1, 5 torques", "pendulum", "Pendulum-v1", [-2.0, -1.0, 0.0, 1.0, 2.0]),
    "mountain-car-graded": Task(
        "MountainCarContinuous-v0, 5 forces", "mountain-car-graded", "MountainCarContinuous-v0", [-1.0, -0.5, 0.0, 0.5, 1.0]
    ),
    "lunar-lander": Task("LunarLander-v3", "gym:LunarLander-v3", goal=Goal(255.0, 230.0, rules=10)),
    "lunar-lander-axis": Task(
        "LunarLander-v3, axis-aligned",
        "gym:LunarLander-v3",
        options=["--no-linear", "--max-rules", "24", "--max-literals", "36", "--steps", "3500000"],
        teacher_of="lunar-lander",
    ),
    "empty-random": Task("MiniGrid-Empty-Random-6x6", "gym:control_tasks:EmptyRandom6x6-v0", options=GRID_WORLD),
    "door-key": Task("MiniGrid-DoorKey-5x5", "gym:control_tasks:DoorKey5x5-v0", options=GRID_WORLD),
    "lava-gap-5": Task("MiniGrid-LavaGapS5", "gym:control_tasks:LavaGapS5-v0", options=GRID_WORLD),
    "lava-gap-7": Task("MiniGrid-LavaGapS7", "gym:control_tasks:LavaGapS7-v0", options=GRID_WORLD),
    "dist-shift": Task("MiniGrid-DistShift1", "gym:control_tasks:DistShift1-v0", options=GRID_WORLD),
}

PLACES = ["goal_ahead", "goal_right", "key_ahead", "key_right", "door_ahead", "door_right"]
FLAGS = ["has_key", "door_open", "wall_front", "wall_left", "wall_right", "lava_front", "lava_left", "lava_right"]
FARTHEST = 10.0


class SeenByAgent:
    """Lets a world of MiniGrid show numbers. Mixed in before its class."""

    ndnf_names = {
        "obs": PLACES + FLAGS,
        "actions": ["left", "right", "forward", "pickup", "drop", "toggle", "done"],
        "quanta": dict.fromkeys(PLACES + FLAGS, 1),
    }

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("max_steps", None)
        super().__init__(**settings)
        low = numpy.array([-FARTHEST] * len(PLACES) + [0.0] * len(FLAGS), numpy.float32)
        high = numpy.array([FARTHEST] * len(PLACES) + [1.0] * len(FLAGS), numpy.float32)
        self.observation_space = gymnasium.spaces.Box(low, high)

    def _gen_grid(self, width: int, height: int) -> None:
        super()._gen_grid(width, height)  # type: ignore[misc]
        cells = ((x, y, self.grid.get(x, y)) for x in range(width) for y in range(height))
        self._things = {cell.type: (x, y, cell) for x, y, cell in cells if cell is not None and cell.type in ("goal", "key", "door")}

    def gen_obs(self) -> numpy.ndarray:
        x, y = self.agent_pos
        ahead = self.dir_vec
        right = self.right_vec
        numbers = []
        for name in ("goal", "key", "door"):
            thing = self._things.get(name)
            if thing is None or (name == "key" and self.carrying is not None):
                numbers += [0, 0]
                continue
            place = (thing[2].cur_pos if name == "key" and thing[2].cur_pos is not None else thing[:2])
            dx, dy = place[0] - x, place[1] - y
            numbers += [dx * ahead[0] + dy * ahead[1], dx * right[0] + dy * right[1]]
        door = self._things.get("door")
        numbers += [self.carrying is not None, door is not None and door[2].is_open]
        beside = [self.grid.get(x + v[0], y + v[1]) for v in (ahead, -right, right)]
        numbers += [cell is not None and (cell.type == "wall" or (cell.type == "door" and not cell.is_open)) for cell in beside]
        numbers += [cell is not None and cell.type == "lava" for cell in beside]
        return numpy.array(numbers, numpy.float32)


def _register(name: str, world: str, **settings: Any) -> None:
    base = getattr(worlds, world)
    shown = type(name, (SeenByAgent, base), {})
    gymnasium.register(f"{name}-v0", entry_point=lambda **given: shown(**settings, **given))


if worlds is not None:
    _register("EmptyRandom6x6", "EmptyEnv", size=6, agent_start_pos=None)
    _register("DoorKey5x5", "DoorKeyEnv", size=5)
    _register("LavaGapS5", "LavaGapEnv", size=5)
    _register("LavaGapS7", "LavaGapEnv", size=7)
    _register("DistShift1", "DistShiftEnv", strip2_row=2)
