"""`Screen`: what one driver on one machine can do for a sampler, as one frozen value."""

from __future__ import annotations

from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any, Final

from statetracker.caps.fields import FIELDS, UNCOUNTED, FormatFeatures, checked
from statetracker.caps.flags import FLAGS, NOT_ZINK, SEED_CAPS, depth_of, extensions_of, flags_of, sizes_of
from statetracker.caps.profiles import PROFILES
from statetracker.caps.storage import storage_format
from statetracker.errors import ArgumentError
from statetracker.gl.formats import internal_format_named
from statetracker.gl.limits import Limits
from statetracker.spellings import looked_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from statetracker.caps.devices import CorpusChoice
    from statetracker.caps.facts import VulkanFacts
    from statetracker.caps.fields import LinearFiltering

#: What refuses a sampler in the published proposal: 32-bit floats and depth.
_SEED_REFUSES: Final = (
    "R32_FLOAT R32G32_FLOAT R32G32B32_FLOAT R32G32B32X32_FLOAT R32G32B32A32_FLOAT A32_FLOAT L32_FLOAT L32A32_FLOAT "
    "I32_FLOAT Z16_UNORM Z16_UNORM_S8_UINT Z24X8_UNORM X8Z24_UNORM Z24_UNORM_S8_UINT S8_UINT_Z24_UNORM Z32_UNORM "
    "Z32_FLOAT Z32_FLOAT_S8X24_UINT"
)


class Screen:
    """A driver's capabilities; built once, never changed.

    Fields that are not given are those of a capable driver.

    Args:
        name: What it is called in output.
        **fields: Any of the attributes.

    Attributes:
        emulate_gl_clamp: The hardware has no GL_CLAMP.
        lower_rect_tex: Rectangle coordinates must be normalised by a shader.
        texture_buffer_sampler: Buffer textures take a sampler state.
        float_linear: 32-bit float textures of GLES can be filtered.
        apply_texture_swizzle_to_border_color: A quirk of border colours; use_format_with_border_color and
            alpha_border_color_is_not_w are others.
        need_border_color_type: The proposal's cap: integer-ness of the border colour is part of the cache key.
        force_integer_tex_nearest: The driver option ForceIntegerTexNearest.
        linear_filtering: None, a `FormatFeatures`, or a callable (view format, resource format) -> bool.
        unfilterable_depth: One of `UNFILTERABLE_DEPTH`.
        max_anisotropy: The driver's maximum; at least 2 is used.
        extensions: GL extensions, as far as samplers and formats need them.
        context: Profile of the GL context: compatibility, core, gles2 ...
        max_texture_size: A GL limit; max_3d_size, max_cube_size, max_layers and max_combined_units are others.
        storage: Which driver's choice of storage formats applies.
        caps: The raw ``PIPE_CAP_*`` answers this came from, kept for reports; capsf are the float ones.
        vulkan: What the Vulkan device reports, `statetracker.caps.VulkanFacts`, or None.
        corpus: The row of the device corpus it was made from and the others of that device,
            `statetracker.caps.CorpusChoice`, or None.

    Raises:
        ArgumentError: Fields that there are not, or values that do not fit.
    """

    __slots__ = ("derived", "name", *FIELDS)

    name: str
    derived: dict[object, Any]
    emulate_gl_clamp: bool
    lower_rect_tex: bool
    texture_buffer_sampler: bool
    float_linear: bool
    apply_texture_swizzle_to_border_color: bool
    use_format_with_border_color: bool
    alpha_border_color_is_not_w: bool
    need_border_color_type: bool
    force_integer_tex_nearest: bool
    linear_filtering: LinearFiltering | None
    unfilterable_depth: str
    max_anisotropy: float
    extensions: frozenset[str]
    context: str
    max_texture_size: int
    max_3d_size: int
    max_cube_size: int
    max_layers: int
    max_combined_units: int
    storage: str
    caps: Mapping[str, int]
    capsf: Mapping[str, float]
    vulkan: VulkanFacts | None
    corpus: CorpusChoice | None

    def __init__(self, name: str = "custom", **fields: object) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "derived", {})  # what other modules derive from this screen, by a key of each
        for field, default in FIELDS.items():
            put(self, field, checked(field, fields.pop(field, default), default))
        for unknown in fields:
            raise ArgumentError("screen field", unknown, accepted=", ".join(FIELDS))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a screen never changes."""
        raise AttributeError(f"a Screen never changes; use screen.replace({name}=...)")

    def __copy__(self) -> Screen:
        """Itself, as it never changes."""
        return self

    def __deepcopy__(self, memo: object) -> Screen:
        return self

    def __reduce__(self) -> tuple[object, tuple[()]]:
        """Unpickle as an equal screen; what was derived from this one is derived anew.

        A linear-filtering hook that is a function is pickled as functions are, by the name in its module.
        """
        return partial(Screen, self.name, **{field: getattr(self, field) for field in FIELDS}), ()

    @classmethod
    def named(cls, name: str) -> Screen:
        """Return an embedded profile by its name; raises `UnknownName` with the list of names."""
        profile = looked_up("screen", name, PROFILES)
        if profile.storage == "webgpu":
            from statetracker.caps.webgpu import WEBGPU_SCREENS

            return cls.webgpu(WEBGPU_SCREENS[name], name=name)
        extra: dict[str, Any] = {"storage": profile.storage, "max_anisotropy": profile.aniso[1]}
        if profile.storage == "softpipe":
            extra |= {"max_combined_units": 128, "max_cube_size": 4096, "max_layers": 256}
        if profile.storage != "zink":
            extra["more_extensions"] = NOT_ZINK
        caps = profile.caps()
        if name == "seed":
            caps |= dict.fromkeys(SEED_CAPS, 1)
            extra["linear_filtering"] = FormatFeatures(dict.fromkeys(_SEED_REFUSES.split(" "), False))
        if name == "zink-lavapipe":
            from statetracker.caps.saving import lavapipe_facts

            extra |= {"max_3d_size": 4096, "max_cube_size": 32768, "vulkan": lavapipe_facts()}
        return cls.from_caps(caps, name=name, **extra)

    @classmethod
    def from_caps(
        cls, caps: Mapping[str, int], *, name: str = "custom", more_extensions: tuple[str, ...] = (), **fields: object
    ) -> Screen:
        """Build a screen from ``PIPE_CAP_*`` answers; other fields override what follows from them.

        Caps that samplers do not read are kept and ignored; caps not given take the front end's default. Fields and
        errors are as in `Screen`.

        Args:
            caps: Cap, with its prefix, -> the driver's answer, a whole number.
            name: What it is called in output.
            more_extensions: GL extensions, with ``GL_``, besides those that follow from caps.
            **fields: Other fields of `Screen`.
        """
        try:
            caps = {name: index(answer if answer % 1 else int(answer)) for name, answer in caps.items()}
        except (AttributeError, TypeError, ValueError):
            raise ArgumentError("caps", caps, accepted="a mapping of PIPE_CAP_ to whole numbers") from None
        values: dict[str, object] = {
            "extensions": extensions_of(caps) | frozenset(more_extensions),
            "caps": caps,
            "unfilterable_depth": depth_of(caps),
            **flags_of(caps),
            **sizes_of(caps),
        }
        return cls(name, **(values | fields))

    @classmethod
    def from_vulkan(cls, facts: VulkanFacts, *, name: str = "", **fields: object) -> Screen:
        """Build the screen that zink has on a Vulkan device; other fields override what follows from the facts.

        Every cap follows by a rule of `statetracker.caps.derivation`. Where the facts have formats, they are the
        linear-filtering hook. Depth that cannot be filtered stays linear ``when-comparing``.

        Args:
            facts: What the device reports.
            name: What it is called in output; empty: the device's own name.
            **fields: Other fields of `Screen`.
        """
        from statetracker.caps.derivation import VulkanFiltering, caps_of, capsf_of, limits_of

        if not hasattr(facts, "formats"):
            hint = "Screen.load reads a report of vulkaninfo and others."
            raise ArgumentError("facts", facts, accepted="VulkanFacts", hint=hint)
        capsf = capsf_of(facts)
        values: dict[str, Any] = {
            "capsf": capsf,
            "max_anisotropy": capsf["PIPE_CAPF_MAX_TEXTURE_ANISOTROPY"],
            "linear_filtering": None if facts.formats is None else VulkanFiltering(facts),
            "unfilterable_depth": "when-comparing",
            "storage": "zink",
            "vulkan": facts,
            **limits_of(facts),
        }
        return cls.from_caps(caps_of(facts), name=name or facts.device or "vulkan", **(values | fields))

    @classmethod
    def webgpu(cls, features: Iterable[str] = (), *, limits: Mapping[str, int] | None = None, name: str = "") -> Screen:
        """Build the screen of a WebGPU device.

        Args:
            features: Its GPUFeatureNames, of `statetracker.caps.WEBGPU_FEATURES`; without ``core-features-and-limits``
                it is a device of compatibility mode.
            limits: The device's own, by Vulkan's names; the least that every device has count for the others.
            name: What it is called in output; empty: as in `from_vulkan`.

        Raises:
            UnknownName: Another feature or limit.
        """
        from statetracker.caps.webgpu import webgpu_facts

        facts = webgpu_facts(features, limits=limits)
        return cls.from_vulkan(facts, name=name, storage="webgpu")

    @classmethod
    def device(
        cls,
        name: str | None = None,
        *,
        vendor_id: int | None = None,
        device_id: int | None = None,
        driver: str | None = None,
        report: int | None = None,
    ) -> Screen:
        """Return a device of the corpus: 7,003 rows made from public reports of Vulkan devices.

        A device whose drivers differ in what they offer has several rows; that of the newest Vulkan version is taken,
        then of the newest driver, then of the newest report. ``screen.corpus`` has it, the others and what they offer
        otherwise, and an event names it.

        Args:
            name: Its name, parts of it without case and marks, ``vendor:device`` in hexadecimal, or ``#REPORT``.
            vendor_id: Its vendor's id, instead or to narrow down.
            device_id: Its own id, likewise.
            driver: Of several rows, one whose driver version is this or begins so.
            report: Of several rows, the one whose newest report has this number.

        Raises:
            UnknownName: Nothing fits.
            AmbiguousName: Several devices fit; the error has the candidates.
        """
        from statetracker.caps.devices import choose, device_facts
        from statetracker.events import emit

        choice = choose(name, vendor_id=vendor_id, device_id=device_id, driver=driver, report=report)
        if choice.others:
            others = [row.newest_report for row in choice.others]
            emit("caps", "device-row-chosen", device=str(choice.row), report=choice.row.newest_report, others=others)
        return cls.from_vulkan(device_facts(choice.row), corpus=choice)

    @classmethod
    def load(cls, path: str | Path, *, profile: str | None = None) -> Screen:
        """Read a screen from a file; its kind follows from its content.

        Args:
            path: A screen file, a recorded case file, a saved screen, ``vulkaninfo --json``, a gpuinfo.org report or
                Vulkan Profiles; plain or gzip.
            profile: Which profile of a Vulkan Profiles file with several.

        Raises:
            ScreenError: Anything else.
        """
        from statetracker.caps.files import load_screen

        return load_screen(path, profile=profile)

    @classmethod
    def probe(cls, device: int | str = 0, *, library: str | None = None) -> Screen:
        """Read what this machine's Vulkan reports.

        Args:
            device: Which of its devices: a number, or a part of the name.
            library: Overrides STATETRACKER_VULKAN_LIB and the system's names.

        Raises:
            LibraryMissing: There is no Vulkan.
            WrongLibrary: What was found is another library.
            NoDevice: There is no device, or none of that name.
            MissingExtra: cffi is not installed.
        """
        from statetracker.bindings.vulkan import report
        from statetracker.caps.reports import read_report

        parsed = read_report(report(device, library=library), file="this machine's Vulkan")
        return cls.from_vulkan(parsed.facts, name=parsed.name)

    def to_json(self) -> dict[str, Any]:
        """Everything about this screen as plain data, from which `load` makes an equal one.

        Raises:
            ArgumentError: The linear-filtering hook is a function, which no file can hold.
        """
        from statetracker.caps.saving import saved

        return saved(self)

    def save(self, path: str | Path) -> None:
        """Write this screen to a file at ``path`` that `load` reads; gzip if the name ends in ``.gz``.

        Raises `ArgumentError` as `to_json` does, `ScreenError` where the file cannot be written.
        """
        from statetracker.caps.saving import write

        write(self, path)

    def replace(self, **fields: object) -> Screen:
        """Copy with some fields changed. Fields and errors are as in `Screen`."""
        return Screen(str(fields.pop("name", self.name)), **({f: getattr(self, f) for f in FIELDS} | fields))

    def gl_limits(self, *, release: str = "22.3") -> Limits:
        """Return what a GL context on this screen may rely on, under one release's rules."""
        return Limits(
            profile=self.context,
            extensions=self.extensions,
            max_texture_size=self.max_texture_size,
            max_3d_size=self.max_3d_size,
            max_cube_size=self.max_cube_size,
            max_layers=self.max_layers,
            max_combined_units=self.max_combined_units,
            max_anisotropy=self.max_anisotropy,
            release=release,
            force_integer_nearest=self.force_integer_tex_nearest,
        )

    def stores(self, internal_format: str) -> str:
        """Return the pipe format this screen stores a GL internal format as, by its name, with or without ``GL_``.

        Raises `UnknownName` for what is no internal format.
        """
        return storage_format(self.storage, internal_format_named(internal_format))

    def filters(self, view_format: str, resource_format: str) -> bool:
        """Return whether a format can be filtered linearly; without a hook every format can.

        Args:
            view_format: The pipe format of the sampler view, without prefix.
            resource_format: That of the texture underneath.
        """
        return self.linear_filtering is None or bool(self.linear_filtering(view_format, resource_format))

    def to_dict(self) -> dict[str, object]:
        """All fields by name."""
        return {"name": self.name, **{field: getattr(self, field) for field in FIELDS}}

    def __eq__(self, other: object) -> bool:
        """Compare the facts; the name, the raw answers and the corpus do not count."""
        if not isinstance(other, Screen):
            return NotImplemented
        return all(getattr(self, f) == getattr(other, f) for f in FIELDS if f not in UNCOUNTED)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, flag.name) for flag in FLAGS))

    def __repr__(self) -> str:
        """Return the name and the fields that differ from a capable driver's."""
        hidden = ("extensions", "vulkan", *UNCOUNTED)
        shown = [f"{f}={getattr(self, f)!r}" for f, d in FIELDS.items() if f not in hidden and getattr(self, f) != d]
        return f"Screen({', '.join([repr(self.name), *shown])})"
