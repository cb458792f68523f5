"""How text becomes values: numbers, truth values, categories, and what is missing."""

from unfis.data.categories import CategoryReader
from unfis.data.notation import Notation

__all__ = ["CategoryReader", "Notation"]
