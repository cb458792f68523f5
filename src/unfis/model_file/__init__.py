"""The model file: JSON that is complete, the same for the same model, and believed in nothing.

`document` says what is in it, `text` how it is written and read, and
`file` makes it of a FittedModel and back. docs/model-file.md tells readers of other programs.
"""

from unfis.model_file.file import read_model, write_model
from unfis.model_file.text import ModelFileError

__all__ = ["ModelFileError", "read_model", "write_model"]
