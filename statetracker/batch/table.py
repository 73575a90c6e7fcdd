"""`Table`: distinct samplers, distinct textures, and each pair of them that a program binds, converted once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statetracker.batch.conversion import Conversion, each, prepare
from statetracker.batch.rows import (
    CREATE_INFO,
    LOWERING,
    RECORD,
    SAMPLER,
    VALUES,
    Array,
    Samplers,
    gather,
    info_rows,
    lowering_rows,
    np,
    sampler_rows,
    samplers_of,
    value_rows,
)
from statetracker.errors import ArgumentError
from statetracker.frontend import Result, convert
from statetracker.gl.facts import TextureFacts, UnitFacts
from statetracker.gl.texture import Texture
from statetracker.sampler import dialect as dialect_named
from statetracker.vulkan import vulkan_dialect as vulkan_dialect_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from statetracker.caps import Screen
    from statetracker.gl.sampler import Sampler
    from statetracker.sampler import Dialect
    from statetracker.vulkan import VulkanDialect

_MOST: Final = 1 << 27  # places of the grid, 4 bytes each
_MEMBERS: Final = [(part[1], part[0].itemsize) for part in (SAMPLER.fields or {}).values()]
_PADDING: Final = sorted(
    {*range(SAMPLER.itemsize)} - {at for first, size in _MEMBERS for at in range(first, first + size)}
)


class Table:
    """A program's samplers, textures and pairs, each kept once.

    `samplers` and `textures` number what they are given, `pairs` what is bound together; equal ones have one number,
    which stays. `gather` then gives a record for each bind: ``gather(table.records, pairs)``. The grid of pairs takes 4
    bytes for each sampler with each texture, a quarter more where it grew, at most 512 MiB: for many samplers that do
    not repeat there is `statetracker.batch.records`.

    Arguments are as in `statetracker.convert`; an unknown dialect raises `UnknownName`.
    """

    def __init__(
        self,
        screen: Screen,
        *,
        dialect: str | Dialect = "mesa22",
        vulkan_dialect: str | VulkanDialect = "native",
        filter_in_shader: bool = True,
    ) -> None:
        self.screen = screen
        self._dialect = dialect_named(dialect)
        vulkan = vulkan_dialect_named(vulkan_dialect)
        self._options: dict[str, Any] = {"vulkan_dialect": vulkan, "filter_in_shader": filter_in_shader}
        self._samplers: dict[bytes, int] = {}
        self._rows: Array = np.empty(0, SAMPLER)
        self._textures: dict[tuple[TextureFacts, UnitFacts], int] = {}
        self._grid: Array = np.empty((0, 0), np.int32)
        self._pairs: Array = np.empty((0, 2), np.intp)
        self._records: Array = np.empty(0, RECORD)
        self._answers: list[Array] = [np.empty(0, kind) for kind in (CREATE_INFO, LOWERING, VALUES)]

    def samplers(self, samplers: Samplers) -> Array:
        """Return the number of each sampler, or row of type `SAMPLER`; those that are new are the next ones.

        They are compared bit for bit.
        """
        if not isinstance(samplers, np.ndarray):
            rows, places = _distinct(samplers)
            return self.samplers(rows)[places]
        rows = np.ascontiguousarray(sampler_rows(samplers))
        content = rows.view(np.uint8).reshape(len(rows), SAMPLER.itemsize).copy()
        content[:, _PADDING] = 0
        before = len(self._samplers)
        known = self._samplers
        each_row = content.view(f"V{SAMPLER.itemsize}")[:, 0].tolist()
        numbers = [known.setdefault(one, len(known)) for one in each_row]
        if len(self._samplers) > before:
            self._rows = np.frombuffer(b"".join(self._samplers), SAMPLER)
        return np.array(numbers, np.intp)

    def textures(
        self,
        textures: Texture | TextureFacts | Iterable[Texture | TextureFacts],
        *,
        unit_lod_bias: ArrayLike = 0.0,
        seamless: ArrayLike = False,
        glsl130: ArrayLike = True,
        bindless: ArrayLike = False,
    ) -> Array:
        """Return the number of each texture together with its unit's facts; those that are new are the next ones.

        ``textures`` is one, or any number of them. The unit's facts, as `statetracker.convert` takes them, are one for
        all or one for each texture.
        """
        several = [textures] if isinstance(textures, Texture | TextureFacts) else textures
        facts = [one if isinstance(one, TextureFacts) else one.facts() for one in several]
        switches = {"seamless": seamless, "glsl130": glsl130, "bindless": bindless}
        columns = [each("unit_lod_bias", unit_lod_bias, np.float32, len(facts))]
        columns += [each(name, on, np.bool_, len(facts)) for name, on in switches.items()]
        numbers = []
        units = [np.broadcast_to(column, len(facts)).tolist() for column in columns]
        for one, bias, *on in zip(facts, *units, strict=True):
            unit = UnitFacts.of(bias, **dict(zip(switches, on, strict=True)))
            numbers.append(self._textures.setdefault((one, unit), len(self._textures)))
        return np.array(numbers, np.intp)

    def pairs(self, samplers: ArrayLike, textures: ArrayLike) -> Array:
        """Return the number of each pair, from the numbers of its sampler and texture; new pairs are converted.

        Args:
            samplers: Numbers of samplers.
            textures: Numbers of textures, of a shape that broadcasts with that of ``samplers``.

        Raises:
            ArgumentError: Numbers that the table has not given, or other shapes.
        """
        first = _numbers("samplers", samplers, len(self._samplers))
        second = _numbers("textures", textures, len(self._textures))
        try:
            first, second = np.broadcast_arrays(first, second)
        except ValueError as error:
            raise ArgumentError("textures", second.shape, accepted=f"a shape that fits {first.shape}") from error
        self._grow()
        places = first * self._grid.shape[1]
        places += second
        numbered: Array = self._grid.ravel().take(places)
        if numbered.size and numbered.min() < 0:
            self._convert(np.unique(places[numbered < 0]))
            numbered = self._grid.ravel().take(places)
        return numbered

    def _grow(self) -> None:
        wanted, there = (len(self._samplers), len(self._textures)), self._grid.shape
        if wanted[0] <= there[0] and wanted[1] <= there[1]:
            return
        if wanted[0] * wanted[1] > _MOST:
            accepted = f"at most {_MOST} samplers times textures"
            raise ArgumentError("pairs", wanted, accepted=accepted, hint="batch.records converts without a table.")
        # One that grows gets an eighth more than it needs, so that textures that come one by one copy it seldom.
        rows, columns = (
            max(n, has) if n <= has or not has else n + n // 8 for n, has in zip(wanted, there, strict=True)
        )
        grid = np.full((rows, columns) if rows * columns <= _MOST else wanted, -1, np.int32)
        kept = self._grid[: len(grid), : grid.shape[1]]
        grid[: len(kept), : kept.shape[1]] = kept
        self._grid = grid

    def _convert(self, places: Array) -> None:
        which = np.stack(np.divmod(places, self._grid.shape[1]), axis=1)
        used, textures = np.unique(which[:, 1], return_inverse=True)
        known = list(self._textures)
        chosen = [known[number] for number in used.tolist()]
        biases = np.array([unit.lod_bias for _, unit in chosen], np.float32)
        seamless = np.array([unit.seamless for _, unit in chosen])
        made = np.empty(len(places), RECORD)
        samplers = prepare(gather(self._rows, which[:, 0]), self._dialect)
        conversion = Conversion(self.screen, self._dialect, chosen)
        conversion.convert(samplers, made, textures, biases[textures], seamless[textures])
        self._grid.ravel()[places] = np.arange(len(self._pairs), len(self._pairs) + len(places))
        self._pairs = np.concatenate([self._pairs, which])
        self._records = np.concatenate([self._records, made])

    def result(self, pair: int) -> Result:
        """Return all answers for a pair, as `statetracker.convert` does."""
        sampler, texture = self._pairs[pair].tolist()
        facts, unit = list(self._textures)[texture]
        (made,) = samplers_of(self._rows[sampler : sampler + 1])
        seen = {"unit_lod_bias": unit.lod_bias, **unit._asdict()}
        del seen["lod_bias"]
        return convert(made, facts, self.screen, dialect=self._dialect, **seen, **self._options)

    @property
    def records(self) -> Array:
        """The record of each pair so far, rows of type `RECORD`."""
        return self._records

    @property
    def create_infos(self) -> Array:
        """The create info of each pair so far, for the view of its texture: rows of type `CREATE_INFO`."""
        return self._answered()[0]

    @property
    def lowerings(self) -> Array:
        """The shader's work for each pair so far, rows of type `LOWERING`."""
        return self._answered()[1]

    @property
    def lowering_values(self) -> Array:
        """The numbers that the shader then reads, rows of type `VALUES`."""
        return self._answered()[2]

    def _answered(self) -> list[Array]:
        new = [self.result(pair) for pair in range(len(self._answers[0]), len(self._pairs))]
        if new:
            infos, lowerings = info_rows(one.vulkan for one in new), lowering_rows(one.lowering for one in new)
            rows = infos, lowerings, value_rows(one.lowering_values for one in new)
            self._answers = [np.concatenate(pair) for pair in zip(self._answers, rows, strict=True)]
        return self._answers


def _distinct(samplers: Iterable[Sampler]) -> tuple[Array, Array]:
    """Rows of those that differ, and for each sampler its place among them."""
    numbers: dict[bytes, int] = {}
    places, different = [], []
    for sampler in samplers:
        content = sampler.content()
        if content not in numbers:
            numbers[content] = len(numbers)
            different.append(sampler)
        places.append(numbers[content])
    return sampler_rows(different), np.array(places, np.intp)


def _numbers(field: str, numbers: ArrayLike, count: int) -> Array:
    column = np.asarray(numbers)
    wrong: object = column.dtype
    if column.dtype.kind in "iu" or not column.size:
        column = column.astype(np.intp, copy=False)
        places = column.view(np.uintp)  # a negative number is a large one
        if not column.size or places.max() < count:
            return column
        wrong = int(column[places >= count][0])
    raise ArgumentError(field, wrong, accepted=f"numbers that the table gave, below {count}")
