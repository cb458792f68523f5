"""Packages that are only there if somebody wants the kind of file that they read."""

from __future__ import annotations

import importlib
from typing import Any

from unfis.app.tables.errors import TableError


def module(name: str, file: str, kind: str) -> Any:
    """A package that reads a kind of file."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise TableError(
            f"{file} is {kind}, which needs {package}: pip install 'unfis[app]'."
        ) from error


def openpyxl_with_care(file: str) -> Any:
    """The package that reads Excel, if it refuses XML that is made to fill the memory."""
    package = module("openpyxl", file, "Excel")
    module("defusedxml", file, "Excel")
    if not package.DEFUSEDXML:
        raise TableError(
            f"{file} is Excel, which is read with defusedxml alone; the environment variable "
            "OPENPYXL_DEFUSEDXML must not switch it off."
        )
    return package
