"""`Lifetime`: what a tracker is made of, and what ends what it has bound.

A new screen or policy, other code that binds to the driver, a lost device, the end: each leaves a tracker whose next
bind is right. The binds themselves are in `statetracker.frontend.tracker`; the page is docs/tracker.md.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Generic

from statetracker.caps import Screen
from statetracker.cso import GOVERNORS, CsoContext
from statetracker.cso.driver import Handle, ReentrancyGuard
from statetracker.errors import ArgumentError, InvalidCallOrder
from statetracker.frontend.bound_stage import FrameCounter
from statetracker.frontend.policy import Policy
from statetracker.frontend.states import StateMemo
from statetracker.frontend.vulkan_view import is_webgpu
from statetracker.sampler.dialects import dialect as dialect_named
from statetracker.sampler.dialects import key_rule
from statetracker.spellings import stage_named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from statetracker.cso import Driver
    from statetracker.frontend.slot_sets import StageMemory
    from statetracker.sampler import Dialect

_DEFAULT_STATES: Final = 4096
_CALLBACKS: Final = ("create_sampler_state", "bind_sampler_states", "delete_sampler_state")
_PLACES: Final = "StateTracker(screen, driver): a Screen first, then a driver with its three callables"


def _checked_pair(screen: Screen, driver: Driver[Handle] | None) -> Driver[Handle]:
    """Return the driver; raises `ArgumentError` for no screen, no driver, and a screen that does not fit it."""
    if not isinstance(screen, Screen):
        raise ArgumentError("screen", screen, accepted=_PLACES)
    if driver is None or not all(callable(getattr(driver, name, None)) for name in _CALLBACKS):
        raise ArgumentError("driver", driver, accepted=_PLACES)
    theirs = getattr(driver, "screen", None)
    if not isinstance(theirs, Screen):
        return driver
    misfits = {  # anything else a screen may lack
        "one of them is of WebGPU": is_webgpu(screen) != is_webgpu(theirs),
        "only one of them leaves GL_CLAMP to the driver": screen.emulate_gl_clamp != theirs.emulate_gl_clamp,
        "the driver needs the border's format": (
            theirs.use_format_with_border_color and not screen.use_format_with_border_color
        ),
        "the driver has no rectangle coordinates": theirs.lower_rect_tex and not screen.lower_rect_tex,
    }
    for why, misfit in misfits.items():
        if misfit:
            hint = "Take the driver's own, driver.screen: StateTracker.over(driver) does"
            raise ArgumentError("screen", screen.name, accepted=f"one that fits the driver's, and {why}", hint=hint)
    return driver


def _checked_policy(policy: Policy) -> Policy:
    if not isinstance(policy, Policy):
        raise ArgumentError("policy", policy, accepted="a Policy; the usual one is Policy()")
    return policy


def budget(policy: Policy) -> int:
    """Return how many live states a policy allows: the smaller of its limits."""
    most = policy.max_states or _DEFAULT_STATES
    return most if policy.unique_limit is None else min(policy.unique_limit, policy.max_states or policy.unique_limit)


def remembered(policy: Policy) -> int:
    """Return how many conversions to remember: more objects than states are met."""
    return max(2 * budget(policy), 4096)


def kind_of(screen: Screen, policy: Policy, dialect: Dialect, eviction: str) -> dict[str, Any]:
    """Return the options of the `CsoContext` that a tracker needs.

    A hard limit has a governor in the place of ``eviction``.
    """
    chosen = eviction if policy.unique_limit is None else GOVERNORS[policy.when_full]
    return {"key": key_rule(screen, dialect), "policy": chosen}


class Lifetime(ReentrancyGuard, Generic[Handle]):
    """The screen, policy, cache and driver of a `StateTracker`, which says what the arguments are."""

    def __init__(
        self,
        screen: Screen,
        driver: Driver[Handle] | None = None,
        *,
        policy: Policy | None = None,
        dialect: str | Dialect = "mesa22",
        eviction: str = "second-chance",
    ) -> None:
        super().__init__()
        self._driver = driver = _checked_pair(screen, driver)
        self.stages: dict[str, StageMemory[Handle]] = {}
        self.generation = 0
        self.dialect = dialect_named(dialect)
        self._eviction = eviction
        chosen = _checked_policy(Policy() if policy is None else policy)
        self._memo = StateMemo(screen, chosen, self.dialect, remembered(chosen), guard=self)
        self._kind = kind_of(screen, chosen, self.dialect, eviction)
        self.cso = CsoContext(driver, max_size=budget(chosen), guard=self, **self._kind)
        self._frames = FrameCounter()

    @classmethod
    def over(cls, driver: Driver[Handle], **options: Any) -> Self:  # noqa: ANN401 (those of `StateTracker`)
        """Make a tracker for a driver that has a ``screen``, such as `WgpuDriver` or `VulkanDriver`.

        Args:
            driver: The driver to bind for.
            **options: The other arguments of the class, by name.

        Raises:
            ArgumentError: Another driver.
        """
        screen = getattr(driver, "screen", None)
        if not isinstance(screen, Screen):
            raise ArgumentError("driver", driver, accepted="a driver with a screen; else StateTracker(screen, driver)")
        return cls(screen, driver, **options)

    def __reduce_ex__(self, _protocol: object) -> str:
        """Refuse a copy: both would delete each handle."""
        raise ArgumentError("tracker", type(self).__name__, accepted="one for each driver context: make another")

    @property
    def screen(self) -> Screen:
        """The hardware. Another one makes every state anew; another key rule, in a new cache.

        Setting it raises `ArgumentError` for what is no screen, or does not fit the driver; `InvalidCallOrder` once the
        tracker is destroyed.
        """
        return self._memo.screen

    @screen.setter
    def screen(self, screen: Screen) -> None:
        self._renew(screen, self.policy)

    @property
    def policy(self) -> Policy:
        """The user's overrides. Another one makes every state anew; states that stay the same keep their handles.

        Setting it raises `ArgumentError` for what is no policy, `InvalidCallOrder` once the tracker is destroyed.
        """
        return self._memo.policy

    @policy.setter
    def policy(self, policy: Policy) -> None:
        self._renew(self.screen, policy)

    def invalidate(self, stage: str | None = None) -> None:
        """Forget what a stage, or every stage, has bound, as other code bound there. The next bind sends all it names.

        Args:
            stage: A name of `cso.STAGES`; None: every stage.
        """
        self.check_open()
        name = None if stage is None else stage_named(stage)
        for memory in self.stages.values():
            if name in (None, memory.held.stage):
                memory.held.distrust()

    def save_samplers(self, stage: str = "fragment") -> None:
        """Set a stage's slots aside for a meta operation; see `CsoContext.save_samplers`."""
        self.cso.save_samplers(stage)

    def restore_samplers(self, stage: str = "fragment") -> None:
        """Bind again what was saved; see `CsoContext.restore_samplers`.

        Other code may have bound slots above those: the stage's next bind that names them binds them again.
        """
        self.check_open()
        self.cso.slots(stage).distrust()
        with self._device_may_go():
            self.cso.restore_samplers(stage)

    def unbind(self) -> None:
        """Bind nothing to every slot ever bound, and let go of samplers and textures; states stay in the cache."""
        self.invalidate()
        self.stages = {}
        with self._device_may_go():
            self.cso.unbind()

    def device_lost(self, driver: Driver[Handle] | None = None) -> None:
        """Drop all handles without a call of the driver; what is bound next is created again.

        Args:
            driver: The driver of the new device; None: the callbacks stay.

        Raises:
            ArgumentError: A driver that the screen does not fit.
        """
        super().check_open()
        driver = _checked_pair(self.screen, self._driver if driver is None else driver)
        before, stages = self.cso, self.stages
        counts, gone = before.counts, before.counts.forgotten + before.cache.live
        cso = CsoContext(driver, max_size=before.max_size, guard=self, counts=counts, **self._kind)
        cso.destroyed = before.destroyed
        self._driver, self.cso, self.stages, self.generation, self.lost, counts.forgotten = (
            driver, cso, {}, self.generation + 1, False, gone,
        )  # fmt: skip
        for memory in stages.values():
            memory.held.clear()  # a host may keep an answer, which reads these slots

    def check_open(self) -> None:
        """Raise `InvalidCallOrder` inside a callback; drop the handles of a device whose loss nobody heard of yet."""
        super().check_open()
        if self.lost:
            self.device_lost()

    def destroy(self) -> None:
        """Unbind and delete everything; the tracker is of no use afterwards. See `CsoContext.destroy`."""
        self.invalidate()
        self.stages = {}
        with self._device_may_go():
            self.cso.destroy()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.destroy()

    @contextmanager
    def _device_may_go(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            if self.lost:
                self.device_lost()
            raise

    def _renew(self, screen: Screen, policy: Policy) -> None:
        """Exchange everything that depends on the screen and the policy in one step, then delete what is too much."""
        self.check_open()
        if screen == self.screen and policy == self.policy:
            return
        if self.cso.destroyed:
            raise InvalidCallOrder("the tracker", "it is destroyed", hint="Make another StateTracker")
        _checked_pair(screen, self._driver)
        states = StateMemo(screen, _checked_policy(policy), self.dialect, remembered(policy), guard=self)
        states.made = self._memo.made
        kind, limit = kind_of(screen, policy, self.dialect, self._eviction), budget(policy)
        self.invalidate()
        with self._device_may_go():
            cso = self.cso
            if kind != self._kind or (policy.unique_limit is not None and limit < cso.max_size):
                cso.unbind()  # before anything is exchanged: no state in use may keep a hard limit from being kept
            if kind != self._kind:
                cso = CsoContext(self._driver, max_size=limit, guard=self, counts=cso.counts, **kind)
                cso.cache.adopt(self.cso.cache)
            self.cso, self._kind, self._memo, self.stages, self.generation, cso.cache.max_size = (
                cso, kind, states, {}, self.generation + 1, limit,
            )  # fmt: skip
            cso.cache.evict()
