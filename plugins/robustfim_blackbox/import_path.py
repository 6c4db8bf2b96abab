"""Import paths of objects in your code: ``package.module:name``."""

from __future__ import annotations

import hashlib
import importlib
import os
import pkgutil
import secrets
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from robustfim.blame import told
from robustfim.errors import ModelError, UsageError, did_you_mean, shown
from robustfim_blackbox.own_files import beside, files_read, reading, versions, weight_files
from robustfim_blackbox.saved import file_hash

__all__ = ["Given", "ImportPath", "place_of"]


class ImportPath:
    """The import path of an object in your code.

    The module is searched among the installed packages, then in the current folder, as with ``python -m``.

    Args:
        path: ``package.module:name``; the name may have dots.

    Raises:
        UsageError: The path has another form.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.module, _, self.name = path.partition(":")
        parts = (*self.module.split("."), *self.name.split("."))
        if self.module.endswith(".py") or not all(part.isidentifier() for part in parts):
            file, _, name = path.partition(":")
            module = file.removesuffix(".py").replace("/", ".").strip(".")
            if not name:
                module, _, name = module.rpartition(".")
            instead = f" Is it {module + ':' + name!r}?" if module and name else ""
            raise UsageError(f"call={path!r} is not an import path: write package.module:name.{instead}")

    def load(self) -> Any:
        """Import the module, and return the object.

        Raises:
            UsageError: The module does not exist, or has no such name.
            ModelError: The module raised an exception during the import.
        """
        found: Any = self._import()
        done = self.module
        for part in self.name.split("."):
            if not hasattr(found, part):
                public = (
                    [name for name in vars(found) if not name.startswith("_")] if hasattr(found, "__dict__") else []
                )
                file = f" ({Path(found.__file__).name})" if getattr(found, "__file__", None) else ""
                raise UsageError(f"call={self.path!r}: {done}{file} has no {shown(part)}.{did_you_mean(part, public)}")
            found, done = getattr(found, part), f"{done}.{part}"
        return found

    def digest(self, found: Any) -> str:
        """Hash the source of an object's module, or of the whole package that has the module.

        Returns:
            The SHA-256 over the source files, the imported modules beside them, the files beside them or in the current
            folder that Python code read during the import, the files of weights named in them, and the releases of
            imported packages. Files read later, and services, are not included.
        """
        owner = getattr(found, "__module__", None) or type(found).__module__
        digest = hashlib.sha256(self.path.encode())
        for name in dict.fromkeys((self.module, owner)):
            source, folder = _source_files(name), _folder(name)
            weights, releases = list[Path](), list[str]()
            if folder is not None:
                source += beside(source, folder)
                weights, releases = weight_files(name, source, folder), versions(source)
            for file in [*source, *files_read(name)]:
                digest.update(file.read_bytes())
            for text in [*map(file_hash, weights), *releases]:
                digest.update(text.encode())
        return digest.hexdigest()

    def _import(self) -> ModuleType:
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)  # last, so that no file of the current folder hides an installed module
        importlib.invalidate_caches()
        try:
            with reading(self.module):
                return importlib.import_module(self.module)
        except ModuleNotFoundError as error:
            if error.name is None or not (self.module == error.name or self.module.startswith(f"{error.name}.")):
                raise ModelError(f"call={self.path!r} needs the missing module {error.name!r}.") from error
            raise UsageError(
                f"call={self.path!r}: no module {error.name!r} is installed or in the current folder."
                f"{_nearest(error.name)}"
            ) from None
        except (Exception, SystemExit) as error:  # the user's module may raise anything, or leave
            raise ModelError(f"call={self.path!r}: importing {self.module} raised {told(error)}") from error


class Given:
    """An object that a script passes instead of an import path."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self.path = str(getattr(value, "__qualname__", type(value).__qualname__))
        self._token = secrets.token_hex(16)

    def load(self) -> Any:
        """Return the object."""
        return self._value

    def digest(self, found: Any) -> str:
        """Return a random text instead of a hash, because an object's answers depend on more than its source."""
        return self._token


def place_of(call: Any) -> ImportPath | Given:
    """Convert the option ``call`` to an import path or a given object.

    Args:
        call: ``package.module:name``, or an object.

    Raises:
        UsageError: ``call`` is a text, but not an import path.
    """
    return ImportPath(call) if isinstance(call, str) else Given(call)


def _nearest(name: str) -> str:
    """Suggest a module beside the one that is missing."""
    package, _, last = name.rpartition(".")
    places = getattr(sys.modules.get(package), "__path__", None) if package else [str(Path.cwd())]
    near = did_you_mean(last, [module.name for module in pkgutil.iter_modules(places)])
    return near.replace("'", f"'{package}.", 1) if package else near


def _folder(name: str) -> Path | None:
    """The folder from which a module's package, or the module itself, is imported; None of installed ones.

    The record has the versions of those.
    """
    top = sys.modules.get(name.partition(".")[0])
    file = getattr(top, "__file__", None)
    if not file:
        return None
    folder = Path(file).parent.parent if getattr(top, "__path__", None) else Path(file).parent
    installed = not {"site-packages", "dist-packages"}.isdisjoint(folder.parts) or folder == Path(os.__file__).parent
    return None if installed else folder


def _source_files(name: str) -> list[Path]:
    top, module = sys.modules.get(name.partition(".")[0]), sys.modules.get(name)
    if top is not None and getattr(top, "__path__", None) and top.__file__:
        return sorted(Path(top.__file__).parent.rglob("*.py"))
    file = getattr(module, "__file__", None)
    return [Path(file)] if file and file.endswith(".py") else []
