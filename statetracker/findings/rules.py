"""The rules of `inspect`: one row each, with what it means, what to do, and where GL says so; and what they find."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final, NamedTuple, TypeAlias

#: What a finding has before its call: rule, subject, sentence, unit.
Key: TypeAlias = tuple[str, str, str, int | None]

#: Different findings kept; others are counted.
_MOST: Final = 10_000
#: How bad a finding is, worst first -> what that means.
SEVERITIES: Final = {
    "wrong": "the picture is probably not the one that is wanted",
    "undefined": "GL leaves open what is drawn: it differs between drivers",
    "wasted": "a setting or a call that changes nothing",
    "note": "nothing is wrong; for information",
}


class Rule(NamedTuple):
    """A kind of finding.

    Attributes:
        severity: One of `SEVERITIES`.
        counted: What `Finding.times` counts: draws, calls or objects.
        title: What is the matter, in a few words.
        advice: What to do.
        source: Where GL says so; empty: nowhere.
    """

    severity: str
    counted: str
    title: str
    advice: str
    source: str = ""


_LOOKUPS: Final = "GL 4.6, 11.1.3.5 (texture access)"

# fmt: off
#: Name -> rule.
RULES: Final[dict[str, Rule]] = {
    "incomplete":      Rule("wrong", "draws", "sampled while incomplete",
                            "A shader reads black; fixed function does not texture. Give it every level that its filter reads (glGenerateMipmap), or set GL_TEXTURE_MAX_LEVEL to the last one before the gap, or GL_TEXTURE_MIN_FILTER to GL_LINEAR or GL_NEAREST.",
                            "GL 4.6, 8.17 (texture completeness)"),
    "refused-draw":    Rule("wrong", "draws", "two sampler uniforms of different types on one unit: the draw is rejected",
                            "GL_INVALID_OPERATION: nothing is drawn. Set sampler uniforms of different types to different units (glUniform1i; all begin at 0), even if the shader uses only one of them, and bind each texture to its unit.",
                            "GL 4.6, 11.1.3.11 (validation)"),
    "error":           Rule("wrong", "calls", "GL error: the call did nothing",
                            "Pass what is accepted, or leave the call out.",
                            "GL 4.6, 2.3.1 (errors)"),
    "not-comparing":   Rule("undefined", "draws", "a shadow sampler reads a texture that does not compare",
                            "Set GL_TEXTURE_COMPARE_MODE to GL_COMPARE_REF_TO_TEXTURE, or declare the uniform without Shadow and read the depth itself.",
                            _LOOKUPS),
    "comparing":       Rule("undefined", "draws", "a sampler that is no shadow sampler reads a texture that compares",
                            "Set GL_TEXTURE_COMPARE_MODE to GL_NONE, or use a shadow sampler.",
                            _LOOKUPS),
    "no-depth":        Rule("undefined", "draws", "a shadow sampler reads a texture without depth",
                            "Bind a depth texture to the unit, or declare the uniform without Shadow.",
                            _LOOKUPS),
    "other-type":      Rule("undefined", "draws", "the sampler's type is not the texture's",
                            "Declare isampler or usampler for integer formats and sampler for all others, or change the format.",
                            _LOOKUPS),
    "no-effect":       Rule("wasted", "objects", "a setting with no effect",
                            "Leave the call out; or change what keeps the setting from being read.",
                            "GL 4.6, 8.14 to 8.17 and 8.23"),
    "in-vain":         Rule("wasted", "calls", "set to what it was already",
                            "Leave out what GL has by default, and what was set before: a value stays with its object."),
    "equal-samplers":  Rule("wasted", "objects", "sampler objects that are equal",
                            "Make one and use it for all of them."),
    "own-unused":      Rule("wasted", "objects", "parameters of a texture that a sampler object overrides in every draw",
                            "Leave the texture's own parameters out.",
                            "GL 4.6, 8.2 (sampler objects)"),
    "unsampled":       Rule("note", "objects", "parameters of a texture that no draw samples",
                            "If the program never draws it, leave the calls out."),
    "mipmap-filter":   Rule("note", "objects", "a mipmap filter, and one level",
                            "Set GL_TEXTURE_MIN_FILTER to GL_LINEAR or GL_NEAREST.",
                            "GL 4.6, 8.14.3 (mipmapping)"),
    "anisotropy":      Rule("note", "objects", "anisotropy with nearest filters",
                            "Use linear filters, or no anisotropy: drivers differ in whether they filter linearly then.",
                            "GL 4.6, 8.14 (texture minification)"),
    "seamless":        Rule("note", "calls", "seamless cubes without a cube",
                            "Leave it on: it costs nothing, and cubes that come later look better.",
                            "GL 4.6, 8.14.1 (seamless cube map filtering)"),
    "stage-samplers":  Rule("note", "draws", "more samplers in a stage than WebGPU has",
                            "Share samplers, or put textures into arrays.",
                            "W3C WebGPU, maxSamplersPerShaderStage"),
}
# fmt: on


class Finding(NamedTuple):
    """One thing that was found.

    Attributes:
        rule: A name of `RULES`.
        subject: Whose it is: ``texture 3``, ``sampler 2``, ``glBindTexture``.
        what: What was seen, a sentence.
        unit: The texture unit; None: it is of none.
        call: The number of the first call, as apitrace counts.
        times: How many draws, calls or objects: `Rule.counted` says which.
        frame: The frame of the first call, from 1.
        code: The first call, as the dump has it; "" where that cannot be read again.
    """

    rule: str
    subject: str
    what: str
    unit: int | None
    call: int
    times: int
    frame: int = 1
    code: str = ""

    @property
    def place(self) -> str:
        """``call 120 in frame 3, the first of 5 draws``."""
        times = f", the first of {self.times:,} {RULES[self.rule].counted}" if self.times != 1 else ""
        return f"call {self.call} in frame {self.frame:,}{times}"

    @property
    def severity(self) -> str:
        """One of `SEVERITIES`."""
        return RULES[self.rule].severity

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        data, rule = self._asdict(), RULES[self.rule]
        about = {"severity": rule.severity, "counted": rule.counted, "advice": rule.advice, "source": rule.source}
        return {"object": data.pop("subject"), **data, **about}

    def __str__(self) -> str:
        """``texture 3: sampled while incomplete: level 1 is missing (call 120 in frame 3, the first of 5 draws)``."""
        return f"{self.subject}: {RULES[self.rule].title}: {self.what} ({self.place})"


def by_rule(findings: list[Finding]) -> dict[Rule, list[Finding]]:
    """Return each rule that found something, in the order of its first finding, with all of its own."""
    rules: dict[Rule, list[Finding]] = {}
    for one in findings:
        rules.setdefault(RULES[one.rule], []).append(one)
    return rules


class Notes:
    """Findings as they come: rule, subject, sentence, unit -> the first call, and how often."""

    def __init__(self) -> None:
        self.rows: dict[Key, list[int]] = {}
        self.left_out = 0

    def add(self, key: Key, call: int, times: int = 1) -> None:
        """Count one: the ``key`` is what `Finding` has before the call."""
        if key in self.rows:
            self.rows[key][1] += times
        elif len(self.rows) < _MOST:
            self.rows[key] = [call, times]
        else:
            self.left_out += 1

    def findings(self, swaps: list[int]) -> list[Finding]:
        """All of them, the worst first, and of these the most frequent; ``swaps`` are the calls that end frames."""
        made = [Finding(*key, call, times, 1 + bisect_left(swaps, call)) for key, (call, times) in self.rows.items()]
        order = tuple(SEVERITIES)
        return sorted(made, key=lambda one: (order.index(one.severity), -one.times, one.call))
