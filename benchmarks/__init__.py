"""Measurements: what things cost on this machine. Imported as ``statetracker.benchmarks``; no test asserts a time.

`run`           every row of ``statetracker bench`` (`conversions`, `create_infos`, `loop`, `shaders`, `reference`)
`measure`       what a row is, and how one is measured
`frames`        a bind in frames of many materials, beside C (``anchor.c``); `emulator_loop`: an emulator's frames
`geometry`      decisions of a dispatch mode; `surfaces`: layouts, decisions, detiling; `live`: cases on live drivers
"""
