"""The pictures of tools/study-control: size against return."""

import math
from dataclasses import dataclass, field

WIDTH, HEIGHT = 860, 440
LEFT, RIGHT, TOP, BOTTOM = 76, 600, 40, 380
RULES, PICK, TREES, LINE = "#9db8d9", "#1f5fa8", "#c0392b", "#777777"


@dataclass
class Front:
    """The programs of one run: comparisons and return of each, and which of them is the pick."""

    points: list[tuple[int, float]]
    picked: int


@dataclass
class Picture:
    """What is known about one task."""

    title: str
    fronts: list[Front]
    trees: list[tuple[int, float]] = field(default_factory=list)
    #: Figures of others that have no size here.
    lines: list[tuple[str, float]] = field(default_factory=list)


def _round_step(span: float) -> float:
    power = 10.0 ** math.floor(math.log10(span / 4))
    return next(step * power for step in (1, 2, 5, 10) if span / (step * power) <= 6)


def _range(picture: Picture) -> tuple[float, float]:
    """All that is good: constant actions at the lower end of a front would squeeze the rest together."""
    picks = [front.points[front.picked][1] for front in picture.fronts]
    shown = picks + [value for _, value in picture.lines] + [value for _, value in picture.trees]
    best, worst = max(shown), min(shown)
    ends = [max(value for _, value in front.points[: front.picked + 1][:-1] or front.points) for front in picture.fronts]
    worst = min(worst, sorted(ends)[len(ends) // 2])
    span = max(best - worst, 1e-3 * max(1.0, abs(best)))
    return worst - 0.25 * span, best + 0.1 * span


def _legend(rows: list[tuple[str, str, str]]) -> list[str]:
    parts = []
    for k, (kind, colour, text) in enumerate(rows):
        y = TOP + 12 + 22 * k
        if kind == "dot":
            parts.append(f'<circle cx="{RIGHT + 29}" cy="{y}" r="4" fill="{colour}"/>')
        elif kind == "square":
            parts.append(f'<rect x="{RIGHT + 25}" y="{y - 4}" width="8" height="8" fill="{colour}"/>')
        else:
            parts.append(f'<line x1="{RIGHT + 16}" y1="{y}" x2="{RIGHT + 42}" y2="{y}" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{RIGHT + 50}" y="{y + 4}">{text}</text>')
    return parts


def _frame(picture: Picture, low: float, high: float, most: int) -> list[str]:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f"<title>{picture.title}: comparisons against return</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<clipPath id="inside"><rect x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{BOTTOM - TOP}"/></clipPath>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{picture.title}</text>',
    ]
    step = _round_step(high - low)
    value = math.ceil(low / step) * step
    while value <= high:
        y = _y(value, low, high)
        text = f"{value:.10g}".replace("-", "−")
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
        value = round((round(value / step) + 1) * step, 12)
    every = max(1, math.ceil(most / 12))
    for size in range(0, most + 1, every):
        parts.append(f'<text x="{_x(size, most):.1f}" y="{BOTTOM + 20}" text-anchor="middle">{size}</text>')
    parts.append(f'<line x1="{LEFT}" y1="{BOTTOM}" x2="{RIGHT}" y2="{BOTTOM}" stroke="#888"/>')
    middle = (LEFT + RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{BOTTOM + 44}" text-anchor="middle">comparisons (literals of rules, inner nodes of trees)</text>')
    parts.append(f'<text x="20" y="{(TOP + BOTTOM) / 2}" text-anchor="middle" transform="rotate(-90 20 {(TOP + BOTTOM) / 2})">mean return</text>')
    return parts


def _x(size: float, most: int) -> float:
    return LEFT + 14 + size / max(1, most) * (RIGHT - LEFT - 28)


def _y(value: float, low: float, high: float) -> float:
    return BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP)


def _beside(lines: list[tuple[str, float]], low: float, high: float) -> list[str]:
    """Figures of others, with labels that do not cover each other."""
    parts = []
    last = -1e9
    for text, value in sorted(lines, key=lambda line: -line[1]):
        y = _y(value, low, high)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}" stroke="{LINE}" stroke-dasharray="5 4"/>')
        at = max(y, last + 16)
        parts.append(f'<text x="{RIGHT + 6}" y="{at + 4:.1f}" fill="#555">{text}</text>')
        last = at
    return parts


def svg(picture: Picture) -> str:
    """The fronts of all runs, their picks, trees from the same teachers, and figures of others."""
    low, high = _range(picture)
    most = max([size for front in picture.fronts for size, _ in front.points] + [size for size, _ in picture.trees])
    parts = _frame(picture, low, high, most)
    parts += _beside(picture.lines, low, high)
    parts.append('<g clip-path="url(#inside)">')
    for front in picture.fronts:
        where = " ".join(f"{_x(size, most):.1f},{_y(value, low, high):.1f}" for size, value in front.points)
        parts.append(f'<polyline points="{where}" fill="none" stroke="{RULES}" stroke-width="1.5"/>')
        parts += [f'<circle cx="{_x(s, most):.1f}" cy="{_y(v, low, high):.1f}" r="2.5" fill="{RULES}"/>' for s, v in front.points]
    for size, value in picture.trees:
        parts.append(f'<rect x="{_x(size, most) - 4:.1f}" y="{_y(value, low, high) - 4:.1f}" width="8" height="8" fill="{TREES}" fill-opacity="0.8"/>')
    for front in picture.fronts:
        size, value = front.points[front.picked]
        parts.append(f'<circle cx="{_x(size, most):.1f}" cy="{_y(value, low, high):.1f}" r="5" fill="{PICK}" fill-opacity="0.8"/>')
    parts.append("</g>")
    rows = [("line", RULES, "programs of one run"), ("dot", PICK, "the pick of a run")]
    if picture.trees:
        rows.append(("square", TREES, "distilled tree, scikit-learn"))
    return "\n".join([*parts, *_legend_below(rows), "</svg>", ""])


def _legend_below(rows: list[tuple[str, str, str]]) -> list[str]:
    """At the lower right, where no line of others is labelled."""
    shift = BOTTOM - TOP - 24 - 22 * (len(rows) - 1)
    return [f'<g transform="translate(0 {shift})">', *_legend(rows), "</g>"]
