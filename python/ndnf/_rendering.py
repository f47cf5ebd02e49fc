"""Pictures of our tasks as arrays of pixels, for Gymnasium's recorders and viewers."""

from __future__ import annotations

import atexit
import io
import os
import tempfile
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import bad_input


@cache
def _font() -> tuple[str, str]:
    """A font as a file, and its name: the one that Pillow brings along, so that pictures are the same everywhere."""
    from PIL import ImageFont

    font: Any = ImageFont.load_default(16)
    handle, path = tempfile.mkstemp(suffix=".ttf", prefix="ndnf-")
    with os.fdopen(handle, "wb") as file:
        file.write(font.font_bytes)
    atexit.register(os.unlink, path)
    return path, font.getname()[0]


def rgb_array(svg: str) -> NDArray[np.uint8]:
    """The pixels (height, width, 3) of a picture."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise bad_input(
            "render_mode", "rgb_array needs a renderer", 'install it with pip install "ndnf[render]"'
        ) from None
    path, name = _font()
    png = resvg_py.svg_to_bytes(
        svg_string=svg, background="#ffffff", skip_system_fonts=True, font_files=[path], font_family=name,
        sans_serif_family=name,
    )  # fmt: skip
    with Image.open(io.BytesIO(bytes(png))) as image:
        return np.array(image.convert("RGB"))


def gauges_text(quantities: Sequence[dict[str, Any]], values: Sequence[float]) -> str:
    """One line for each number that is observed."""
    width = max(len(q["name"]) for q in quantities)
    return "\n".join(f"{q['name']:{width}} {v:10.4f}" for q, v in zip(quantities, values, strict=True))


def gauges_svg(quantities: Sequence[dict[str, Any]], values: Sequence[float], title: str) -> str:
    """One gauge for each number that is observed. Those without bounds are shown from -10 to 10."""
    rows = []
    for i, (q, value) in enumerate(zip(quantities, values, strict=True)):
        low, high = (q["low"], q["high"]) if q["high"] - q["low"] < 1e6 else (-10.0, 10.0)
        x = 130 + 200 * min(1.0, max(0.0, (value - low) / (high - low)))
        y = 20 + 36 * i
        rows.append(
            f'<text x="120" y="{y + 13}" font-size="14" text-anchor="end" fill="#334155">{escape(q["name"])}</text>'
            f'<rect x="130" y="{y + 4}" width="200" height="8" rx="4" fill="#dde3ea"/>'
            f'<circle cx="{x:.1f}" cy="{y + 8}" r="8" fill="#1d5fa8"/>'
            f'<text x="345" y="{y + 13}" font-size="14" fill="#334155">{value:.3f}</text>'
        )
    height = 36 * len(quantities) + 24
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="420" height="{height}" viewBox="0 0 420 {height}" '
        f'font-family="sans-serif" role="img"><title>{escape(title)}</title>'
        f'<rect width="420" height="{height}" fill="#f8fafc"/>{"".join(rows)}</svg>'
    )
