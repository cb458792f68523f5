"""How text becomes values: numbers, truth values, categories, and what is missing."""

from unfis.data.notation import CategoryReader, Notation

__all__ = ["CategoryReader", "Notation"]
