"""Overrides of samplers: what applies where, the hook, and one answer in conversions, trackers and explanations."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as h

import statetracker as st
from statetracker.cso import RecordingDriver
from statetracker.errors import ArgumentError, UnknownName
from statetracker.frontend.overrides import OVERRIDES, kept
from statetracker.gl import TextureFacts
from statetracker.gl import enums as e

if TYPE_CHECKING:
    from collections.abc import Callable


SCREENS = [st.Screen.named(name) for name in ("llvmpipe", "zink-lavapipe", "softpipe", "iris")]
COLOUR = st.Texture(internal_format="RGBA8", size=(64, 64))
FORMATS = ("RGBA8", "DEPTH_COMPONENT24", "RGBA8UI", "DEPTH24_STENCIL8", "RGBA32F")
TEXTURES = [COLOUR, *(st.Texture(internal_format=name, size=(64, 64)) for name in FORMATS[1:])]
TEXTURES += [st.Texture("rectangle", "RGBA8", (64, 64)), st.Texture(internal_format=FORMATS[3], stencil_sampling=True)]
#: Stencil alone of which GL has not yet seen that it is of integers.
SEEN = COLOUR.facts()
STENCIL = TextureFacts.of(
    **{name: getattr(SEEN, name) for name in TextureFacts.__slots__} | {"base_format": "STENCIL_INDEX"}
)

samplers = h.builds(
    st.Sampler,
    wrap_s=h.sampled_from(list(e.Wrap)),
    wrap_r=h.sampled_from(list(e.Wrap)),
    min_filter=h.sampled_from(list(e.MinFilter)),
    mag_filter=h.sampled_from(list(e.MagFilter)),
    compare_mode=h.booleans(),
    lod_bias=h.floats(-4, 4, width=32),
    max_anisotropy=h.sampled_from([1.0, 4.0, 16.0]),
    reduction_mode=h.sampled_from([*[e.ReductionMode.WEIGHTED_AVERAGE] * 3, e.ReductionMode.MIN]),
    border_color=h.sampled_from([(0, 0, 0, 0), (1, 0.5, 0, 1)]),
)


def soft(sampler: st.Sampler, texture: TextureFacts) -> dict[str, object] | None:
    """Clamp what repeats, and give colours a bias; a module's own function can be pickled."""
    if sampler.wrap_s != e.Wrap.REPEAT:
        return None
    return {"wrap": "clamp-to-edge", **({"lod_bias": -1} if texture.base_format == "RGBA" else {})}


forced = h.fixed_dictionaries(
    {},
    optional={
        "force_mip_filter": h.sampled_from([None, "none", "nearest", "linear"]),
        "force_anisotropy": h.sampled_from([None, 1, 8, 16]),
        "force_lod_bias": h.none() | h.floats(-16, 16, width=32),
        "override": h.sampled_from([None, soft]),
        "max_anisotropy": h.sampled_from([None, 4]),
        "lod_offset": h.sampled_from([0.0, -0.5]),
        "canonical": h.booleans(),
    },
)
policies = h.builds(
    lambda fields, which: st.Policy(**fields | ({which: True} if which else {})),
    forced,
    h.sampled_from(["", "force_nearest", "force_linear"]),
)


def pipe(policy: st.Policy, texture: st.Texture = COLOUR, **fields: Any) -> st.SamplerState:
    return st.convert(st.Sampler(**fields), texture, SCREENS[0], policy=policy).pipe


@given(samplers, h.sampled_from(TEXTURES), policies, h.sampled_from(SCREENS))
def test_a_tracker_a_conversion_and_an_explanation_agree(
    sampler: st.Sampler, texture: st.Texture, policy: st.Policy, screen: st.Screen
) -> None:
    """And so does a batch of what the policy makes of the sampler."""
    before = sampler.content()
    result = st.convert(sampler, texture, screen, policy=policy)
    results = result.explain()
    assert bytes(results.state) == bytes(result)
    assert st.StateTracker(screen, RecordingDriver(), policy=policy).record(sampler, texture) == bytes(result)
    rows = st.batch.sampler_rows([policy.overridden(sampler, texture)])
    (row,) = st.batch.records(rows, texture, screen)
    assert policy.apply(row.tobytes()) == bytes(result)
    assert sampler.content() == before


@given(samplers, h.sampled_from(TEXTURES), policies)
def test_what_reads_no_colours_is_left_alone_and_the_explanation_says_so(
    sampler: st.Sampler, texture: st.Texture, policy: st.Policy
) -> None:
    """By all overrides of menus; nothing is said where there are none."""
    menu = policy.replace(override=None)
    why = kept(sampler, texture.content()[0])
    notes = " ".join(st.convert(sampler, texture, SCREENS[0], policy=menu).explain().notes)
    if why:
        assert menu.overridden(sampler, texture) is sampler
    assert (f"do not apply: {why}" in notes) == bool(why and menu.changes_samplers)


@pytest.mark.parametrize(
    ("texture", "fields", "why"),
    [
        (COLOUR, {}, ""),
        (COLOUR, {"compare_mode": True}, "it compares"),
        (TEXTURES[1], {}, "its texels are depths"),
        (TEXTURES[2], {}, "its texels are integers"),
        (TEXTURES[6], {}, "its texels are integers"),
        (STENCIL, {}, "its texels are integers"),
        (COLOUR, {"reduction_mode": "max"}, "it takes the least or the largest texel"),
        (st.Texture("2d-multisample", "RGBA8", samples=4), {}, "its texture is never filtered"),
    ],
)
def test_why_a_sampler_is_left_alone(texture: st.Texture | TextureFacts, fields: dict[str, Any], why: str) -> None:
    seen = texture.content()[0] if isinstance(texture, st.Texture) else texture
    assert kept(st.Sampler(**fields), seen) == why


@given(samplers)
def test_without_an_override_the_sampler_is_the_same_object(sampler: st.Sampler) -> None:
    """And a conversion with a policy that changes nothing gives the bits of one without."""
    assert not st.Policy().changes_samplers
    assert st.Policy().overridden(sampler, COLOUR) is sampler
    plain = st.convert(sampler, COLOUR, SCREENS[0])
    assert bytes(st.convert(sampler, COLOUR, SCREENS[0], policy=st.Policy(canonical=False))) == bytes(plain)


MIP = {"min_filter": "linear-mipmap-linear"}
SOFT: dict[str, Any] = {"filter": ("linear", "linear")}
FORCED = st.Policy(force_anisotropy=16)


@pytest.mark.parametrize(
    ("policy", "fields", "members"),
    [
        # Forced filters take both image filters and leave level 0 alone. NEAREST is nearest between mipmaps too,
        # LINEAR leaves what is between them.
        (st.Policy(force_nearest=True), {"filter": ("linear-mipmap-linear", "linear")}, (0, 0, 0)),
        (st.Policy(force_nearest=True), SOFT, (0, 0, 2)),
        (st.Policy(force_linear=True), {"filter": ("nearest-mipmap-nearest", "nearest")}, (1, 1, 0)),
        # A forced mip filter is for samplers that read mipmaps.
        *(
            (st.Policy(force_mip_filter=wanted), MIP, (1, 1, mip))
            for wanted, mip in (("none", 2), ("nearest", 0), ("linear", 1), (None, 1))
        ),
        (st.Policy(force_mip_filter="linear"), {"min_filter": "linear"}, (1, 1, 2)),
        # Forced anisotropy follows the filters that are forced: both are linear by then; a limit still holds.
        (FORCED, SOFT, (1, 1, 2, 16)),
        (FORCED, {"filter": ("linear", "nearest")}, (1, 0, 2, 0)),
        (FORCED.replace(force_linear=True), {"filter": ("linear", "nearest")}, (1, 1, 2, 16)),
        (FORCED.replace(max_anisotropy=4), SOFT, (1, 1, 2, 4)),
        (FORCED.replace(force_anisotropy=1), SOFT | {"max_anisotropy": 8}, (1, 1, 2, 0)),
        # A forced bias stands in place of the sampler's, 0 too, which was taken for none; an offset is added.
        (st.Policy(force_lod_bias=-2), SOFT | {"lod_bias": 5.0}, (1, 1, 2, 0, -2.0)),
        (st.Policy(force_lod_bias=-2, lod_offset=0.5), SOFT | {"lod_bias": 5.0}, (1, 1, 2, 0, -1.5)),
        *((st.Policy(force_lod_bias=zero), SOFT | {"lod_bias": 1.5}, (1, 1, 2, 0, 0.0)) for zero in (0, 0.0, -0.0)),
    ],
)
def test_what_an_override_makes_of_a_sampler(
    policy: st.Policy, fields: dict[str, Any], members: tuple[Any, ...]
) -> None:
    state = pipe(policy, **fields)
    image = state.min_img_filter, state.mag_img_filter, state.min_mip_filter
    assert (*image, state.max_anisotropy, state.lod_bias)[: len(members)] == members


def test_rectangles_have_no_anisotropy() -> None:
    assert pipe(FORCED, TEXTURES[5], wrap="clamp-to-edge", **SOFT).max_anisotropy == 0


def test_the_explanation_names_the_override_and_its_value() -> None:
    result = st.convert(st.Sampler(**SOFT), COLOUR, SCREENS[0], policy=FORCED)
    step = result.explain().last("max_anisotropy")
    assert (step.before, step.after, step.rule) == (0, 16, "policy-force-anisotropy")
    assert "force_anisotropy=16" in str(result.explain())


def test_forced_linear_filters_move_gl_clamp_with_them() -> None:
    """As if the program had asked for them: the wrap that GL_CLAMP becomes follows the filters, in state and shader."""
    asked = st.Sampler(wrap="clamp", filter=("nearest", "nearest"))
    wanted = st.convert(asked.copy(filter=("linear", "linear")), COLOUR, SCREENS[1])
    got = st.convert(asked, COLOUR, SCREENS[1], policy=st.Policy(force_linear=True, canonical=False))
    assert (bytes(got), got.lowering, got.vulkan) == (bytes(wanted), wanted.lowering, wanted.vulkan)
    assert bytes(got) != bytes(st.convert(asked, COLOUR, SCREENS[1]))


# The hook


def test_a_hook_wins_and_sees_what_the_program_set() -> None:
    """A copy of it: what the hook does to that changes nothing."""
    seen: list[int] = []

    def hook(sampler: st.Sampler, texture: TextureFacts) -> dict[str, object] | None:
        seen.append(sampler.min_filter)
        sampler.wrap_s = e.Wrap.CLAMP
        return {"mag_filter": "nearest"} if texture.internal_format == "RGBA8" else None

    policy, asked = st.Policy(force_linear=True, override=hook), st.Sampler(filter=("nearest", "linear"))
    state = st.convert(asked, COLOUR, SCREENS[0], policy=policy).pipe
    assert (state.min_img_filter, state.mag_img_filter, state.wrap_s) == (1, 0, 0)
    assert seen == [0x2600]
    step = st.convert(asked, COLOUR, SCREENS[0], policy=policy).explain().last("mag_img_filter")
    assert step.rule == "policy-override"
    assert "hook" in step.because


def test_a_tracker_asks_a_hook_once_for_each_content_and_anew_with_another_policy() -> None:
    asked: list[tuple[bytes, str]] = []

    def hook(sampler: st.Sampler, texture: TextureFacts) -> dict[str, object]:
        asked.append((sampler.content(), texture.internal_format))
        return {"max_anisotropy": 4}

    wall, floor = st.Sampler(wrap="clamp-to-edge"), st.Sampler(wrap="clamp-to-edge")
    with st.StateTracker(SCREENS[0], RecordingDriver(), policy=st.Policy(override=hook)) as tracker:
        for bias in (0.0, 1.0):
            tracker.bind("fragment", ((wall, COLOUR, bias), (floor, st.Texture(internal_format="RGBA8"), bias)))
        assert len(asked) == 1
        wall.wrap_s = e.Wrap.REPEAT
        tracker.bind("fragment", ((wall, COLOUR),))
        wall.wrap_s = e.Wrap.CLAMP_TO_EDGE
        tracker.bind("fragment", ((wall, COLOUR),))
        assert len(asked) == 2
        tracker.policy = tracker.policy.replace(max_anisotropy=2)
        tracker.bind("fragment", ((wall, COLOUR),))
        assert len(asked) == 3
        assert tracker.record(wall, COLOUR) == bytes(st.convert(wall, COLOUR, SCREENS[0], policy=tracker.policy))


@pytest.mark.parametrize(
    ("gave", "words"),
    [
        ({"warp_s": "repeat"}, "Did you mean 'wrap_s'"),
        ({"wrap_s": "repaet"}, "Did you mean 'repeat'"),
        ({"max_anisotropy": 0}, "1.0 or more"),
        ({3: 4}, "fields of Sampler"),
        (["wrap_s"], "a mapping of fields of Sampler"),
    ],
)
def test_what_a_hook_gives_wrong_is_an_error_that_names_it(gave: Any, words: str) -> None:
    """Nothing is bound then; what the hook itself raises is not changed."""

    def strange_hook(_: st.Sampler, __: TextureFacts) -> Any:
        return gave

    def broken(_: st.Sampler, __: TextureFacts) -> Any:
        raise KeyError("mine")

    with pytest.raises(ArgumentError, match=r"strange_hook") as caught:
        st.convert(st.Sampler(), COLOUR, SCREENS[0], policy=st.Policy(override=strange_hook))
    assert words in str(caught.value)
    tracker = st.StateTracker(SCREENS[0], RecordingDriver(), policy=st.Policy(override=strange_hook))
    with pytest.raises(ArgumentError, match="strange_hook"):
        tracker.bind("fragment", ((st.Sampler(), COLOUR),))
    with pytest.raises(KeyError, match="mine"):
        st.convert(st.Sampler(), COLOUR, SCREENS[0], policy=st.Policy(override=broken))


def test_a_policy_is_hashed_compared_and_pickled_by_its_hook() -> None:
    """A function of a module is pickled by its name; another cannot be."""
    policy = st.Policy(override=soft, force_anisotropy=8)
    again = pickle.loads(pickle.dumps(policy))  # noqa: S301 (our own)
    assert (again, hash(again)) == (policy, hash(policy))
    assert policy != policy.replace(override=None)
    local: Callable[..., None] = lambda *_: None  # noqa: E731 (it must have no name)
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(st.Policy(override=local))


def test_every_override_of_the_table_is_a_field_with_a_line_in_the_docstring() -> None:
    assert st.Policy.__doc__
    for row in OVERRIDES:
        assert row.name in st.Policy.__slots__
    for name in st.Policy.__slots__:
        assert f"\n        {name}: " in st.Policy.__doc__
    with pytest.raises(UnknownName, match="Did you mean 'force_anisotropy'"):
        st.Policy(force_anisotropie=16)  # type: ignore[call-arg]
    with pytest.raises(ArgumentError, match="policy"):
        st.convert(st.Sampler(), COLOUR, SCREENS[0], policy={"force_linear": True})  # type: ignore[arg-type]
