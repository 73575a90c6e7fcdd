"""`Steps`: the expressions of a module's values, and the lines of a function, each a step with a name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from statetracker.shader.text.expression import Expression, Rank
from statetracker.spirv import Kind
from statetracker.spirv.names import Op

if TYPE_CHECKING:
    from statetracker.shader.text.language import Language
    from statetracker.shader.text.template import Target
    from statetracker.spirv import Instruction, Module

#: Names of resources, and words that a language calls in a body.
_TAKEN: Final = ("image", "image_sampler", "values", "level", "bias", "sampler", "texture", "sample", "ddx", "ddy")
#: Step that the rewrite names -> the rule, as docs/shader_lowering.md#rules has it.
STEPS: Final = {
    "coverage": "coverage: the weight of the texels inside, an axis each, multiplied",
    "outside": "what is left of the weight is the border's",
    "is_inside": "a texel outside is the border",
    "lod_in_limits": "the level of detail within the state's own limits",
    "coarse_texel": "two levels have a coverage each",
    "magnified": "which of two filters is in force",
    "first_texel": "filtered here: the texels of the footprint, one by one",
    "on_z": "the face of the cube that the direction meets",
}
_ANCHOR: Final = "docs/shader_lowering.md#rules"
WIDEST: Final = 64  # text of a value that is read once, in the line that reads it
#: A step without a name of its own, by what it is.
NAMES: Final = {Kind.FLOAT: "part", Kind.INT: "number", Kind.UINT: "number", Kind.BOOL: "flag"}


class Steps:
    """What a function has so far: ``lines``, names ``used``, and whether it ``reads`` the block; ``made`` by id."""

    def __init__(self, module: Module, language: Language, target: Target, texels: Kind) -> None:
        """Begin without a line."""
        self.module, self.language, self.target, self.texels = module, language, target, texels
        self.lines: list[str] = []
        self.reads = False
        self.used = Counter(_TAKEN)
        self.made: dict[int, Expression] = {}

    def type_of(self, ident: int) -> tuple[Kind, int]:
        """What a type's components are, and how many."""
        one, count = self.module.definitions[ident], 1
        if one.opcode == Op.TypeVector:
            one, count = self.module.definitions[one.words[1]], one.words[2]
        if one.opcode == Op.TypeInt:
            return (Kind.INT if one.words[2] else Kind.UINT), count
        return (Kind.FLOAT if one.opcode == Op.TypeFloat else Kind.BOOL), count

    def _unique(self, name: str) -> str:
        self.used[name] += 1
        return name if self.used[name] == 1 else f"{name}_{self.used[name]}"

    def of(self, ident: int) -> Expression:
        """The expression of an id; constants are made here."""
        if ident not in self.made:
            self.made[ident] = self._constant(self.module.definitions[ident])
        return self.made[ident]

    def _constant(self, one: Instruction) -> Expression:
        kind, count = self.type_of(one.words[0])
        if one.opcode == Op.Constant:
            return self.scalar(kind, one.words[2])
        if one.opcode == Op.ConstantNull:
            return self.joined(kind, count, (self.scalar(kind, 0),) * count)
        if one.opcode != Op.ConstantComposite:
            raise self.unknown(one)
        return self.joined(kind, count, tuple(self.of(part) for part in one.words[2:]))

    def scalar(self, kind: Kind, bits: int) -> Expression:
        """A constant by its bits."""
        text = self.language.literal(kind, bits)
        return Expression(text, Rank.UNARY if text.startswith("-") else Rank.ATOM, kind, 1, (), bits)

    def joined(self, kind: Kind, count: int, pieces: tuple[Expression, ...]) -> Expression:
        """A vector of scalars and vectors; of one piece itself."""
        if count == 1:
            return pieces[0]
        made = Expression("", Rank.ATOM, kind, count, pieces)
        parts = [made.splat.text] if made.splat and self.language.splats else [one.text for one in pieces]
        return made._replace(text=f"{self.language.type(kind, count)}({', '.join(parts)})")

    def atom(self, ident: int) -> Expression:
        """An expression that may stand in the text several times: a step of its own, if it is none yet."""
        made = self.of(ident)
        if made.rank < Rank.ATOM or (len(made.text) > WIDEST // 2 and not made.constant):
            self.let(ident, made, self.module.names.get(ident) or NAMES[made.kind])
        return self.made[ident]

    def let(self, ident: int, made: Expression, name: str) -> None:
        """Write a step of its own, with the rule that it is of."""
        if name in STEPS and not self.used[name]:
            self.lines.append(f"// {STEPS[name]} ({_ANCHOR})")
        name = self._unique(name)
        self.lines.append(self.language.let(made.kind, made.width, name, made.text))
        self.made[ident] = Expression(name, Rank.ATOM, made.kind, made.width)

    def unknown(self, one: Instruction) -> Exception:
        """The error at an instruction that has no row."""
        return one.error(f"has no row in the printer of {self.language.name}")
