"""Calls that only desktop GL has: in a GLES context they do nothing but record INVALID_OPERATION.

Source: GLES 3.2; observed on Mesa 22.3.6. What fixed function alone has is refused by the calls themselves.
"""

from __future__ import annotations

from typing import Final

__all__ = ["DESKTOP_CALLS"]

_FORMS: Final = ("i", "f", "iv", "fv", "Iiv", "Iuiv")
_VECTORS: Final = ("iv", "fv", "Iiv", "Iuiv")

#: Names of methods of a context.
DESKTOP_CALLS: Final = (
    *("glTexImage1D", "glTexStorage1D", "glCompressedTexImage1D", "glCopyTexImage1D"),
    *("glTexImage2DMultisample", "glTexImage3DMultisample"),
    *("glCreateTextures", "glCreateSamplers", "glBindTextures", "glBindSamplers", "glBindTextureUnit"),
    *(f"glTextureParameter{form}" for form in _FORMS),
    *(f"glGetTextureParameter{form}" for form in _VECTORS),
    *(f"glGetTextureLevelParameter{form}" for form in ("iv", "fv")),
    *(f"glTextureStorage{dims}D" for dims in (1, 2, 3)),
    *(f"glTextureStorage{dims}DMultisample" for dims in (2, 3)),
    *("glTextureBuffer", "glTextureBufferRange", "glGenerateTextureMipmap", "glBindMultiTextureEXT"),
    *(f"glMultiTexParameter{form}EXT" for form in _FORMS),
    *(f"glMultiTexEnv{form}EXT" for form in ("f", "i", "fv", "iv")),
)
