"""Comparing a driver's answers with ours: GL errors, the record, read-back; and which rules a case has exercised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.caps.files import screen_from
from statetracker.conformance.readback import differences, read_back
from statetracker.errors import StateTrackerError, UnknownName
from statetracker.frontend.vulkan_view import vulkan_dialect_of
from statetracker.replay.cases import Replayer, dialect_of
from statetracker.replay.comparison import Difference, compare, info_differences, slot_differences
from statetracker.sampler import converter
from statetracker.sampler.dialects import NEWEST, OLDEST
from statetracker.vulkan import explain_info

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.gl import Sampler
    from statetracker.replay.comparison import CaseResult

#: Members of the record that Mesa's trace does not print; they are compared where the driver's own copy could be read.
NOT_SHOWN: Final = ("border_color_is_integer", "reduction_mode")


class Verdict(NamedTuple):
    """The comparison of one case.

    Attributes:
        differences: What differs from the driver; empty where all agrees.
        compared: ``record`` (all 36 bytes), ``printed`` (what the trace shows), ``errors`` (nothing was drawn).
        rules: Names of the rules that made the record.
        infos: Whether create infos were compared, too.
        record: Our 36 bytes; None where nothing was drawn, or the case could not be replayed.
        sampler: GL's state that they were made from.
        explanation: How, where something differs.
    """

    differences: list[Difference]
    compared: str
    rules: tuple[str, ...]
    infos: bool = False
    record: bytes | None = None
    sampler: Sampler | None = None
    explanation: str = ""


def nearest_dialect(mesa_version: str) -> tuple[str, str]:
    """Return the dialect for a Mesa version, and a sentence where it is only the nearest known one."""
    try:
        return dialect_of(mesa_version), ""
    except UnknownName:
        major = mesa_version.partition(".")[0]
        near = OLDEST if major.isdecimal() and int(major) < int(OLDEST.partition(".")[0]) else NEWEST
        return near, f"the rules of Mesa {mesa_version} are not known; the nearest are those of {near}"


class Judge:
    """Compares the cases of one driver. ``note`` is a sentence where the rules are only the nearest.

    It takes the header of a driver or of a recorded file; ``dialect`` overrides its release's.
    """

    def __init__(self, header: dict[str, Any], *, dialect: str | None = None) -> None:
        self.dialect, self.note = (dialect, "") if dialect else nearest_dialect(str(header.get("mesa_version", "")))
        if "caps_from" in header:
            caps = f"the driver's trace has no caps: those of the built-in screen {header['caps_from']}"
            self.note = f"{self.note}; {caps}".removeprefix("; ")
        self.vulkan_dialect = vulkan_dialect_of(self.dialect)
        self.screen = screen_from(header)
        self.replayer = Replayer(converter(self.screen, self.dialect))

    def judge(self, place: int, case: dict[str, Any]) -> Verdict:
        """Compare an answered case; ``place`` is its place in its process."""
        self.replayer.start(place)
        try:
            ours = self.replayer.run(case)
        except StateTrackerError as error:
            return Verdict([Difference("replay", "a result", str(error))], "errors", ())
        release = self.replayer.converter.dialect.formats
        differences = list(compare(case, ours, release=release) or ())
        if ours.stage is not None:
            differences += slot_differences(case, ours.stage.records, release)
        how = "record" if case.get("raw") else "printed" if case.get("pipe_sampler_state") else "errors"
        if "gl_readback" in case:
            differences += self._read_back(case, ours)
        infos = self._infos(case, ours)
        differences += infos or ()
        bound = None if ours.stage is None else ours.stage.bound.get(0)
        sampler = None if bound is None else bound.sampler
        rules, explanation = self._explained(ours, differences)
        return Verdict(differences, how, rules, infos is not None, ours.record, sampler, explanation)

    def _infos(self, case: dict[str, Any], ours: CaseResult) -> list[Difference] | None:
        if "vk_problem" in case:
            return [Difference("samplers made", case["vk_problem"], "one a state, and perhaps a second")]
        differences = info_differences(case, ours.record, self.screen, self.vulkan_dialect)
        if differences is not None and case.get("vk_result"):
            differences.append(Difference("vkCreateSampler's result", case["vk_result"], 0))
        return differences

    def _read_back(self, case: dict[str, Any], ours: CaseResult) -> Iterator[Difference]:
        context = ours.context

        def ask(fn: str, *args: object) -> list[Any] | None:
            answer = context.call(fn, *args)
            if context.glGetError() != "GL_NO_ERROR":
                return None
            return answer if isinstance(answer, list) else [answer]

        recorded = case["gl_readback"]
        sampler = None if recorded.get("sampler_object") is None else 1
        mine = read_back(ask, case["texture"]["target"], sampler)
        for where, old, new in differences(recorded, mine):
            yield Difference(f"read-back {where}", old, new)

    def _explained(self, ours: CaseResult, differences: list[Difference]) -> tuple[tuple[str, ...], str]:
        """Return the rules that made the record, and where something differs the whole explanation."""
        if ours.record is None:
            return (), ""
        explained = self.replayer.explain(ours)
        rules = tuple(dict.fromkeys(step.rule for step in explained.steps))
        if not differences:
            return rules, ""
        text = str(explained)
        if any("VkSampler" in one.what for one in differences):
            text += f"\n\n{explain_info(ours.record, self.screen, dialect=self.vulkan_dialect)}"
        return rules, text
