"""Readers of recordings: what a program called, and what a driver received."""

from __future__ import annotations

from statetracker.trace.cases import Call, Case, CaseFile, Header, open_cases
from statetracker.trace.recording_file import Problem

__all__ = ["Call", "Case", "CaseFile", "Header", "Problem", "open_cases"]
