"""C libraries: EGL, GL and Vulkan through cffi, opened on first use.

Declarations, the search for a library with the list of places tried, and wrappers that take and return plain data in
the names of the C interfaces. It imports nothing of ours but errors, knows none of our rules, and loads no library by
being imported. Each module has an ``available()`` that gives the reason where the machine lacks it.

`libraries`     finding and opening a C library
`egl`, `gl`     a GL context without a window, GL's functions by name, programs
`vulkan`        instance, physical devices, device, samplers; what a device reports
"""

__all__: list[str] = []
