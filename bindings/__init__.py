"""C libraries: EGL, GL and Vulkan through cffi, opened on first use.

Wrappers take and return plain data in the names of the C interfaces. The package imports nothing of ours but errors and
spellings, and loads no library by being imported. Each library has an ``available()`` that gives the reason where the
machine lacks it.
"""

__all__: list[str] = []
