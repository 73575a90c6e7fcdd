"""`statetracker.conformance.pipe_tail`: which states and views a draw was made with, slot by slot."""

from __future__ import annotations

from pathlib import Path

from statetracker.conformance.pipe_tail import PipeTail

PTRS = "<array>{}</array>"


def call(number: int, method: str, text: str) -> str:
    return f"<call no='{number}' class='pipe_context' method='{method}'>{text}</call>\n"


def array(*handles: int | None) -> str:
    return "".join(f"<elem>{'<null/>' if one is None else f'<ptr>{one:#x}</ptr>'}</elem>" for one in handles)


def arguments(start: int, name: str, handles: str, trailing: int = 0) -> str:
    return (
        "<arg name='pipe'><ptr>0x1</ptr></arg><arg name='shader'><enum>PIPE_SHADER_FRAGMENT</enum></arg>"
        f"<arg name='start'><uint>{start}</uint></arg><arg name='num_states'><uint>1</uint></arg>"
        f"<arg name='unbind_num_trailing_slots'><uint>{trailing}</uint></arg>"
        f"<arg name='{name}'><array>{handles}</array></arg>"
    )


def drawn(tail: PipeTail, *calls: str) -> dict[int, tuple[int | None, bool, bool]]:
    """Slot -> (state, whether there is a view, whether it was bound for this draw)."""
    with Path(tail.path).open("a", encoding="utf-8") as stream:
        stream.write("".join(calls) + call(9, "draw_vbo", "<arg name='pipe'><ptr>0x1</ptr></arg>"))
    seen = tail.poll()
    assert seen.draws == 1
    return {number: (slot.handle, slot.view is not None, slot.fresh) for number, slot in seen.slots.items()}


def test_slots_keep_what_was_bound_and_say_what_is_new(tmp_path: Path) -> None:
    (tmp_path / "trace.xml").touch()
    tail = PipeTail(str(tmp_path / "trace.xml"))
    views = [call(n, "create_sampler_view", f"<ret><ptr>{n + 0x40:#x}</ptr></ret>") for n in (1, 2)]
    bind, view = "bind_sampler_states", "set_sampler_views"
    first = drawn(
        tail,
        *views,
        call(3, bind, arguments(0, "states", array(0x21, None, 0x22))),
        call(4, view, arguments(0, "views", array(0x41, None, 0x42))),
    )
    assert first == {0: (0x21, True, True), 2: (0x22, True, True)}
    second = drawn(tail, call(5, view, arguments(1, "views", array(0x41), trailing=1)))
    assert second == {0: (0x21, True, False), 1: (None, True, True), 2: (0x22, False, False)}
    third = drawn(tail, call(6, bind, arguments(0, "states", array(None))))
    assert third == {0: (None, True, False), 1: (None, True, False), 2: (0x22, False, False)}


def test_views_of_a_stage_that_is_not_known_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "trace.xml").touch()
    tail = PipeTail(str(tmp_path / "trace.xml"))
    of_task = arguments(0, "views", array(0x41)).replace("PIPE_SHADER_FRAGMENT", "MESA_SHADER_TASK")
    assert drawn(tail, call(1, "set_sampler_views", of_task)) == {}
