"""Write ``tests/data/vulkan/sampler_vuids.csv``: which rules on samplers which specification of Vulkan has, by name.

``python tools/codegen/make_sampler_vuids.py FILE...``: ``validusage.json`` of each specification, the oldest first, as
Debian's libvulkan-dev has it in ``/usr/share/vulkan/registry``. Prints what came and what left since the one before,
with its text: that is what the table in ``statetracker/vulkan/usage_rules.py`` must follow.
Exit codes: 0 written, 2 no file, or one that cannot be read.
"""

from __future__ import annotations

import html
import json
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Final

TARGET: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "vulkan" / "sampler_vuids.csv"
_STRUCTS: Final = (
    *("vkCreateSampler", "VkSamplerCreateInfo", "VkSamplerReductionModeCreateInfo", "VkSamplerYcbcrConversionInfo"),
    *("VkSamplerCustomBorderColorCreateInfoEXT", "VkSamplerCustomBorderColorIndexCreateInfoEXT"),
    *("VkSamplerBorderColorComponentMappingCreateInfoEXT", "VkSamplerBlockMatchWindowCreateInfoQCOM"),
    "VkSamplerCubicWeightsCreateInfoQCOM",
)
_TAG: Final = re.compile(r"<[^>]+>")


def rules(path: Path) -> tuple[str, dict[str, str]]:
    """Return the version, and VUID -> text, of the structs and the command that make a sampler."""
    data = json.loads(path.read_text(encoding="utf-8"))
    texts: dict[str, str] = {}
    for struct in _STRUCTS:
        groups = data["validation"].get(struct, {})
        for entry in (entry for group in groups.values() for entry in group):
            texts[entry["vuid"]] = " ".join(html.unescape(_TAG.sub("", entry["text"])).split())
    return data["version info"]["api version"], texts


def main(argv: list[str]) -> int:
    """Read the files, print the differences, write the names."""
    try:
        editions = [rules(Path(name)) for name in argv]
    except (OSError, ValueError, KeyError, AttributeError) as error:
        sys.stderr.write(f"that is no validusage.json: {error}\n")
        return 2
    if not editions:
        sys.stderr.write("no file; give the validusage.json of each specification, the oldest first\n")
        return 2
    for (old, before), (new, after) in pairwise(editions):
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                print(f"{old} -> {new} {name}\n  - {before.get(name)}\n  + {after.get(name)}")
    names = sorted({name for _, texts in editions for name in texts})
    rows = [(name, *(str(int(name in texts)) for _, texts in editions)) for name in names]
    lines = [",".join(row) for row in (("rule", *(version for version, _ in editions)), *rows)]
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
