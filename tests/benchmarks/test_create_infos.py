"""The benchmark of create infos measures what its rows say."""

from __future__ import annotations

from typing import Any

from statetracker.benchmarks.create_infos import vulkan_statements
from statetracker.benchmarks.run import collect
from statetracker.vulkan import SamplerCreateInfo


def test_statements_give_what_their_rows_name_of_one_info_each() -> None:
    made: dict[str, Any] = {name: eval(text, names) for name, text, names in vulkan_statements()}  # noqa: S307 (our own)
    infos = [row for name, row in made.items() if name.startswith("create info") or name.endswith("state")]
    assert [type(info) for info in infos] == [SamplerCreateInfo] * 4
    assert [info.custom_border_color is not None for info in infos] == [False, True, False, False]
    assert made["violations of a create info"] == made["convert().vulkan and violations"] == []
    assert made["a create info as plain data"] == infos[1].to_dict()
    (_, row) = collect("create info, from a record, zink22", repeats=1)
    assert (row.name, row.times) == ("create info, from a record, zink22", 1_000)
