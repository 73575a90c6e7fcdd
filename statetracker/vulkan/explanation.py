"""Explanations of create infos: the translation, watched.

`explain_info` runs the rules that `create_info` runs, looks at the draft between them, and keeps a step for each member
that changed. A member that no rule touched has the one step that brought it from the record. See
docs/vulkan_samplers.md.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statetracker.errors import UnknownName
from statetracker.pipe.layout import WORD0
from statetracker.spellings import aligned
from statetracker.vulkan.border import border_fallbacks
from statetracker.vulkan.conversion import finished
from statetracker.vulkan.draft import TRACKED, Draft
from statetracker.vulkan.info import CHAINED, MEMBERS
from statetracker.vulkan.ranges import values
from statetracker.vulkan.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statetracker.caps import Screen
    from statetracker.pipe.state import SamplerState
    from statetracker.vulkan.dialects import VulkanDialect
    from statetracker.vulkan.enums import BorderChoice
    from statetracker.vulkan.info import SamplerCreateInfo
    from statetracker.vulkan.views import View

#: Member -> the record's member, its enum there, and its enum in Vulkan.
_SOURCE: Final = {member.attribute: member.source for member in (*MEMBERS, *CHAINED)}
_PIPE: Final = {field.name: field.enum for field in WORD0}
_VULKAN: Final = {m.attribute: m.type if issubclass(m.type, IntEnum) else None for m in (*MEMBERS, *CHAINED)}
_BORDER: Final = ("border_color", "custom_border_color", "component_mapping")
_CHAINED: Final = tuple(member.attribute for member in CHAINED)


class VulkanStep(NamedTuple):
    """One change of one member.

    Attributes:
        field: The member.
        before: Its value before; None where the step brought it from the record.
        after: Its value after.
        rule: Name of the rule, ``"from-pipe"`` for the first step.
        section: Of docs/vulkan_samplers.md.
        because: The input that made it fire.
    """

    field: str
    before: object
    after: object
    rule: str
    section: str
    because: str

    @property
    def page(self) -> str:
        """The page that describes the rule: ``docs/vulkan_samplers.md#`` and its name."""
        return f"docs/vulkan_samplers.md#{self.rule}"


class VulkanExplanation:
    """Every step of one translation. ``info`` is the create info, ``steps`` the steps in order; ``str()`` is a table.

    ``border_fallbacks`` are all ways to give the border colour, tried; the first possible one is taken.
    """

    def __init__(self, info: SamplerCreateInfo, steps: list[VulkanStep], tried: tuple[BorderChoice, ...]) -> None:
        self.info = info
        self.steps = steps
        self.border_fallbacks = tried

    def of(self, field: str) -> list[VulkanStep]:
        """Return the steps of one member, in order; ``field`` is its name, as `SamplerCreateInfo` has it."""
        return [step for step in self.steps if step.field == field]

    def last(self, field: str) -> VulkanStep:
        """Return the step that gave a member, ``field``, its final value; raises `UnknownName` where there is none."""
        steps = self.of(field)
        if not steps:
            raise UnknownName("member", field, accepted=", ".join(dict.fromkeys(step.field for step in self.steps)))
        return steps[-1]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, but for floats that are no numbers."""
        return {
            "info": self.info.to_dict(),
            "steps": [step._asdict() for step in self.steps],
            "border_fallbacks": [choice.to_dict() for choice in self.border_fallbacks],
            "lowering": self.info.lowering.work,
            "lod_bias_rest": self.info.lod_bias_rest,
            "unsupported": [one.to_dict() for one in self.info.unsupported],
        }

    def rows(self) -> Iterator[tuple[str, str, str, str, str]]:
        """One row a member: field, value, rule, because, value before (empty where the rule is from-pipe)."""
        for name in TRACKED:
            step = self.last(name)
            if name in _CHAINED and step.after is None and len(self.of(name)) == 1:
                continue
            yield name, _text(step.after), step.rule, step.because, "" if step.before is None else _text(step.before)

    def __str__(self) -> str:
        """One line a member; below: the border's fallbacks, what the shader must do, and what is unsupported."""
        rows = [("member", "value", "rule", "because")]
        for name, value, rule, because, before in self.rows():
            rows.append((name, value, rule, f"{because} (was {before})" if before else because))
        return "\n".join([*aligned(rows), *self._below()])

    def _below(self) -> Iterator[str]:
        tried = next((n for n, choice in enumerate(self.border_fallbacks) if choice.possible), 0)
        for choice in self.border_fallbacks[: tried + 1]:
            error = f", largest channel error {choice.error:g}" if choice.possible else ""
            yield f"border {choice.fallback.label}: {'yes' if choice.possible else 'no'}, {choice.because}{error}"
        for name, value in self.info.lowering.work.items():
            yield f"shader: {name} {_text(self.info.lod_bias_rest if name == 'add_lod_bias' else value)}"
        for one in self.info.unsupported:
            yield f"unsupported: {one}"


def explain_info(
    state: SamplerState | bytes,
    screen: Screen,
    *,
    dialect: str | VulkanDialect = "native",
    view: View | None = None,
    free_slots: int | None = None,
    unnormalized_fits: bool = False,
    filter_in_shader: bool = True,
) -> VulkanExplanation:
    """Translate as `create_info` does, with reasons; the arguments are the same."""
    draft = Draft(
        state,
        screen,
        dialect=dialect,
        view=view,
        free_slots=free_slots,
        unnormalized_fits=unnormalized_fits,
        filter_in_shader=filter_in_shader,
    )
    steps = list(_origins(draft))
    tried: tuple[BorderChoice, ...] = ()
    settled = False
    for rule in RULES:
        if rule.name == "border":
            tried = tuple(border_fallbacks(draft))
        before = {name: getattr(draft, name) for name in rule.sets}
        rule.apply(draft)
        was_settled, settled = settled, settled or rule.name == "address-mode"
        for name in rule.sets:
            old = None if name in _BORDER else _shown(name, before[name], settled=was_settled)
            new = _shown(name, getattr(draft, name), settled=settled)
            if repr(old) != repr(new):
                steps.append(VulkanStep(name, old, new, rule.name, rule.section, rule.because(draft)))
    return VulkanExplanation(finished(draft), steps, tried)


def _origins(draft: Draft) -> Iterator[VulkanStep]:
    for name in TRACKED:
        shown = None if name in _BORDER else _shown(name, getattr(draft, name), settled=False)
        yield VulkanStep(name, None, shown, "from-pipe", "members", f"{_SOURCE[name]} is {_recorded(name, draft)}")


def _recorded(name: str, draft: Draft) -> str:
    """Return the record's value, in Gallium's names."""
    if name in _BORDER:
        return _text(list(values(draft.color, draft.kind)))
    if name == "flags":
        return _text(draft.seamless_cube_map)
    value = draft.max_anisotropy if name == "anisotropy_enable" else getattr(draft, name)
    source = _PIPE.get(_SOURCE[name])
    return _text(value if source is None else _named(source, int(value)))


def _shown(name: str, value: Any, *, settled: bool) -> object:  # noqa: ANN401 (any member)
    """Return a member's value as people read it: by Vulkan's name for it once it has one, by the record's before."""
    if value is None or isinstance(value, tuple):
        return value
    source, target = _PIPE.get(_SOURCE[name]), _VULKAN[name]
    if name.startswith("address_mode") and not settled:
        target = source
    if target is None:
        return value
    known = int(value) in set(target)
    return _named(target if known or source is None else source, int(value))


def _named(enum: type[IntEnum], value: int) -> str | int:
    return enum(value).name if value in set(enum) else value


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return f"({', '.join(_text(part) for part in value)})"
    return str(value)
