"""Images on this machine, by the names that the data has for them."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, UsageError, did_you_mean
from robustfim_huggingface.checkpoint.library import library, reason

__all__ = ["ImageFolder"]

_SIDE, _QUALITY = 160, 50
"""Of a small image: pixels, and JPEG's quality; noise, which compresses worst, takes 10 kB."""


class ImageFolder:
    """A folder of images; nothing is ever fetched. Needs Pillow: ``pip install 'robustfim[images]'``.

    Args:
        folder: The folder from which the data's paths start.

    Raises:
        UsageError: There is no such folder.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UsageError(f"no folder {folder}; 'images' names the folder from which the data's image paths start.")
        self._folder = folder.resolve()
        self._digests: dict[str, str] = {}

    def digest(self, name: str) -> str:
        """Hash the content of an image, once.

        Raises:
            DataError: There is no such file, or it cannot be read.
        """
        if name not in self._digests:
            path = self._path(name)
            try:
                with path.open("rb") as file:
                    whole = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
            except OSError as error:
                raise DataError(f"the image {path} cannot be read: {error}.") from error
            self._digests[name] = whole.hexdigest()
        return self._digests[name]

    def open(self, name: str) -> Any:
        """Read an image, turned as its camera was held, in red, green and blue.

        Raises:
            DataError: Pillow is missing, there is no such file, or it is no image that Pillow can read.
        """
        images = library("PIL.Image", extra="images", error=DataError)
        turning = library("PIL.ImageOps", extra="images", error=DataError)
        path = self._path(name)
        try:
            with images.open(path) as image:
                return turning.exif_transpose(image).convert("RGB")
        except Exception as error:  # Pillow's formats raise what they like on a broken file
            raise DataError(f"the image {path} cannot be read: {reason(error)}") from error

    def small(self, name: str) -> bytes:
        """Write an image small, to be shown on a page.

        Returns:
            A JPEG of at most 160 pixels a side, without anything that its camera noted.

        Raises:
            DataError: As :meth:`open`.
        """
        image, written = self.open(name), io.BytesIO()
        image.thumbnail((_SIDE, _SIDE))
        image.save(written, "JPEG", quality=_QUALITY)
        return written.getvalue()

    def _path(self, name: str) -> Path:
        if "://" in name:
            raise DataError(f"{name!r} is an address, and no image is fetched: save it under {self._folder}.")
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder):
            raise DataError(f"the image {name!r} lies outside of {self._folder}, the folder that 'images' names.")
        if not path.is_file():
            siblings = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
            raise DataError(f"no image {path}.{did_you_mean(path.name, siblings)}")
        return path
