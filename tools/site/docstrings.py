"""For mkdocstrings: the members and arguments that a docstring lists become definitions.

A line ``name, other   what they are``, with lines further in that go on with it, is how docstrings of this project list
them; Markdown would run them together.
"""

from __future__ import annotations

from typing import Any

import griffe

from tools.codegen.doc_layout import defined

__all__ = ["Definitions"]


class Definitions(griffe.Extension):
    """Rewrites each docstring as it is read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:  # noqa: ANN401, ARG002 (griffe's signature)
        """Rewrite one."""
        if obj.docstring is not None:
            obj.docstring.value = defined(obj.docstring.value)
