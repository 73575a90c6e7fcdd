"""Strategies for samplers, textures, screens and dialects: those of the sampler package."""

from __future__ import annotations

from tests.sampler import conftest

__all__ = ["conftest"]
