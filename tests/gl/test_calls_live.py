"""Random calls and every internal format, here and on Mesa (widely: ``make gl-calls``); what is compared."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings

from statetracker.conformance.drivers import driver
from tools.proofs.gl_calls import compare as comparison
from tools.proofs.gl_calls.compare import FORMATS, compare, differing
from tools.proofs.gl_calls.departures import DEPARTURES
from tools.proofs.gl_calls.generate import sequences
from tools.proofs.gl_calls.sides import OK, PROFILES, Done, Ours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tools.proofs.gl_calls.sides import Call

CALLS: list[Call] = [("glGenTextures", 1), ("glBindTexture", "TEXTURE_2D", 1)]


WHOLE = settings.get_current_profile_name() == "gl-calls"
#: Internal formats in parts; the last are none.
PARTS = [FORMATS[n : n + 50] for n in range(0, len(FORMATS), 50)]
SOME = [FORMATS[n] for first in (0, 60, 76, len(FORMATS) - 4) for n in range(first, first + 4)]


@pytest.fixture
def llvmpipe() -> Iterator[None]:
    with patch.dict(os.environ, driver("llvmpipe").environment):
        yield


@pytest.mark.live("egl:llvmpipe")
@pytest.mark.usefixtures("llvmpipe")
@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=250 if WHOLE else 130, suppress_health_check=list(HealthCheck))
@given(sequences())
def test_random_calls_do_here_what_they_do_on_mesa(profile: str, calls: list[Call]) -> None:
    """Where Mesa dies, ``-n 0 -s --hypothesis-verbosity=verbose`` prints each sequence before it is tried."""
    assert compare(profile, calls).problem == ""


@pytest.mark.live("egl:llvmpipe")
@pytest.mark.usefixtures("llvmpipe")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("formats", PARTS if WHOLE else [SOME], ids=lambda formats: f"from 0x{formats[0]:04X}")
def test_internal_formats_are_taken_and_refused_here_as_on_mesa(formats: Sequence[int], profile: str) -> None:
    assert [text for fmt in formats for text in differing(profile, fmt)] == []


# fmt: off
#: What random sequences seldom meet.
EDGES: dict[str, list[Call]] = {
    "a level at the edge of ints": [
        *CALLS, *(("glTexParameterf", "TEXTURE_2D", "TEXTURE_MAX_LEVEL", value)
                  for value in (2147483648.0, 2147483647.0, 16777217.0, 3e9, -0.5, 2.5)),
    ],
    "seams of a float": [
        ("glGenSamplers", 1), *(("glSamplerParameterfv", 1, "TEXTURE_CUBE_MAP_SEAMLESS", (value,) * 4)
                                for value in (1.0, 2147483647.0, 257.0, 1.99999999999, 1e20)),
    ],
    "a mode just below a whole number": [
        ("glGenSamplers", 1), ("glSamplerParameterf", 1, "TEXTURE_COMPARE_MODE", 0.9999999999),
        *CALLS, ("glTexParameterfv", "TEXTURE_2D", "TEXTURE_COMPARE_MODE", (0.9999999999,) * 4),
    ],
    "a base level above its storage": [
        *CALLS, ("glTexParameteri", "TEXTURE_2D", "TEXTURE_BASE_LEVEL", 3),
        ("glTexStorage2D", "TEXTURE_2D", 3, "RGBA8", 8, 8),
        ("glTexParameteri", "TEXTURE_2D", "TEXTURE_MAX_LEVEL", 9987),
    ],
    "views with two faults": [
        ("glGenTextures", 2), ("glBindTexture", "TEXTURE_2D_MULTISAMPLE", 1),
        ("glTexStorage2DMultisample", "TEXTURE_2D_MULTISAMPLE", 4, "RGBA8", 8, 8, 1),
        *(("glTextureView", 2, target, 1, fmt, level, 1, layer, layers)
          for target in ("TEXTURE_2D_MULTISAMPLE", "TEXTURE_2D") for fmt in ("RGB8", "RGBA32F", 0x1234)
          for level, layer, layers in ((2, 0, 1), (0, 1, 1), (0, 0, 2))),
    ],
    "a generic format": [
        *CALLS, ("glTexImage2D", "TEXTURE_2D", 0, "COMPRESSED_RED", 8, 8, 0, "RGBA", "UNSIGNED_BYTE", None),
        ("glTexImage2D", "TEXTURE_2D", 1, "COMPRESSED_RGBA", 4, 4, 0, "RGBA", "UNSIGNED_BYTE", None),
        ("glBindTexture", "TEXTURE_2D_ARRAY", 2), ("glTexStorage3D", "TEXTURE_2D_ARRAY", 2, "COMPRESSED_RG", 8, 8, 3),
    ],
    "a name that is another texture at the pop": [
        *CALLS, ("glPushAttrib", 0x40000),
        ("glDeleteTextures", 1, (1,)), ("glGenTextures", 2), ("glBindTexture", "TEXTURE_3D", 1),
        ("glBindTexture", "TEXTURE_2D", 2), ("glBindTexture", "TEXTURE_3D", 0), ("glPopAttrib",),
    ],
}
# fmt: on


@pytest.mark.live("egl:llvmpipe")
@pytest.mark.usefixtures("llvmpipe")
@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_here_as_on_mesa(edge: str) -> None:
    """In each profile; a core context has no attribute stack."""
    assert [compare(profile, EDGES[edge])[:3] for profile in PROFILES] == [("", "", ())] * len(PROFILES)


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Done], None]:
    """Have a Mesa that does as we do, but for the calls of one name."""

    def plant(name: str, lie: Done) -> None:
        def made(profile: str, calls: Iterable[Call]) -> list[Done]:
            calls = list(calls)
            truth = Ours(profile).make(calls)
            return [lie if call[0] == name else done for call, done in zip(calls, truth, strict=True)]

        monkeypatch.setattr(comparison, "on_mesa", made)

    return plant


def test_two_sides_that_agree_have_no_problem(lying: Callable[[str, Done], None]) -> None:
    lying("glNothing", Done(OK))
    compared = compare("core", CALLS)
    assert (compared.problem, compared.listed) == ("", ())
    assert compared.calls > 50


@pytest.mark.parametrize(
    ("name", "lie"),
    [
        ("glBindTexture", Done("GL_INVALID_ENUM")),
        ("glGenTextures", Done(OK, (2,))),
        ("glGetTexParameterfv", Done(OK, ("7.0", "0.0", "0.0", "0.0"))),
        ("glGetIntegerv", Done(OK, (5,))),
        ("glIsTexture", Done(OK, 7)),
    ],
)
def test_each_kind_of_difference_is_seen(lying: Callable[[str, Done], None], name: str, lie: Done) -> None:
    """An error, a name, a getter's value, a binding, an answer; and named."""
    lying(name, lie)
    compared = compare("core", CALLS)
    assert compared.call == name
    assert compared.problem.startswith(f"{name}(")
    assert f"Mesa {lie.error}" in compared.problem


def test_a_listed_departure_is_no_problem(lying: Callable[[str, Done], None]) -> None:
    """What ends a comparison hides what comes after."""
    lying("glBindTexture", Done("GL_OUT_OF_MEMORY"))
    compared = compare("core", CALLS)
    assert (compared.problem, compared.listed, compared.calls) == ("", ("Sizes beyond memory",), 1)


def departs(call: Call, mesa: Done, own: Done) -> list[str]:
    return [row.name for row in DEPARTURES if row.applies([("glPopAttrib",)], call, mesa, own)]


def test_departures_are_no_wider_than_they_say() -> None:
    """More samples than asked for, sizes of buffer textures, multisample textures after a pop."""
    asked: Any = ("glGetTextureLevelParameteriv", 1, 0, "TEXTURE_SAMPLES")
    assert departs(asked, Done(OK, (4, 0, 0, 0)), Done(OK, (2,))) == ["Samples of a driver"]
    bound: Any = ("glGetIntegerv", "TEXTURE_BINDING_2D_MULTISAMPLE")
    assert departs(bound, Done(OK, (1,)), Done(OK, (0,))) == ["What glPopAttrib puts back"]
    assert not any(row.applies([], bound, Done(OK, (1,)), Done(OK, (0,))) for row in DEPARTURES)
    assert departs(asked, Done(OK, (2, 0, 0, 0)), Done(OK, (4,))) == []
    assert departs(asked, Done(OK, (4, 0, 0, 0)), Done(OK, (0,))) == []
    width: Any = ("glGetTexLevelParameteriv", "TEXTURE_BUFFER", 0, "TEXTURE_WIDTH")
    assert departs(width, Done(OK, (0, 0, 0, 0)), Done(OK, (1,))) == ["Texels of buffer textures"]
    assert departs((width[0], "TEXTURE_2D", *width[2:]), Done(OK, (0, 0, 0, 0)), Done(OK, (1,))) == []


def test_departures_of_images_are_no_wider_than_they_say() -> None:
    """Copies, sizes of compressed data, nine formats of several samples."""
    operation, value, enum = (Done(f"GL_INVALID_{word}") for word in ("OPERATION", "VALUE", "ENUM"))
    copied: Any = ("glCopyTexImage2D", "TEXTURE_2D", 0, "RGBA8UI", 0, 0, 4, 4, 0)
    assert departs(copied, operation, Done(OK)) == departs(copied, operation, value) == ["What a copy is taken of"]
    assert departs(copied, operation, enum) == departs(copied, Done(OK), operation) == []
    assert departs(("glTexImage2D", *copied[1:]), operation, Done(OK)) == []
    packed: Any = ("glCompressedTexImage2D", "TEXTURE_2D", 0, 0x83F0, 4, 4, 0, 7, None)
    assert departs(packed, value, Done(OK)) == departs(packed, value, operation) == ["Sizes of compressed data"]
    assert departs(packed, Done(OK), value) == departs(packed, value, enum) == []
    for fmt, listed in ((0x9010, []), (0x9011, ["Signed luminance of several samples"]), (0x901C, [])):
        samples: Any = ("glTexImage2DMultisample", "TEXTURE_2D_MULTISAMPLE", 4, fmt, 4, 4, 1)
        assert departs(samples, Done(OK), enum) == listed
        assert departs(samples, enum, Done(OK)) == []
