"""Tasks for tools/study-own-tasks, as model files (docs/model-file.md): Gymnasium's, textbook ones, and generated ones."""

import json
import random
from pathlib import Path
from typing import Any, Callable

import gymnasium

# One outcome: (probability, next state, reward, whether the episode ends).
Rows = list[list[list[tuple[float, int, float, bool]]]]  # by state and action


def model(name: str, actions: list[str], rows: Rows, starts: dict[int, float], limit: int,
          groups: dict[str, list[int]]) -> dict[str, Any]:  # fmt: skip
    """A task whose observation is the value of each group in the state; groups: name → value by state."""
    atoms = {g: sorted(set(values)) for g, values in groups.items()}
    shown = [tuple(values[s] for values in groups.values()) for s in range(len(rows))]
    observations = list(dict.fromkeys(shown))
    states: list[dict[str, Any]] = []
    for s, row in enumerate(rows):
        state: dict[str, Any] = {"observation": observations.index(shown[s])}
        if row:
            state["outcomes"] = {
                action: [{"next": n, "p": p, "reward": r, "terminal": t} for p, n, r, t in merged(outcomes)]
                for action, outcomes in zip(actions, row)
            }
        states.append(state)
    return {
        "format": "ndnf-model", "version": 1, "name": name, "actions": actions,
        "groups": [{"name": g, "atoms": [f"{g}({v})" for v in values]} for g, values in atoms.items()],
        "observations": [[f"{g}({v})" for g, v in zip(groups, values)] for values in observations],
        "states": states, "starts": [{"state": s, "p": p} for s, p in starts.items()], "step_limit": limit,
    }  # fmt: skip


def merged(outcomes: list[tuple[float, int, float, bool]]) -> list[tuple[float, int, float, bool]]:
    sums: dict[tuple[int, float, bool], float] = {}
    for p, n, r, t in outcomes:
        sums[n, r, t] = sums.get((n, r, t), 0) + p
    total = sum(sums.values())
    return [(p / total, *key) for key, p in sums.items() if p > 0]


def from_gymnasium(name: str, identifier: str, actions: list[str], limit: int, columns: int, **options: Any) -> dict[str, Any]:
    """Toy-text environments have their table of outcomes in `P`, and a grid of states."""
    env = gymnasium.make(identifier, **options).unwrapped
    table: Any = env.P  # type: ignore[attr-defined]
    ends = {n for s in table for a in table[s] for _, n, _, t in table[s][a] if t}
    rows: Rows = [[] if s in ends else [[(p, int(n), float(r), bool(t)) for p, n, r, t in table[s][a]] for a in table[s]]
                  for s in table]  # fmt: skip
    start: Any = env.initial_state_distrib  # type: ignore[attr-defined]
    starts = {s: float(p) for s, p in enumerate(start) if p > 0}
    size = range(len(rows))
    groups = {"row": [s // columns for s in size], "col": [s % columns for s in size]}
    return model(name, actions, rows, starts, limit, groups)


MOVES = [(0, -1), (1, 0), (0, 1), (-1, 0)]  # (down, right) of left, down, right, up
NAMES = ["left", "down", "right", "up"]


def grid(name: str, cells: list[str], limit: int, slip: float, rewards: dict[str, float], step: float = 0.0) -> dict[str, Any]:
    """A walk: S start, # wall, . free; other letters end the episode with their reward. A move goes to either side of
    its direction with probability `slip` together."""
    height, width = len(cells), len(cells[0])

    def to(s: int, k: int) -> int:
        r, c = divmod(s, width)
        r, c = r + MOVES[k][0], c + MOVES[k][1]
        inside = 0 <= r < height and 0 <= c < width and cells[r][c] != "#"
        return r * width + c if inside else s

    rows: Rows = []
    for s in range(height * width):
        letter = cells[s // width][s % width]
        ends = letter in rewards or letter == "#"
        rows.append([] if ends else [
            [(p, n, step + rewards.get(cells[n // width][n % width], 0.0), cells[n // width][n % width] in rewards)
             for p, n in [(1 - slip, to(s, k)), (slip / 2, to(s, k - 1)), (slip / 2, to(s, (k + 1) % 4))]]
            for k in range(4)])  # fmt: skip
    [start] = [s for s in range(height * width) if cells[s // width][s % width] == "S"]
    size = range(height * width)
    groups = {"row": [s // width for s in size], "col": [s % width for s in size]}
    return model(name, NAMES, rows, {start: 1.0}, limit, groups)


def key_and_door(size: int) -> dict[str, Any]:
    """A wall with a locked door in the middle column; the key lies in a corner; -1 a step, 20 at the goal."""
    wall, door, key, goal = size // 2, size // 2, 0, size * size - 1
    rows: Rows = []
    for has in (0, 1):
        for s in range(size * size):
            r, c = divmod(s, size)
            if s == goal:
                rows.append([])
                continue
            row = []
            for down, right in MOVES:
                y, x = r + down, c + right
                blocked = not (0 <= y < size and 0 <= x < size) or x == wall and (y != door or not has)
                n = s if blocked else y * size + x
                row.append([(1.0, has * size * size + n, 20.0 - 1 if n == goal else -1.0, n == goal)])
            row.append([(1.0, (1 if s == key else has) * size * size + s, -1.0, False)])
            rows.append(row)
    count = range(2 * size * size)
    groups = {"row": [s % (size * size) // size for s in count], "col": [s % size for s in count],
              "key": [s // (size * size) for s in count]}  # fmt: skip
    return model("key and door", [*NAMES, "take"], rows, {size - 1 - size // 2 + size: 1.0}, 20 * size, groups)


def river_swim(length: int, limit: int) -> dict[str, Any]:
    """A small reward upstream at once, a large one downstream against the current (Strehl and Littman)."""
    rows: Rows = []
    for s in range(length):
        left = [(1.0, max(0, s - 1), 0.005 if s == 0 else 0.0, False)]
        if s == 0:
            right = [(0.4, 0, 0.0, False), (0.6, 1, 0.0, False)]
        elif s == length - 1:
            right = [(0.4, s - 1, 0.0, False), (0.6, s, 1.0, False)]
        else:
            right = [(0.05, s - 1, 0.0, False), (0.6, s, 0.0, False), (0.35, s + 1, 0.0, False)]
        rows.append([left, right])
    return model(f"RiverSwim {length}", ["left", "right"], rows, {0: 1.0}, limit, {"place": list(range(length))})


def deep_sea(size: int, seed: int) -> dict[str, Any]:
    """Only one sequence of actions leads to the treasure, each costs a little (bsuite); which action is which varies."""
    draw = random.Random(seed)
    rows: Rows = []
    for s in range(size * size):
        r, c = divmod(s, size)
        right = draw.randrange(2)
        row: list[list[tuple[float, int, float, bool]]] = []
        for action in (0, 1):
            x = min(size - 1, c + 1) if action == right else max(0, c - 1)
            reward = (-0.01 / size if action == right else 0.0) + (1.0 if action == right and r == c == size - 1 else 0.0)
            last = r == size - 1
            row.append([(1.0, s if last else (r + 1) * size + x, reward, last)])
        rows.append(row)
    count = range(size * size)
    groups = {"depth": [s // size for s in count], "col": [s % size for s in count]}
    return model(f"DeepSea {size}", ["a", "b"], rows, {0: 1.0}, size, groups)


def random_mdp(states: int, actions: int, successors: int, limit: int, seed: int) -> dict[str, Any]:
    draw = random.Random(seed)
    rows: Rows = []
    for _ in range(states):
        row = []
        for _ in range(actions):
            weights = [draw.random() for _ in range(successors)]
            row.append([(w / sum(weights), draw.randrange(states), round(draw.random(), 3), False) for w in weights])
        rows.append(row)
    groups = {"x": [s % 8 for s in range(states)], "y": [s // 8 for s in range(states)]}
    return model(f"random MDP {states}, seed {seed}", [f"a_{k}" for k in range(actions)], rows, {0: 1.0}, limit, groups)


def random_lake(size: int, holes: float, slip: float, seed: int, limit: int) -> dict[str, Any]:
    """A frozen lake with a way across."""
    draw = random.Random(seed)
    while True:
        cells = ["".join("H" if draw.random() < holes else "." for _ in range(size)) for _ in range(size)]
        cells[0] = "S" + cells[0][1:]
        cells[-1] = cells[-1][:-1] + "G"
        reached, edge = {(0, 0)}, [(0, 0)]
        while edge:
            r, c = edge.pop()
            for down, right in MOVES:
                y, x = r + down, c + right
                if 0 <= y < size and 0 <= x < size and cells[y][x] != "H" and (y, x) not in reached:
                    reached.add((y, x))
                    edge.append((y, x))
        if (size - 1, size - 1) in reached:
            return grid(f"lake {size} × {size}, slip {slip:.2f}, seed {seed}", cells, limit, slip, {"H": 0.0, "G": 1.0})


def random_maze(size: int, seed: int, slip: float) -> dict[str, Any]:
    """Walls and pits, a cost for every step, a near small reward and a far large one."""
    draw = random.Random(seed)
    while True:
        cells = ["".join(draw.choices(".#P", [0.75, 0.17, 0.08])[0] for _ in range(size)) for _ in range(size)]
        cells[0] = "S" + cells[0][1:size // 2] + "n" + cells[0][size // 2 + 1:]
        cells[-1] = cells[-1][:-1] + "F"
        reached, edge = {(0, 0)}, [(0, 0)]
        while edge:
            r, c = edge.pop()
            for down, right in MOVES:
                y, x = r + down, c + right
                if 0 <= y < size and 0 <= x < size and cells[y][x] not in "#P" and (y, x) not in reached:
                    reached.add((y, x))
                    edge.append((y, x))
        if (size - 1, size - 1) in reached:
            return grid(f"maze {size} × {size}, slip {slip:.2f}, seed {seed}", cells, 8 * size, slip,
                        {"P": -5.0, "n": 2.0, "F": 10.0}, step=-0.1)  # fmt: skip


def inventory(size: int, seed: int) -> dict[str, Any]:
    """Order up to `size` pieces a day; random demand, cost of storage and of missed sales."""
    draw = random.Random(seed)
    weights = [draw.random() for _ in range(size)]
    demand = [w / sum(weights) for w in weights]
    rows: Rows = []
    for stock in range(size + 1):
        row = []
        for order in range(4):
            have = min(size, stock + order * size // 3)
            row.append([(p, max(0, have - d), round(3.0 * min(have, d) - 0.5 * have - (1.0 if order else 0.0), 6), False)
                        for d, p in enumerate(demand)])  # fmt: skip
        rows.append(row)
    return model(f"inventory {size}, seed {seed}", [f"order({k})" for k in range(4)], rows, {0: 1.0}, 40,
                 {"stock": list(range(size + 1))})  # fmt: skip


def combination_lock(length: int, actions: int, seed: int) -> dict[str, Any]:
    """A wrong key starts anew; only the last right one pays."""
    draw = random.Random(seed)
    rows: Rows = []
    for s in range(length):
        right = draw.randrange(actions)
        last = s == length - 1
        rows.append([[(1.0, 0 if a != right else s if last else s + 1, 1.0 if a == right and last else 0.0,
                       a == right and last)] for a in range(actions)])  # fmt: skip
    return model(f"lock {length}, {actions} keys, seed {seed}", [f"key({k})" for k in range(actions)], rows, {0: 1.0},
                 4 * length, {"digit": list(range(length))})  # fmt: skip


def windy(limit: int) -> dict[str, Any]:
    """A grid with an upward wind in the middle columns, which blows a cell more or less at times (Sutton and Barto)."""
    wind, goal, rows = [0, 0, 0, 1, 1, 1, 2, 2, 1, 0], 37, []
    for s in range(70):
        r, c = divmod(s, 10)
        gusts = [-1, 0, 1] if wind[c] else [0]
        to = lambda down, right, gust: min(6, max(0, r + down - wind[c] - gust)) * 10 + min(9, max(0, c + right))
        rows.append([] if s == goal else [
            [(1 / len(gusts), to(down, right, g), -1.0, to(down, right, g) == goal) for g in gusts] for down, right in MOVES])
    groups = {"row": [s // 10 for s in range(70)], "col": [s % 10 for s in range(70)]}
    return model("windy grid", NAMES, rows, {30: 1.0}, limit, groups)


def gambler(heads: float, goal: int = 20) -> dict[str, Any]:
    """Bet on heads until broke or at the goal (Sutton and Barto); a bet of more than there is changes nothing."""
    rows: Rows = [[]]
    for s in range(1, goal):
        rows.append([[(heads, min(goal, s + b), float(s + b >= goal), s + b >= goal), (1 - heads, s - b, 0.0, s == b)]
                     if b <= s else [(1.0, s, 0.0, False)] for b in range(1, goal // 2 + 1)])  # fmt: skip
    rows.append([])
    return model(f"gambler, heads {heads}", [f"bet({b})" for b in range(1, goal // 2 + 1)], rows, {goal // 2: 1.0}, 200,
                 {"money": list(range(goal + 1))})  # fmt: skip


def tiger(scale: float) -> dict[str, Any]:
    """Behind one of two doors is a tiger; listening tells which, not reliably. Shown is by how much one side was heard
    more often."""
    sides, most, end = (-1, 1), 2, 10
    place = lambda side, heard: (side > 0) * 5 + min(most, max(-most, heard)) + most
    rows: Rows = []
    for side in sides:
        for heard in range(-most, most + 1):
            listen = [(0.85, place(side, heard + side), -scale, False), (0.15, place(side, heard - side), -scale, False)]
            rows.append([listen] + [[(1.0, end, (-100.0 if side == door else 10.0) * scale, True)] for door in sides])
    rows.append([])
    heard = [h for _ in sides for h in range(-most, most + 1)] + [9]
    return model("tiger", ["listen", "open(left)", "open(right)"], rows, {2: 0.5, 7: 0.5}, 30, {"heard": heard})


def repair(discount: float | None) -> dict[str, Any]:
    """A machine earns less the more it is worn; repairing it may fail, replacing it costs more."""
    rows: Rows = [[[(0.7, s, 10.0 - s, False), (0.3, min(9, s + 1), 10.0 - s, False)],
                   [(0.8, 0, -12.0, False), (0.2, s, -12.0, False)], [(1.0, 0, -20.0, False)]] for s in range(10)]  # fmt: skip
    task = model("repair", ["run", "repair", "replace"], rows, {0: 1.0}, 60, {"wear": list(range(10))})
    if discount is not None:
        del task["step_limit"]
        task["discount"] = discount
    return task


def bandit(arms: int, seed: int) -> dict[str, Any]:
    draw = random.Random(seed)
    wins = [round(draw.uniform(0.2, 0.8), 2) for _ in range(arms)]
    rows: Rows = [[[(p, 1, 1.0, True), (1 - p, 1, 0.0, True)] for p in wins], []]
    return model(f"bandit {arms}", [f"arm({k})" for k in range(arms)], rows, {0: 1.0}, 1, {"over": [0, 1]})


def named_tasks() -> dict[str, dict[str, Any]]:
    lake = ["left", "down", "right", "up"]
    big = random_lake(12, 0.12, 0.2, 4, 300)
    return {
        "frozen-lake-4": from_gymnasium("FrozenLake 4 × 4", "FrozenLake-v1", lake, 100, 4, is_slippery=True),
        "frozen-lake-8": from_gymnasium("FrozenLake 8 × 8", "FrozenLake-v1", lake, 200, 8, map_name="8x8", is_slippery=True),
        "cliff-walking": from_gymnasium("CliffWalking", "CliffWalking-v1", ["up", "right", "down", "left"], 200, 12),
        "lake-12": big,
        "key-and-door-6": key_and_door(6),
        "river-swim-6": river_swim(6, 40),
        "river-swim-12": river_swim(12, 100),
        "deep-sea-10": deep_sea(10, 1),
        "random-mdp-40-a": random_mdp(40, 4, 3, 50, 1),
        "random-mdp-40-b": random_mdp(40, 4, 3, 50, 2),
        "windy": windy(100),
        "gambler-40": gambler(0.4),
        "gambler-55": gambler(0.55),
        "tiger": tiger(1),
        "tiger-in-millions": tiger(1e6),
        "repair": repair(None),
        "repair-discounted": repair(0.95),
        "bandit-50": bandit(50, 1),
    }  # fmt: skip


def generated_tasks() -> dict[str, dict[str, Any]]:
    kinds: list[tuple[str, Callable[[int], dict[str, Any]]]] = [
        ("lake", lambda k: random_lake(5 + k % 4, 0.15, [0.0, 0.2, 0.5, 0.667][k % 4], k, 200)),
        ("maze", lambda k: random_maze(6 + k % 5, k, [0.0, 0.1, 0.3][k % 3])),
        ("mdp", lambda k: random_mdp(16 + 8 * (k % 5), 2 + k % 4, 2 + k % 4, 30, 100 + k)),
        ("inventory", lambda k: inventory(6 + 2 * (k % 6), k)),
        ("lock", lambda k: combination_lock(4 + k % 7, 2 + k % 4, k)),
        ("sea", lambda k: deep_sea(6 + k % 7, 10 + k)),
    ]
    return {f"{kind}-{k}": make(k) for kind, make in kinds for k in range(10)}


def generated_names() -> set[str]:
    return set(generated_tasks())


def write_all(folder: Path) -> list[str]:
    """Writes every task, and returns the names of the files."""
    files = []
    for name, task in {**named_tasks(), **generated_tasks()}.items():
        (folder / f"{name}.json").write_text(json.dumps(task))
        files.append(f"{name}.json")
    return files
