"""The one door to C: Vulkan, EGL and GL through cffi, opened on first use.

This room will hold the declarations, the search for a library with the list of places tried, and wrappers that take
and return plain data in the names of the C interfaces. It will import nothing of ours, know none of our rules, and
load no library by being imported.

Nothing is in it yet.
"""

__all__: list[str] = []
