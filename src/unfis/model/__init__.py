"""FittedModel: all that a fit has learned, as a value that nothing changes."""

from unfis.model.fitted import FittedModel

__all__ = ["FittedModel"]
