"""The worked examples: every row of worked_examples.toml, through `convert` and through GL calls."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

import statetracker as st
from statetracker.frontend.stage import convert_handle, convert_stage
from statetracker.pipe import SamplerState
from statetracker.sampler import converter

ROWS: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("worked_examples.toml").read_text(encoding="utf-8")
)
NOTATION: Final = re.compile(
    r"w (?P<wrap>\S+); img (?P<min>\d)/(?P<mag>\d) mip (?P<mip>\d); cmp (?P<mode>\d)/(?P<func>\d); un (?P<un>\d); "
    r"an (?P<an>\d+); sl (?P<sl>\d); bi (?P<bi>\d); (rd (?P<rd>\d); )?lb (?P<lb>\S+); "
    r"lod (?P<low>.+?)\.\.(?P<high>.+); bc (?P<kind>[fi])\((?P<border>.*)\)(; fmt (?P<fmt>\S+))?"
)


def record(notation: str) -> SamplerState:
    """Read the notation of `expect`."""
    seen = NOTATION.fullmatch(notation)
    assert seen is not None, notation
    s, t, r = (int(wrap) for wrap in seen["wrap"].split(","))
    number = float if seen["kind"] == "f" else int
    return SamplerState(
        wrap_s=s,
        wrap_t=t,
        wrap_r=r,
        min_img_filter=int(seen["min"]),
        mag_img_filter=int(seen["mag"]),
        min_mip_filter=int(seen["mip"]),
        compare_mode=int(seen["mode"]),
        compare_func=int(seen["func"]),
        unnormalized_coords=int(seen["un"]),
        max_anisotropy=int(seen["an"]),
        seamless_cube_map=int(seen["sl"]),
        border_color_is_integer=int(seen["bi"]),
        reduction_mode=int(seen["rd"] or 0),
        lod_bias=float(seen["lb"]),
        min_lod=float(seen["low"]),
        max_lod=float(seen["high"]),
        border_color=[number(part) for part in seen["border"].split(",")],
        border_color_format=seen["fmt"] or "NONE",
    )


def screen_of(row: dict[str, Any]) -> st.Screen:
    """Make the screen of a row."""
    fields = dict(row.get("screen", {}))
    screen = st.Screen.named(fields.pop("like", "llvmpipe"))
    if "filters" in fields:
        fields["linear_filtering"] = st.FormatFeatures({}, default=fields.pop("filters"))
    return screen.replace(**fields)


def sampler_fields(row: dict[str, Any]) -> dict[str, Any]:
    """Give the arguments of `Sampler`: ``filter`` is both filters, ``wrap`` all axes."""
    fields = dict(row.get("sampler", {}))
    if "filter" in fields:
        fields["min_filter"] = fields["mag_filter"] = fields.pop("filter")
    if "wrap" in fields:
        fields["wrap_s"] = fields["wrap_t"] = fields["wrap_r"] = fields.pop("wrap")
    return fields


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if not row.get("only_gl")])
def test_convert_gives_the_record_of_the_row(name: str) -> None:
    """The public conversion, bit for bit."""
    row = ROWS[name]
    texture = st.Texture(**({"internal_format": "RGBA8", "size": (4, 4), "levels": 1} | row.get("texture", {})))
    sampler = None if row.get("own") else st.Sampler(**sampler_fields(row))
    dialect = row.get("dialect", "mesa22")
    result = st.convert(sampler, texture, screen_of(row), dialect=dialect, **row.get("unit", {}))
    assert result.pipe == record(row["expect"])
    assert result.explain().state == result.pipe


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if "gl" in row])
def test_gl_calls_lead_to_the_record_of_the_row(name: str) -> None:
    """A context that takes GL calls, and one draw."""
    row = ROWS[name]
    screen, unit = screen_of(row), row.get("unit", {})
    context = st.Context(screen.gl_limits(), strict=True)
    for function, *args in row["gl"]["calls"]:
        context.call(function, *args)
    chosen = converter(screen, row.get("dialect", "mesa22"))
    if unit.get("bindless"):
        made = convert_handle(context, chosen, context.glGetTextureHandleARB(1))
    else:
        version = 130 if unit.get("glsl130", True) else 120
        program = st.Program([st.SamplerUniform("image", row["gl"]["type"])], glsl_version=version)
        made = convert_stage(context, chosen, "fragment", program).records[0] or b""
    assert SamplerState.from_bytes(made) == record(row["expect"])


def test_every_row_is_there() -> None:
    """90 rows of Mesa 22.3, 23 of the proposal, and two differences of Mesa 24.1."""
    numbers = {name.split()[0] for name in ROWS}
    assert numbers == {f"M{n}" for n in range(1, 91)} | {f"S{n}" for n in range(1, 24)}
    newer = {name for name, row in ROWS.items() if row.get("dialect") == "mesa24"}
    assert newer == {"M39 in mesa24", "M45 in mesa24"}
