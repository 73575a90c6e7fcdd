"""A program that plants one fault in a module's text and lets a live run find it: what it saw, as JSON.

``python planted_code.py DRIVER MODULE OLD NEW``: the old text, which stands once in the module, becomes the new one.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType

DRIVER, MODULE, OLD, NEW = sys.argv[1:]


class Planted(SourceFileLoader):
    """Loads a module with the fault."""

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed text; the disk never sees it."""
        text = Path(self.path).read_text()
        assert text.count(OLD) == 1, f"{OLD!r} stands {text.count(OLD)} times in {fullname}"
        return compile(text.replace(OLD, NEW), self.path, "exec")


class Finder(PathFinder):
    """Finds that module."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Give it the loader above."""
        spec = super().find_spec(fullname, path, target) if fullname == MODULE else None
        if spec is not None and spec.origin is not None:
            spec.loader = Planted(fullname, spec.origin)
        return spec


if __name__ == "__main__":
    sys.meta_path.insert(0, Finder)
    from tests.conformance.planted import report

    report(DRIVER, 500)
